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

    /// Removes these names, what belongs to them, and their folders, unless a process is setting a store aside just now.
    ///
    /// A folder with the only log of the store stays, as the store in its place lacks the commits in it.
    ///
    /// - Parameter keepsLogs: False if the store is to go with all that it has.
    static func discard(
        of path: String, _ identity: FileIdentity, keepsLogs: Bool = true
    ) throws(DataStoreError) {
        try FileAccess.ifUnlocked(FileAccess.parts(of: path).folder) { () throws(DataStoreError) in
            for aside in names(of: path, identity) where !keepsLogs || !hasOnlyLog(aside) {
                let (folder, name) = FileAccess.parts(of: aside)
                // The one by which the others are found goes last.
                for other in FileAccess.names(in: folder) where other.utf8.starts(with: "\(name)-".utf8) {
                    try FileAccess.remove(folder + "/" + other)
                }
                try FileAccess.remove(aside)
                FileAccess.removeFolders([folder])
            }
        }
    }
}
