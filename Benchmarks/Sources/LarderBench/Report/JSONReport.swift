import Foundation

/// Writes the rows as an array of flat objects, absent values as null.
struct JSONReport {
    let rows: [ResultRow]

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(rows).write(to: file)
    }
}
