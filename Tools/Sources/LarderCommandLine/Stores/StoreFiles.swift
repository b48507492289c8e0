import Foundation
import Larder

/// What is where, before anything is opened or made.
enum StoreFiles {
    /// A path as a URL, without `.` and `..`, so that a store has one name for all that remember it.
    ///
    /// - Throws: `.noInput` for a relative path where the folder's own path is not UTF-8 or is gone.
    static func url(_ path: String) throws(CommandFailure) -> URL {
        if !path.hasPrefix("/"), !hasReadableFolder {
            throw CommandFailure(
                .noInput, "The path of this folder is not UTF-8, or the folder is gone.",
                advice: "Rename the folder, or work from another one.", path: path)
        }
        return URL(fileURLWithPath: path).standardizedFileURL
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

    /// Whether a name is taken, be it by a link that leads nowhere.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// How large the files of a store are together.
    static func byteCount(of address: StoreAddress) -> Int {
        address.fileSuffixes.reduce(0) { sum, suffix in
            var status = stat()
            return stat(address.location + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// - Throws: `.cannotCreate` when a name that is to be given is taken.
    static func expectFree(_ path: String) throws(CommandFailure) {
        if exists(path) { throw taken(path) }
    }

    static func taken(_ path: String) -> CommandFailure {
        isFolder(path)
            ? CommandFailure(
                .cannotCreate, "This is a folder; a store is a file.",
                advice: "Give the path of a file that is to be made in it; nothing was changed.", path: path)
            : CommandFailure(
                .cannotCreate, "There is something in this place already.",
                advice: "Give another path, or move what is there; nothing was changed.", path: path)
    }

    /// Makes something, so that a failure to open it is told as one to make it.
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
