/// The files of a store under their own names and under those they get when the store is set aside.
///
/// The main file says where the store is. It goes first and comes back last, so that whoever opens the old
/// name finds all of the store or nothing; each file is moved by a link and an unlink, and a kill between the
/// two is finished by the next call.
struct SourceFiles {
    private let path: String
    private let asidePath: String
    private let suffixes: [String]

    /// - Parameter suffix: What the name of the store ends with that was set aside.
    init(of source: StoreAddress, aside suffix: String) {
        path = source.location
        asidePath = source.location + suffix
        suffixes = source.fileSuffixes
    }

    /// Whether the main file is not, or not only, in its place.
    ///
    /// - Throws: `.cannotOpen` when it is nowhere, `.destinationExists` when there are two.
    func isAside() throws(DataStoreError) -> Bool {
        let aside = try FileAccess.status(at: asidePath)
        guard let inPlace = try FileAccess.status(at: path) else {
            if aside != nil { return true }
            throw DataStoreError(.cannotOpen, "There is no store to be set aside.", path: path)
        }
        guard let aside else { return false }
        if aside.identity == inPlace.identity { return true }
        throw DataStoreError(
            .destinationExists, "There is a store in its place, and another that was set aside before.",
            advice: "Move one of the two away.", path: asidePath)
    }

    func setAside() throws(DataStoreError) {
        for suffix in suffixes { try move(path + suffix, to: asidePath + suffix) }
        try FileAccess.synchronize(FileAccess.parts(of: path).folder)
    }

    func takeBack() throws(DataStoreError) {
        for suffix in suffixes.reversed() { try move(asidePath + suffix, to: path + suffix) }
        try FileAccess.synchronize(FileAccess.parts(of: path).folder)
    }

    private func move(_ path: String, to newPath: String) throws(DataStoreError) {
        guard let status = try FileAccess.status(at: path) else { return }
        if FileAccess.isFile(status.identity, at: newPath) { return try FileAccess.remove(path) }
        guard try FileAccess.publish(path, as: newPath) else {
            throw DataStoreError(
                .destinationExists, "There is a file in the place \(path) is to be moved to.", path: newPath)
        }
    }
}
