package import LarderKernel

/// The decision how a read-only store is read: with the files beside it through which the processes that use it see each
/// other, or alone.
///
/// An engine makes these files if they are missing. If it cannot, the store's file can be read alone as long as no
/// process writes to it: a writer would have to make them too.
package protocol ReadingAccess {
    var engine: FileEngine { get }
    var file: StoreFile { get }
    var options: FileStoreOptions { get }

    /// True if the files beside the store can be used, or made.
    var canShare: Bool { get }

    /// True if no process can write to the store.
    var isClosedToAll: Bool { get }

    /// The action for which the process lacks the permission: "make files in the folder /data".
    var deniedAction: String { get }

    /// Checks that the file has all content of the store. Optional; the default accepts it.
    ///
    /// - Throws: `.readOnly`.
    func requireComplete() throws(DataStoreError)
}

extension ReadingAccess {
    package func requireComplete() throws(DataStoreError) {}

    /// True if the store is read with the files beside it.
    ///
    /// - Throws: `.permissionDenied` when others may write to the file and could not be seen doing so; as
    ///   ``requireComplete()``.
    package func isShared() throws(DataStoreError) -> Bool {
        if !options.assumesNoWriter && canShare { return true }
        try requireComplete()
        if options.assumesNoWriter || isClosedToAll { return false }
        throw DataStoreError(
            .permissionDenied,
            "\(engine.name) has to \(deniedAction) to read the store beside other processes, "
                + "but lacks the permission.",
            advice:
                "Let the process write there, or, if no process writes to the store meanwhile, open it with "
                + "assumesNoWriter.",
            path: file.path)
    }
}
