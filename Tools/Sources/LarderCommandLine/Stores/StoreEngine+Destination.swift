import Larder

extension StoreEngine {
    /// The engine of a store to create, or of one that an earlier run began.
    ///
    /// - Throws: `.cannotCreate` when another file is in the place, `.usage` when the engine cannot be
    ///   determined.
    init(ofDestinationAt path: String, asked: StoreEngine?) throws {
        guard !ServerAddress.isOne(path), try StoreFiles.exists(path) else {
            self = try StoreEngine(ofNewStoreAt: path, asked: asked)
            return
        }
        if StoreFiles.isFolder(path) { throw StoreFiles.taken(path) }
        do {
            self = try StoreEngine(ofStoreAt: path)
        } catch let failure as CommandFailure where failure.status == .badData {
            throw StoreFiles.taken(path)
        } catch DataStoreError.Code.storeMoved {
            throw StoreFiles.taken(path)
        }
        guard let asked, asked != self else { return }
        throw CommandFailure(
            .cannotCreate, "A store of another engine already exists at this path.",
            advice: "Choose another path, or omit --engine; nothing was changed.", path: path)
    }
}
