import Foundation
import Larder

/// Checks of paths before anything is opened or created.
enum StoreFiles {
    /// A path as a URL, without `.` and `..`, so that each store has exactly one name.
    ///
    /// The folder after which `..` stands may be a link: the system knows where it leads, and its name does not.
    ///
    /// - Throws: `.noInput` for a relative path if the folder's own path is not UTF-8 or is gone.
    static func url(_ path: String) throws(CommandFailure) -> URL {
        if !path.hasPrefix("/"), !hasReadableFolder {
            throw CommandFailure(
                .noInput, "The path of this folder is not UTF-8, or the folder is gone.",
                advice: "Rename the folder, or run the command from another one.", path: path)
        }
        let url = URL(fileURLWithPath: path)
        guard path.split(separator: "/").contains("..") else { return url.standardizedFileURL }
        if let whole = resolved(path), isFolder(path) { return whole }
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        let folder = String(path.dropLast(name.count))
        return resolved(folder)?.appendingPathComponent(name).standardizedFileURL ?? url.standardizedFileURL
    }

    /// The path that the system finds; nil if there is nothing.
    private static func resolved(_ path: String) -> URL? {
        guard let real = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real).map { URL(fileURLWithPath: $0) }
    }

    private static var hasReadableFolder: Bool {
        guard let folder = getcwd(nil, 0) else { return false }
        defer { free(folder) }
        return String(validatingCString: folder) != nil
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// True if a name is taken, even by a dangling link.
    ///
    /// - Throws: `.noPermission` when the user may not look into the folder.
    static func exists(_ path: String) throws(CommandFailure) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        guard errno == EACCES else { return false }
        throw CommandFailure(
            .noPermission, "The folder of this path may not be looked into.",
            advice: "Get access to the folder, or run the command as its owner.", path: path)
    }

    /// The total size of the files of a store.
    static func byteCount(of address: StoreAddress) -> Int {
        address.fileSuffixes.reduce(0) { sum, suffix in
            var status = stat()
            return stat(address.location + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// - Throws: `.usage` for the address of a server, without repeating it: it may hold a password.
    static func expectPath(_ path: String) throws(CommandFailure) {
        guard ServerAddress.isOne(path) else { return }
        throw CommandFailure(
            .usage, "The address of a server is in the place of a file.",
            advice: "Use the path of a file; larder copy copies a store to a server and from one.")
    }

    /// - Throws: As ``expectPath(_:)`` and ``exists(_:)``; `.cannotCreate` when the name is taken.
    static func expectFree(_ path: String) throws(CommandFailure) {
        try expectPath(path)
        if try exists(path) { throw taken(path) }
    }

    static func taken(_ path: String) -> CommandFailure {
        isFolder(path)
            ? CommandFailure(
                .cannotCreate, "This is a folder; a store is a file.",
                advice: "Use the path of a new file in it; nothing was changed.", path: path)
            : CommandFailure(
                .cannotCreate, "A file already exists at this path.",
                advice: "Choose another path, or move the existing file; nothing was changed.", path: path)
    }

    /// Runs a body that creates a file; reports a failure to open it as a failure to create it.
    static func making<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DataStoreError where error.code == .cannotOpen {
            var failure = CommandFailure(error)
            if try failure.path == url(path).path { failure.status = .cannotCreate }
            throw failure
        }
    }
}
