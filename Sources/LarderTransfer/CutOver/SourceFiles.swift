import LarderKernel
import LarderFiles

/// The files of a store under their own names and under those they get when the store is set aside.
///
/// There is never a moment without something under the old name: the store's main file gets its second name
/// by a link, and a ``StoreTombstone`` then replaces it under the first one in a single step. On the way back
/// the main file replaces the tombstone in the same way, after the files that belong to it. Each of them is
/// moved by a link and an unlink. A kill between any two steps is finished, or taken back, by the next call.
struct SourceFiles {
    /// Without links, so that the files of an engine are beside it.
    private let path: String
    private let suffixes: [String]
    private let addName: (_ newPath: String, _ path: String) throws(DataStoreError) -> Bool

    /// The path of the main file when the store is set aside.
    let asidePath: String

    /// The state of the store's files.
    enum State {
        /// Under its own name.
        case inPlace
        /// Set aside; nil if the tombstone was deleted.
        case aside(StoreTombstone?)
        /// Nowhere: it was deleted after it had been set aside.
        case deleted(StoreTombstone)
    }

    /// - Parameters:
    ///   - suffix: The end of the name under which the store is set aside.
    ///   - addName: Gives the main file its second name, as `FileAccess` does; for tests.
    init(
        of source: StoreAddress, aside suffix: String,
        addName: @escaping (_ newPath: String, _ path: String) throws(DataStoreError) -> Bool =
            FileAccess.addName(_:to:)
    ) throws(DataStoreError) {
        self.addName = addName
        path = try FileAccess.resolved(source.location)
        asidePath = path + suffix
        suffixes = source.fileSuffixes
    }

    /// The state of the store's files.
    ///
    /// - Throws: `.cannotOpen` when it is nowhere, `.destinationExists` when there are two.
    func state() throws(DataStoreError) -> State {
        let aside = try status(asidePath)
        guard let inPlace = try FileAccess.status(at: path) else {
            if aside != nil { return .aside(nil) }
            throw DataStoreError(.cannotOpen, "No store exists at this path.", path: path)
        }
        if let tombstone = try StoreTombstone.read(at: path) {
            return aside == nil ? .deleted(tombstone) : .aside(tombstone)
        }
        if let aside, aside.identity != inPlace.identity {
            throw DataStoreError(
                .destinationExists, "A store exists in its place, and another was set aside before.",
                advice: "Move one of the two away.", path: asidePath)
        }
        return .inPlace
    }

    /// Sets the store aside, or finishes that; opens no file of the store.
    ///
    /// - Parameter state: The present state.
    func setAside(_ state: State, leaving tombstone: StoreTombstone) throws(DataStoreError) {
        switch state {
        case .inPlace:
            try requireFreeNames()
            try replaceMainFile(by: tombstone)
        case .aside(nil):
            let isMade = try NewFile(at: path).make { (file) throws(DataStoreError) in
                try write(tombstone, to: file)
            }
            if !isMade { throw taken(path) }
        case .aside: break
        case .deleted: return
        }
        for suffix in suffixes.dropFirst() { try move(path + suffix, to: asidePath + suffix) }
        try FileAccess.synchronize(FileAccess.parts(of: path).folder)
    }

    /// Gives the store its name back, or finishes that.
    func takeBack() throws(DataStoreError) {
        switch try state() {
        // Other files under the names belong to another store, such as a log that one has left.
        case .inPlace: if FileAccess.isTaken(asidePath) { try FileAccess.remove(asidePath) }
        case .aside(nil):
            try moveBackCompanions()
            try move(asidePath, to: path)
        case .aside:
            try moveBackCompanions()
            try FileAccess.replace(path, by: asidePath)
        case .deleted: throw deleted
        }
        try FileAccess.synchronize(FileAccess.parts(of: path).folder)
    }

    private func moveBackCompanions() throws(DataStoreError) {
        for suffix in suffixes.dropFirst().reversed() { try move(asidePath + suffix, to: path + suffix) }
    }

    /// Refuses to set the store aside under names that its folder cannot hold, or beside files of another store, which an
    /// engine would take for its own.
    private func requireFreeNames() throws(DataStoreError) {
        let (folder, name) = FileAccess.parts(of: asidePath)
        let longestSuffix = suffixes.map(\.utf8.count).max() ?? 0
        let excess = name.utf8.count + longestSuffix - SiblingNames.longest(in: folder)
        if excess > 0 {
            let limit = FileAccess.parts(of: path).name.utf8.count - excess
            throw DataStoreError(
                .cannotOpen, "The name of the store is too long for the one under which it is set aside.",
                advice: "Choose a name of at most \(limit) bytes, and repeat the call; nothing was moved.",
                path: path)
        }
        for suffix in suffixes.dropFirst() where FileAccess.isTaken(asidePath + suffix) {
            throw taken(asidePath + suffix)
        }
    }

    /// The error for a store that was deleted after it had been set aside.
    var deleted: DataStoreError {
        DataStoreError(
            .cannotOpen, "The store that was set aside no longer exists.",
            advice: "Put it back under this name, or keep using the copy.", path: asidePath)
    }

    /// The tombstone is finished beside its place before the main file gets its second name.
    ///
    /// Without hard links, the main file loses its first name then, and the tombstone takes its permissions from it before.
    private func replaceMainFile(by tombstone: StoreTombstone) throws(DataStoreError) {
        try NewFile(at: path).replace { (file) throws(DataStoreError) in
            try write(tombstone, to: file)
        } moving: { (file) throws(DataStoreError) in
            try linkMainFile()
            try FileAccess.move(file, to: path)
        }
    }

    private func linkMainFile() throws(DataStoreError) {
        guard try FileAccess.status(at: asidePath) == nil else { return }
        guard try addName(asidePath, path) else { throw taken(asidePath) }
    }

    private func write(_ tombstone: StoreTombstone, to file: String) throws(DataStoreError) {
        try FileAccess.write(try tombstone.encoded(in: FileAccess.parts(of: path).folder), to: file)
    }

    /// The file at a path; nil if there is none, or if no file can have so long a name.
    private func status(_ path: String) throws(DataStoreError) -> FileStatus? {
        FileAccess.isTaken(path) ? try FileAccess.status(at: path) : nil
    }

    private func move(_ path: String, to newPath: String) throws(DataStoreError) {
        guard let status = try status(path) else { return }
        if FileAccess.isFile(status.identity, at: newPath) { return try FileAccess.remove(path) }
        guard try FileAccess.publish(path, as: newPath) else { throw taken(newPath) }
    }

    private func taken(_ path: String) -> DataStoreError {
        DataStoreError(
            .destinationExists, "A file already exists where a file of the store should be moved.",
            advice: "Move that file away, and repeat the call.", path: path)
    }
}
