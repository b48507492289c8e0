import Larder

extension StoreEngine {
    /// The engine of a store that is to be made, or that was begun by an earlier run.
    ///
    /// - Throws: `.cannotCreate` when something else is in the place, `.usage` when nothing tells the engine.
    init(ofDestinationAt path: String, asked: StoreEngine?) throws {
        guard StoreFiles.exists(path) else {
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
            .cannotCreate, "There is a store of another engine in this place already.",
            advice: "Give another path, or leave --engine out; nothing was changed.", path: path)
    }
}
