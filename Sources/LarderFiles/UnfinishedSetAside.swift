import LarderKernel

/// The second names of a store, `NAME.set-aside-1/NAME`, that a process has made to set it aside, and was killed before it
/// removed the first ones.
///
/// Such a name leads to the live file, beside a log that may be an old one, or the only one that is left.
enum UnfinishedSetAside {
    static let kind = "set-aside"

    /// The names of a file that is still in its place.
    static func names(of path: String, _ identity: FileIdentity) -> [String] {
        guard FileAccess.isName(path, of: identity) else { return [] }
        // A link could lead back to the store's own folder.
        let folders = SiblingNames.taken(path, kind).filter {
            FileAccess.statusOfName($0)?.isFolder ?? false
        }
        return folders.map { $0 + "/" + FileAccess.parts(of: path).name }
            .filter { FileAccess.isName($0, of: identity) }
    }

    /// True if a folder has the last name of a log of the store: the process was killed after it had removed the first one.
    private static func hasOnlyLog(_ aside: String) -> Bool {
        ["-wal", "-journal"].compactMap { FileAccess.statusOfName(aside + $0) }
            .contains { $0.linkCount == 1 && $0.byteCount > 0 }
    }

    /// Gives a store in its place the log back of which a folder has the last name, and the files beside it.
    ///
    /// Without it the store would be opened in an older state. A store that was changed since then would be damaged by it,
    /// and does not get it. *Rule:* called before an engine opens the file.
    static func returnLog(to path: String, _ identity: FileIdentity) throws(DataStoreError) {
        let place = FileAccess.parts(of: path).folder
        try FileAccess.ifUnlocked(place) { () throws(DataStoreError) in
            guard let file = FileAccess.statusOfName(path) else { return }
            for aside in names(of: path, identity) where hasOnlyLog(aside) {
                for suffix in suffixes(beside: aside) {
                    guard let status = FileAccess.statusOfName(aside + suffix), status.linkCount == 1,
                        file.isUnchanged(sinceChangeOf: status)
                    else { continue }
                    _ = try FileAccess.makeLink(path + suffix, to: aside + suffix)
                }
                try FileAccess.synchronize(place)
            }
        }
    }

    /// The ends of the names of the files beside one, such as `-wal`.
    private static func suffixes(beside path: String) -> [String] {
        let (folder, name) = FileAccess.parts(of: path)
        return FileAccess.names(in: folder).filter { $0.utf8.starts(with: "\(name)-".utf8) }
            .map { String($0.dropFirst(name.count)) }
    }

    /// Removes these names, what belongs to them, and their folders, unless a process is setting a store aside just now.
    ///
    /// A folder with the only log of the store stays: the store in its place lacks the commits in it, and was changed since.
    ///
    /// - Parameter keepsLogs: False if the store is to go with all that it has.
    static func discard(
        of path: String, _ identity: FileIdentity, keepsLogs: Bool = true
    ) throws(DataStoreError) {
        try FileAccess.ifUnlocked(FileAccess.parts(of: path).folder) { () throws(DataStoreError) in
            for aside in names(of: path, identity) where !keepsLogs || !hasOnlyLog(aside) {
                // The one by which the others are found goes last.
                for suffix in suffixes(beside: aside) + [""] { try FileAccess.remove(aside + suffix) }
                FileAccess.removeFolders([FileAccess.parts(of: aside).folder])
            }
        }
    }
}
