package import Larder

/// A store's file: its path and its identity.
///
/// An engine adds the names of the files beside it.
package struct StoreFile: Sendable {
    /// Without links and relative parts, so that the files beside it are beside the real one.
    package let path: String
    package let identity: FileIdentity

    /// The file at a path as the app gave it.
    package init(at path: String, _ status: FileStatus) throws(DataStoreError) {
        self.path = try FileAccess.resolved(path)
        identity = status.identity
    }

    /// Checks that the path still leads to the file.
    ///
    /// - Throws: `.storeFileMoved`; engines would write on into a file that has no name any more.
    package func requireInPlace() throws(DataStoreError) {
        if !FileAccess.isFile(identity, at: path) {
            throw DataStoreError(
                .storeFileMoved, "The store's file was moved, replaced or deleted while it was open.",
                path: path)
        }
    }
}
