import Foundation

/// The folder of a package that is made.
struct PackageFolder {
    private let path: String

    init(at path: String) {
        self.path = path
    }

    /// Writes files into the folder, which is made if there is none; when it throws, nothing of them is left.
    ///
    /// - Parameter files: The texts by their paths in the folder.
    /// - Throws: `.cannotCreate` when the folder is not empty, is a file, or cannot be written to.
    func write(_ files: [(path: String, text: String)]) throws(CommandFailure) {
        let isNew = try requireEmpty()
        do {
            for file in files {
                let url = URL(fileURLWithPath: "\(path)/\(file.path)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url, options: .withoutOverwriting)
            }
        } catch {
            for file in files {
                let first = file.path.split(separator: "/").first.map { String($0) } ?? file.path
                try? FileManager.default.removeItem(atPath: "\(path)/\(first)")
            }
            if isNew { try? FileManager.default.removeItem(atPath: path) }
            throw CommandFailure(
                .cannotCreate, "The package cannot be written: \(error.localizedDescription)",
                advice: "Check the folder above it; nothing was left.", path: path)
        }
    }

    /// - Returns: True if there is no folder yet.
    private func requireEmpty() throws(CommandFailure) -> Bool {
        guard try StoreFiles.exists(path) else { return true }
        guard StoreFiles.isFolder(path) else {
            throw CommandFailure(
                .cannotCreate, "A file already exists at this path.",
                advice: "Choose another name; nothing was changed.", path: path)
        }
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard names?.isEmpty == true else {
            throw CommandFailure(
                .cannotCreate, "The folder is not empty.",
                advice: "Choose another name, or empty the folder; nothing was changed.", path: path)
        }
        return false
    }
}
