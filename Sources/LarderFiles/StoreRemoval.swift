package import LarderKernel

/// Deletes a store that is not open, or sets it aside: its file and the ones beside it.
package struct StoreRemoval {
    private let place: StorePlace
    private let isReadOnly: Bool
    private let engine: FileEngine
    private let addLink: (_ newPath: String, _ path: String) throws(DataStoreError) -> Bool?

    /// - Parameters:
    ///   - options: The files of the store; one that is only read is not deleted.
    ///   - addLink: As ``FileAccess/makeLink(_:to:)``.
    package init(
        of engine: FileEngine, at place: StorePlace, _ options: FileStoreOptions,
        addLink: @escaping (_ newPath: String, _ path: String) throws(DataStoreError) -> Bool? = FileAccess
            .makeLink
    ) {
        self.engine = engine
        self.place = place
        isReadOnly = options.isReadOnly
        self.addLink = addLink
    }

    private var suffixes: [String] { engine.companionSuffixes }

    /// - Throws: `.readOnly`.
    package func requireAllowed() throws(DataStoreError) {
        if isReadOnly { throw DataStoreError.readOnly(destroying: place.path) }
    }

    /// Deletes the files, and an old log that an opening has left in a folder.
    package func run() throws(DataStoreError) {
        try requireAllowed()
        // Before the file goes, to which a symbolic link may lead.
        let path = try? FileAccess.resolved(place.path)
        try withFiles { (path) throws(DataStoreError) in
            // By the file in its place they are known from finished backups, which stay.
            if let status = try FileAccess.status(at: path) {
                try StoreFile(at: path, status, of: engine).removeNamesOfKilledProcesses(keepsLogs: false)
            }
            try remove(path)
        }
        guard let path else { return }
        discardRemains(of: path)
        try UnfinishedSetAside.discardLogs(of: path, engine.logSuffixes)
    }

    /// Moves the files into a new folder beside them; returns the path of the store's file there, or nil if
    /// nothing was moved.
    ///
    /// A kill leaves the store whole in its place, in the folder, or in both, or the file in its place without its log: the
    /// next opening for writing gives it the log back, and no other one is allowed. *Cost:* if the file system has no hard
    /// links, the files are copied, and after a kill a file without its log is taken for a whole one.
    ///
    /// - Parameter isNeeded: Called while other processes that set a store of the same folder aside wait.
    package func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? {
        try requireAllowed()
        let path = try FileAccess.resolved(place.path)
        return try FileAccess.whileLocked(FileAccess.parts(of: path).folder) { () throws(DataStoreError) in
            // An opening in the closure would wait for this lock. The process that had it may have been killed.
            if let identity = try place.file()?.identity {
                try UnfinishedSetAside.returnLogWhileLocked(to: path, identity, logs: engine.logSuffixes)
            }
            guard try isNeeded() else { return nil }
            return try withFiles { (path) throws(DataStoreError) in
                let (folder, name) = FileAccess.parts(of: path)
                let newFolder = try FileAccess.makeNumberedFolder(beside: path, UnfinishedSetAside.kind)
                let newPath = newFolder + "/" + name
                try addNames(newPath, to: path, in: newFolder)
                try FileAccess.synchronize(newFolder)
                try FileAccess.synchronize(folder)
                try remove(path)
                discardRemains(of: path)
                return newPath
            }
        }
    }

    /// Makes each of the files a second time in a folder, by a second name or as a copy; if that fails, the folder
    /// is removed.
    ///
    /// No file goes from its place before: a store without its log would lack its last commits.
    private func addNames(_ newPath: String, to path: String, in newFolder: String) throws(DataStoreError) {
        do throws(DataStoreError) {
            for suffix in suffixes + [""] where FileAccess.isTaken(path + suffix) {
                // In a folder that is new no name is taken.
                if try addLink(newPath + suffix, path + suffix) != nil { continue }
                try FileAccess.duplicate(path + suffix, to: newPath + suffix)
            }
        } catch {
            for suffix in suffixes + [""] { try? FileAccess.remove(newPath + suffix) }
            FileAccess.removeFolders([newFolder])
            throw error
        }
    }

    private func remove(_ path: String) throws(DataStoreError) {
        for suffix in suffixes + [""] { try FileAccess.remove(path + suffix) }
        try FileAccess.synchronize(FileAccess.parts(of: path).folder)
    }

    /// Removes what killed upgrades and makings of the store have left: whole copies of it, or a second name of its file.
    private func discardRemains(of path: String) {
        UpgradeCopy.discardAll(of: path, companionSuffixes: suffixes)
        NewFile(at: path, companionSuffixes: suffixes).removeAbandoned()
    }

    /// Runs a body on the path of the store's file, which is not open and ours; nil if there is none.
    private func withFiles<Result>(
        _ body: (String) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        guard let status = try place.file() else { return nil }
        let path = try FileAccess.resolved(place.path)
        do throws(DataStoreError) {
            return try OpenFileRegistry.shared.whileNotOpen(status.identity, at: place.path) {
                () throws(DataStoreError) in
                try requireOurs(path)
                return try body(path)
            }
        } catch {
            throw error.about(path: place.path)
        }
    }

    /// A damaged store, or one of a newer version, may go; a foreign file may not.
    private func requireOurs(_ path: String) throws(DataStoreError) {
        try StoreTombstone.requireNone(at: path)
        do throws(DataStoreError) {
            try engine.look(path)
        } catch {
            if error.code != .damaged && error.code != .newerFormat { throw error }
        }
    }
}
