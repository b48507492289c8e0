import LarderEngine
package import LarderKernel
import LarderPlatform

/// Makes a file whole under a temporary name beside its place and moves it there, so that a kill at any
/// moment leaves nothing or the whole file (contract rule 12).
///
///     let isMine = try NewFile(at: path).make { temporary in … }
///
/// A kill may also leave the temporary file, `.NAME.larder-new-RANDOM`; the next making of the same file removes it. A
/// lock on a byte of it shows that its maker lives, be that in another container. If the file system has no such
/// locks, it stays.
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
        try withTemporary { temporary throws(DataStoreError) in
            try fill(temporary)
            try FileAccess.synchronize(temporary)
            return try FileAccess.publish(temporary, as: path)
        }
    }

    /// Makes the file and puts it in the place of one that is there, with its owner and mode.
    ///
    /// - Parameter move: Gives the finished file the name of the other.
    package func replace(
        _ fill: (String) throws(DataStoreError) -> Void,
        moving move: ((String) throws(DataStoreError) -> Void)? = nil
    ) throws(DataStoreError) {
        try withTemporary { temporary throws(DataStoreError) in
            try fill(temporary)
            try FileAccess.adoptPermissions(of: path, for: temporary)
            try FileAccess.synchronize(temporary)
            if let move { try move(temporary) } else { try FileAccess.move(temporary, to: path) }
            try FileAccess.synchronize(FileAccess.parts(of: path).folder)
        }
    }

    /// Runs a body on a new file that is removed if it still has its temporary name then.
    private func withTemporary<Result>(
        _ body: (String) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        removeAbandoned()
        let (temporary, file) = try makeTemporary()
        // A store of this process that opens the finished file waits: closing it here would drop the engine's locks.
        return try OpenFileRegistry.shared.whileNotOpen(file.identity, at: path) {
            () throws(DataStoreError) in
            defer {
                discard(temporary)
                // If this process has just forked another one, that has the file open until it runs its program, and
                // would keep the lock as long.
                file.unlock(.signOfLife)
                file.close()
            }
            do throws(DataStoreError) {
                return try body(temporary)
            } catch {
                throw named(error, temporary)
            }
        }
    }

    /// The error with the file's final name instead of its temporary one.
    private func named(_ error: DataStoreError, _ temporary: String) -> DataStoreError {
        guard let named = error.path, named.hasPrefix(temporary) else { return error.about(path: path) }
        // The folder, or the unfinished file in it, was removed.
        let isGone = error.underlying?.source == "errno" && error.underlying?.code == Int(ENOENT)
        if isGone { return FileAccess.failure(ENOENT, moving: temporary, to: path) }
        return error.naming(path)
    }

    private func discard(_ temporary: String) {
        for suffix in [""] + companionSuffixes { try? FileAccess.remove(temporary + suffix) }
    }
}

// MARK: Temporary files

extension NewFile {
    private static let attempts = 100
    private static let digits = 16

    /// Makes an empty file that only its owner can read, and that shows its maker's life.
    private func makeTemporary() throws(DataStoreError) -> (path: String, file: LockedFile) {
        for _ in 0..<Self.attempts {
            let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
            let temporary =
                temporaryPrefix + String(repeating: "0", count: Self.digits - digits.count) + digits
            let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file < 0 && errno == EEXIST { continue }
            guard file >= 0 else { throw FileAccess.failure(errno, making: path) }
            let status: FileStatus
            do throws(DataStoreError) {
                status = try FileAccess.status(ofOpen: file, at: path)
            } catch {
                close(file)
                throw error
            }
            let locked = LockedFile(file, status.identity)
            // Until it is locked, another process may take it for abandoned.
            if locked.lock(.signOfLife) != .taken, FileAccess.isName(temporary, of: status.identity) {
                return (temporary, locked)
            }
            locked.close()
        }
        throw DataStoreError(.busy, "Other processes keep removing the unfinished file.", path: path)
    }

    /// Removes what makings of this file have left whose process is gone.
    func removeAbandoned() {
        for path in temporaries() { whileAbandoned(path) { discard(path) } }
    }

    /// The paths of what makings of this file have left whose process is gone.
    func abandoned() -> [String] {
        temporaries().filter { path in
            var isAbandoned = false
            whileAbandoned(path) { isAbandoned = true }
            return isAbandoned
        }
    }

    /// Runs a body on a temporary file whose maker is gone, while no process can become its maker.
    private func whileAbandoned(_ path: String, _ body: () -> Void) {
        guard let status = FileAccess.statusOfName(path), status.isRegularFile else { return }
        // It has its final name already, and needs this one no more. It may also be a store that is open.
        if status.linkCount > 1 { return body() }
        if OpenFileRegistry.shared.isHeld(status.identity) { return }
        guard let file = try? LockedFile(at: path) else { return }
        defer { file.close() }
        if file.identity == status.identity, file.lock(.signOfLife) == .locked { body() }
    }

    /// The paths of all temporary files of this one.
    private func temporaries() -> [String] {
        let (folder, prefix) = FileAccess.parts(of: temporaryPrefix)
        return FileAccess.names(in: folder).compactMap { name in
            guard name.utf8.starts(with: prefix.utf8) else { return nil }
            let end = name.dropFirst(prefix.count)
            return end.count == Self.digits && end.allSatisfy(\.isHexDigit) ? folder + "/" + name : nil
        }
    }

    private var temporaryPrefix: String { SiblingNames.hidden(beside: path) + "new-" }
}
