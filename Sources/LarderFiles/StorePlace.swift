package import LarderKernel

/// The place of a store's file, as the app has named it.
package struct StorePlace: Sendable {
    /// The path as given by the app, or the text of a URL that is not a path.
    package let path: String
    /// The reason why no file can be there.
    private let refusal: DataStoreError?

    package init(_ path: String) {
        self.init(path, refusal: nil)
    }

    /// - Parameter refusal: The reason why no file can be there, which every use of the place throws.
    init(_ path: String, refusal: DataStoreError?) {
        self.path = path
        self.refusal = refusal
    }

    /// - Throws: `.cannotOpen` when it is not a place for a file.
    package func requirePath() throws(DataStoreError) {
        if let refusal { throw refusal }
    }

    /// Checks that a store can be here, and be written to.
    ///
    /// - Throws: `.cannotOpen` when it is not a place for a file, or the name leaves no room for the suffixes.
    package func requirePath(
        for options: FileStoreOptions, of engine: FileEngine
    ) throws(DataStoreError) {
        try requirePath()
        if options.isReadOnly { return }
        let (folder, name) = FileAccess.parts(of: (try? FileAccess.resolved(path)) ?? path)
        let suffix = engine.companionSuffixes.max { $0.utf8.count < $1.utf8.count } ?? ""
        let limit = SiblingNames.longest(in: folder) - suffix.utf8.count
        if name.utf8.count <= limit { return }
        throw DataStoreError(
            .cannotOpen,
            "The name of the store's file has \(name.utf8.count) bytes, and \(suffix) is appended for a file beside it.",
            advice: "Choose a name of at most \(limit) bytes.", path: path)
    }

    /// The store's file; nil when there is nothing.
    ///
    /// - Throws: `.cannotOpen` when there is something else.
    package func file() throws(DataStoreError) -> FileStatus? {
        try requirePath()
        guard let status = try FileAccess.status(at: path) else { return nil }
        if status.isRegularFile { return status }
        let what = status.isFolder ? "a folder" : "no file"
        throw DataStoreError(.cannotOpen, "The path leads to \(what).", path: path)
    }

    /// Runs a body that opens and reads the file by itself, at the path it is given; nil if there is no
    /// file.
    ///
    /// - Throws: `.alreadyOpen` when this process has the store open: closing the file again would drop the
    ///   engine's locks on it.
    package func whileNotOpen<Result>(
        _ body: (String) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        guard let status = try file() else { return nil }
        return try OpenFileRegistry.shared.whileNotOpen(status.identity, at: path) {
            () throws(DataStoreError) in
            try body(path)
        }
    }

    /// The store's file, which is made if there is none.
    ///
    /// - Parameter make: Makes it at the path it is given; that another process is faster is well.
    /// - Throws: `.cannotOpen` if the options say that no store is made, and then no folder is made
    ///   either.
    package func fileOrNew(
        for options: FileStoreOptions, make: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> FileStatus {
        if let status = try file() { return status }
        guard !options.isReadOnly else {
            throw DataStoreError(
                .cannotOpen, "No store exists at this path.", advice: "Check the path.", path: path)
        }
        guard options.createsStore else {
            throw DataStoreError(
                .cannotOpen, "No store exists at this path.",
                advice: "Check the path, or open it with createsStore to make a new store.", path: path)
        }
        return try newFile(make)
    }

    /// Makes the store's file, and the folders above it that are missing; when it throws, no folder is left
    /// that was not there.
    ///
    /// If the path is a symbolic link, the file is made where it leads, in a folder that is there: the link of a store that
    /// was destroyed or set aside leads to the disk that the app has chosen for it.
    private func newFile(
        _ make: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> FileStatus {
        let folders = try FileAccess.makeFolders(above: path)
        do throws(DataStoreError) {
            let newPath = try FileAccess.resolved(path)
            if FileAccess.isTaken(newPath) {
                // Checked again, since another process may have made the store meanwhile.
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
        } catch {
            FileAccess.removeFolders(folders)
            throw error.about(path: path)
        }
    }

    /// The path of a new file that is not a store yet, such as a backup, in an existing folder.
    func pathOfNewFile() throws(DataStoreError) -> String {
        try requirePath()
        return try FileAccess.resolved(path)
    }
}
