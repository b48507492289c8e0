package import Larder
import LarderPlatform

/// Makes a file whole under a temporary name beside its place and moves it there, so that a kill at any
/// moment leaves nothing or the whole file (contract rule 12).
///
///     let isMine = try NewFile(at: path).make { temporary in … }
///
/// A kill may also leave the temporary file, `.NAME.larder-PROCESS-NUMBER`; the next making of the same file
/// removes it when that process is gone. Threads that make the same file at once do so under different
/// numbers.
package struct NewFile {
    /// The final path of the file.
    package let path: String
    /// The suffixes of files that an engine may leave beside a file.
    private let companionSuffixes: [String]

    package init(at path: String, companionSuffixes: [String] = []) {
        self.path = path
        self.companionSuffixes = companionSuffixes
    }

    /// Makes the file; false, and nothing changed, when something is in its place already.
    ///
    /// - Parameter fill: Writes the file at the path it is given, which is there and empty.
    package func make(
        _ fill: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        let temporary = makeTemporaryPath()
        defer { discard(temporary) }
        do throws(DataStoreError) {
            try write(temporary, fill)
            return try FileAccess.publish(temporary, as: path)
        } catch {
            throw named(error, temporary)
        }
    }

    /// Makes the file and puts it in the place of one that is there.
    package func replace(
        _ fill: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let temporary = makeTemporaryPath()
        defer { discard(temporary) }
        do throws(DataStoreError) {
            try write(temporary, fill)
            try FileAccess.replace(path, by: temporary)
        } catch {
            throw named(error, temporary)
        }
    }

    private func write(
        _ temporary: String, _ fill: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try FileAccess.makeFile(temporary, for: path)
        try fill(temporary)
        try FileAccess.synchronize(temporary)
    }

    /// The error with the file's final name instead of its temporary one.
    private func named(_ error: DataStoreError, _ temporary: String) -> DataStoreError {
        guard let named = error.path, named.hasPrefix(temporary) else { return error.about(path: path) }
        // The folder, or the unfinished file in it, was removed.
        let isGone = error.underlying?.source == "errno" && error.underlying?.code == Int(ENOENT)
        if isGone { return FileAccess.failure(ENOENT, moving: temporary, to: path) }
        return error.naming(path)
    }

    private static let lastNumber = Locked(0)

    private func makeTemporaryPath() -> String {
        removeAbandoned()
        let number = Self.lastNumber.withLock { last in
            last += 1
            return last
        }
        return "\(temporaryPrefix)\(getpid())-\(number)"
    }

    private func discard(_ temporary: String) {
        for suffix in [""] + companionSuffixes { try? FileAccess.remove(temporary + suffix) }
    }

    /// Removes what makings of this file have left whose process is gone.
    func removeAbandoned() {
        for path in abandoned() { discard(path) }
    }

    /// The paths of what makings of this file have left whose process is gone.
    func abandoned() -> [String] {
        let (folder, prefix) = FileAccess.parts(of: temporaryPrefix)
        return FileAccess.names(in: folder).compactMap { name in
            guard name.hasPrefix(prefix) else { return nil }
            let numbers = name.dropFirst(prefix.count).split(separator: "-").map { pid_t($0) }
            guard numbers.count <= 2, !numbers.contains(nil), let process = numbers.first.flatMap({ $0 }),
                process > 0
            else { return nil }
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            return isGone ? folder + "/" + name : nil
        }
    }

    private var temporaryPrefix: String { SiblingNames.hidden(beside: path) }
}
