package import LarderKernel

/// An engine's store in a file, as a ``FileUpgrade`` uses it while the store is closed.
package protocol UpgradableFile {
    /// Opens the store and, under another location, its copy; what it commits is on the disk.
    var address: StoreAddress { get }

    /// The suffixes of the files beside the store's own that belong to one state of it: beside another file of
    /// the same name, the engine would take them for that one's.
    var stateSuffixes: [String] { get }

    /// Runs a body while no other process, and no other store of this one, has the file open or can open it;
    /// false, and nothing done, when another process keeps it open for longer than the busy timeout.
    ///
    /// - Throws: `.alreadyOpen`; `.storeFileMoved` when the file was replaced meanwhile; rethrows errors of the
    ///   body.
    func whileAlone(
        _ body: (any SoleFile) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool
}

extension UpgradableFile {
    /// The suffixes of all files that the engine keeps beside the store's own.
    var companionSuffixes: [String] { Array(address.fileSuffixes.dropFirst()) }
}

/// The file of a store that no other process can open, with all of its content in it.
package protocol SoleFile {
    var file: StoreFile { get }

    /// A number that the engine changes when it changes the file.
    func stateNumber() throws(DataStoreError) -> Int

    /// Walks the structure of the file.
    ///
    /// - Throws: `.damaged`.
    func requireSound() throws(DataStoreError)

    /// Gives a finished file the store's name; the folder is not synced.
    ///
    /// A kill leaves one file or the other, whole.
    func replace(by finished: String) throws(DataStoreError)

    /// Writes a copy of the store to a file that is there and empty; stops when the task is cancelled.
    func copy(to path: String) throws(DataStoreError)
}

extension SoleFile {
    package func replace(by finished: String) throws(DataStoreError) {
        try FileAccess.move(finished, to: file.path)
    }
}
