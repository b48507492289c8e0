package import LarderKernel

/// A store's file: its path and its identity.
///
/// An engine adds the names of the files beside it.
package struct StoreFile: Sendable {
    /// Without links and relative parts, so that the files beside it are beside the real one.
    package let path: String
    package let identity: FileIdentity
    /// True if the file had several names (hard links).
    private let hasOtherNames: Bool
    let logSuffixes: [String]

    /// The file at a path as the app gave it.
    package init(at path: String, _ status: FileStatus, of engine: FileEngine) throws(DataStoreError) {
        self.path = try FileAccess.resolved(path)
        identity = status.identity
        hasOtherNames = status.linkCount > 1
        logSuffixes = engine.logSuffixes
    }

    /// Checks that the path still leads to the file.
    ///
    /// - Throws: `.storeFileMoved`; engines would write on into a file that has no name any more.
    package func requireInPlace() throws(DataStoreError) {
        if !FileAccess.isFile(identity, at: path) { throw movedError }
    }

    /// The error for a path that does not lead to the file any more.
    var movedError: DataStoreError {
        DataStoreError(
            .storeFileMoved, "The store's file was moved, replaced or deleted while it was open.", path: path)
    }

    /// The error for the app when the file cannot be opened: `.storeFileMoved` if it is gone from its place.
    package func explained(_ error: DataStoreError) -> DataStoreError {
        error.code == .cannotOpen && !FileAccess.isFile(identity, at: path) ? movedError : error
    }

    /// Gives the store its log back, if a process has taken that from its place to set the store aside, and was killed.
    ///
    /// *Rule:* called before an engine opens the file. *Cost:* nothing for a file with one name.
    ///
    /// - Parameter isReadOnly: True to change nothing.
    /// - Throws: The reason why the store stays without its log, such as `.readOnly` or `.busy`.
    package func takeLogBack(isReadOnly: Bool) throws(DataStoreError) {
        if hasOtherNames {
            try UnfinishedSetAside.returnLog(to: path, identity, logs: logSuffixes, isReadOnly: isReadOnly)
        }
    }

    /// Removes the second names that a killed upgrade in a copy has made for a backup, or a killed process to set the store
    /// aside: they would not keep the old store, but change with this one.
    ///
    /// *Rule:* called before the first change and after ``takeLogBack(isReadOnly:)``, while no other process can upgrade the
    /// store. *Cost:* nothing for a file with one name.
    ///
    /// - Parameter keepsLogs: False if the store is to go with all that it has.
    package func removeNamesOfKilledProcesses(keepsLogs: Bool = true) {
        // If they cannot be removed, the store can be used all the same.
        guard hasOtherNames else { return }
        try? UpgradeBackup.discard(of: path, identity)
        try? UnfinishedSetAside.discard(of: path, identity, keepingLogs: keepsLogs ? logSuffixes : [])
    }
}
