import Foundation
import Testing

/// Plans are plain values; what runs them lies in another folder.
struct PlanFolderTests {
    private let kernel = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/LarderKernel")

    @Test(arguments: ["Plan", "Lowering"])
    func `plans and their lowering name nothing that reads a store`(folder: String) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: kernel.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        #expect(files.count >= 3)

        for file in files where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { $0.drop(while: \.isWhitespace) }.filter { !$0.hasPrefix("//") }
            let readers = code.filter { $0.contains(/\b(StorageReading|BlockContext|RowCursor)\b/) }
            #expect(readers.isEmpty, "\(file.lastPathComponent): \(readers)")
        }
    }
}
