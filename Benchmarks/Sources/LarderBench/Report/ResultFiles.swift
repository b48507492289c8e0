import Foundation

/// Writes a run's figures for programs, for a page and for the eye: `latest.json`, `latest.md`, `latest.svg`.
struct ResultFiles {
    let results: [WorkloadResult]
    /// What was run where, above the table of the page.
    let heading: String

    func write(to folder: String) throws {
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let rows = try encoder.encode(results.flatMap(ResultRow.rows))
        try rows.write(to: folder.appending(path: "latest.json"))
        let table = TableReport(results: results)
        let page = "\(heading)\n\n\(table.markdown)\n\n\(table.summary)\n"
        try Data(page.utf8).write(to: folder.appending(path: "latest.md"))
        try Data(RatioPicture(results: results).svg.utf8).write(to: folder.appending(path: "latest.svg"))
    }
}
