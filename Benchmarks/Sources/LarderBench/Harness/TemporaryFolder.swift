import Foundation

/// A folder for stores that hands out empty folders inside it and disappears at the end.
final class TemporaryFolder {
    private let url: URL
    private var folderCount = 0

    init(inside parent: URL) throws {
        url = parent.appending(path: "larder-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func makeEmptyFolder() throws -> URL {
        folderCount += 1
        let folder = url.appending(path: "\(folderCount)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    func remove() throws {
        try FileManager.default.removeItem(at: url)
    }
}
