import Foundation

/// A new folder among the system's temporary files, deleted with everything in it when the last reference to
/// it is dropped, or before.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("larder-test-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? remove()
    }

    /// The place of the store's file.
    var file: URL { url.appendingPathComponent("store", isDirectory: false) }

    func remove() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try FileManager.default.removeItem(at: url)
    }
}
