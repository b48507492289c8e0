/// The place of a store's file, as the app has named it.
package struct StorePlace: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The store's file; nil when there is nothing.
    ///
    /// - Throws: `.cannotOpen` when there is something else.
    package func file() throws(DataStoreError) -> FileStatus? {
        guard let status = try FileAccess.status(at: path) else { return nil }
        if status.isRegularFile { return status }
        let what = status.isFolder ? "a folder" : "no file"
        throw DataStoreError(.cannotOpen, "The path leads to \(what).", path: path)
    }

    /// The store's file, which is made where there is none.
    ///
    /// - Parameters:
    ///   - createsStore: False if a missing file is an error, and nothing is made, no folder either.
    ///   - make: Makes it at the path it is given; that another process is faster is well.
    package func fileOrNew(
        isReadOnly: Bool, createsStore: Bool, make: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> FileStatus {
        if let status = try file() { return status }
        guard !isReadOnly else {
            throw DataStoreError(
                .cannotOpen, "There is no store to be read.", advice: "Check the path.", path: path)
        }
        guard createsStore else {
            throw DataStoreError(
                .cannotOpen, "No store exists at this path.",
                advice: "Check the path, or open it with createsStore to make a new store.", path: path)
        }
        let newPath = try pathOfNewFile()
        if FileAccess.isTaken(newPath) {
            // Looked at again, since another process may have made the store meanwhile.
            if let status = try file() { return status }
            throw DataStoreError(
                .cannotOpen, "The path is a symbolic link that leads nowhere.", path: path)
        }
        try make(newPath)
        guard let status = try file() else {
            throw DataStoreError(
                .cannotOpen, "The store was removed as soon as it had been made.", path: path)
        }
        return status
    }

    /// The path of a new store, in a folder that is made if only its own name is missing.
    private func pathOfNewFile() throws(DataStoreError) -> String {
        let (folder, name) = FileAccess.parts(of: path)
        if try FileAccess.status(at: folder) == nil {
            let newFolder = try FileAccess.resolved(folder)
            try FileAccess.makeFolder(newFolder)
            try FileAccess.synchronize(FileAccess.parts(of: newFolder).folder)
        }
        return try FileAccess.resolved(folder + "/" + name)
    }
}
