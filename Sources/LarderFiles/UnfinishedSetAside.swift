import LarderKernel
import LarderPlatform

/// The second names of a store, `NAME.set-aside-1/NAME`, that a process has made to set it aside, and was killed before it
/// removed the first ones.
///
/// Such a name leads to the live file, beside a log that may be an old one, or the only one that is left.
enum UnfinishedSetAside {
    static let kind = "set-aside"

    /// The names of a file that is still in its place.
    static func names(of path: String, _ identity: FileIdentity) -> [String] {
        guard FileAccess.isName(path, of: identity) else { return [] }
        return places(of: path).filter { FileAccess.isName($0, of: identity) }
    }

    /// The paths in the folders of settings aside at which the file has its second name, if it has one.
    private static func places(of path: String) -> [String] {
        // A link could lead back to the store's own folder.
        SiblingNames.taken(path, kind).filter { FileAccess.statusOfName($0)?.isFolder ?? false }
            .map { $0 + "/" + FileAccess.parts(of: path).name }
    }

    /// True if a folder has the last name of a log of the store: the process was killed after it had removed the first one.
    private static func hasOnlyLog(_ aside: String, among logs: [String]) -> Bool {
        logs.compactMap { FileAccess.statusOfName(aside + $0) }
            .contains { $0.linkCount == 1 && $0.byteCount > 0 }
    }

    /// The name beside a log that the store in its place lacks; nil if it is whole.
    ///
    /// A store that was changed after the log had lost its first name would be damaged by it. One with a log of its own has
    /// no use for it, unless that log is empty: a program that reads makes such a one.
    private static func nameBesideLog(
        of path: String, _ identity: FileIdentity, _ logs: [String]
    ) -> String? {
        guard let file = FileAccess.statusOfName(path) else { return nil }
        return names(of: path, identity).first { aside in
            logs.contains { suffix in
                let ownBytes = FileAccess.statusOfName(path + suffix)?.byteCount ?? 0
                guard let log = FileAccess.statusOfName(aside + suffix), log.byteCount > 0, ownBytes == 0
                else { return false }
                return file.isUnchanged(sinceChangeOf: log)
            }
        }
    }

    /// Gives a store in its place the log back that only a folder has, and the files beside it.
    ///
    /// *Rule:* called before an engine opens the file.
    ///
    /// - Parameters:
    ///   - logs: The suffixes of the engine's logs.
    ///   - isReadOnly: True to change nothing.
    /// - Throws: The reason why the store stays without its log: it would be opened in an older state, which the first
    ///   write would make final. `.readOnly`; `.busy` while a process sets a store of the folder aside, or if an empty log
    ///   has the name; the error of the system.
    static func returnLog(
        to path: String, _ identity: FileIdentity, logs: [String], isReadOnly: Bool
    ) throws(DataStoreError) {
        let place = FileAccess.parts(of: path).folder
        var tries = 0
        while let aside = nameBesideLog(of: path, identity, logs) {
            if tries == 100 { throw withoutLog(path, beside: aside, isReadOnly: isReadOnly) }
            // A process that sets it aside just now removes its file within a moment.
            if tries > 0 { usleep(1000) }
            tries += 1
            if isReadOnly { continue }
            try FileAccess.ifUnlocked(place) { () throws(DataStoreError) in
                try returnLogWhileLocked(to: path, identity, logs: logs)
            }
        }
    }

    /// Does the same, as far as it can be done at once.
    ///
    /// *Rule:* called while the folder of the store is locked.
    static func returnLogWhileLocked(
        to path: String, _ identity: FileIdentity, logs: [String]
    ) throws(DataStoreError) {
        // Another store may have its place by now.
        guard let aside = nameBesideLog(of: path, identity, logs) else { return }
        for suffix in suffixes(beside: aside) {
            _ = try FileAccess.makeLink(path + suffix, to: aside + suffix)
        }
        try FileAccess.synchronize(FileAccess.parts(of: path).folder)
    }

    private static func withoutLog(
        _ path: String, beside aside: String, isReadOnly: Bool
    ) -> DataStoreError {
        let folder = FileAccess.parts(of: aside).folder
        return DataStoreError(
            isReadOnly ? .readOnly : .busy,
            "The store's log is in the folder \(folder): a process has not ended setting the store aside.",
            advice: isReadOnly
                ? "Open the store once for writing, so that it gets the log back."
                : "Repeat the call when other processes have closed the store. If none has it open, move the log beside it.",
            path: path)
    }

    /// The ends of the names of the files beside one, such as `-wal`.
    private static func suffixes(beside path: String) -> [String] {
        let (folder, name) = FileAccess.parts(of: path)
        return FileAccess.names(in: folder).filter { $0.utf8.starts(with: "\(name)-".utf8) }
            .map { String($0.dropFirst(name.count)) }
    }

    /// Removes these names, what belongs to them, and their folders, unless a process is setting a store aside just now.
    ///
    /// The only log of the store stays: the store in its place lacks the commits in it, and was changed since. Its folder is
    /// not found again without the name of the store's file, so that no change of the log's times makes it look new.
    ///
    /// *Rule:* called after ``returnLog(to:_:isReadOnly:)``.
    ///
    /// - Parameter logs: The suffixes of the engine's logs; none if the store is to go with all that it has.
    static func discard(
        of path: String, _ identity: FileIdentity, keepingLogs logs: [String]
    ) throws(DataStoreError) {
        try FileAccess.ifUnlocked(FileAccess.parts(of: path).folder) { () throws(DataStoreError) in
            for aside in names(of: path, identity) {
                let others = hasOnlyLog(aside, among: logs) ? [] : suffixes(beside: aside)
                // The one by which the others are found goes last.
                try remove(others + [""], beside: aside)
            }
        }
    }

    /// Removes the logs that ``discard(of:_:keepingLogs:)`` has kept, and their folders: a destroyed store has no use for them.
    ///
    /// A folder in which the file has a name is a store that was set aside.
    static func discardLogs(of path: String, _ logs: [String]) throws(DataStoreError) {
        func asides() -> [String] {
            places(of: path).filter { aside in
                !FileAccess.isTaken(aside) && logs.contains { FileAccess.isTaken(aside + $0) }
            }
        }
        if asides().isEmpty { return }
        // A process that sets the store aside makes the name of its log first.
        try FileAccess.whileLocked(FileAccess.parts(of: path).folder) { () throws(DataStoreError) in
            for aside in asides() { try remove(suffixes(beside: aside), beside: aside) }
        }
    }

    private static func remove(_ suffixes: [String], beside aside: String) throws(DataStoreError) {
        for suffix in suffixes { try FileAccess.remove(aside + suffix) }
        FileAccess.removeFolders([FileAccess.parts(of: aside).folder])
    }
}
