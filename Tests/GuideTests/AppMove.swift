import Foundation
import Larder
import LarderLMDB
import LarderSQLite

/// Opens the app's store, which is in LMDB now; at its first start it takes the items over from SQLite.
func openStore(in folder: URL) throws -> any DataStore {
    let old = folder.appendingPathComponent("recipes.sqlite")
    let new = folder.appendingPathComponent("recipes.lmdb")
    let types: [any DataStoreItem.Type] = [Recipe.self, Ingredient.self]
    if FileManager.default.fileExists(atPath: old.path) {
        let transfer = StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new))
        do {
            _ = try transfer.run()  // where an earlier start was killed, it goes on
        } catch DataStoreError.Code.destinationExists {
            // An earlier start was killed behind the copy; finalize() compares it with the source.
        }
        let cutOver = StoreCutOver(from: transfer.source, to: transfer.destination)
        try cutOver.probe(LMDBDataStore(at: new, storing: types), storing: types)
        try cutOver.finalize()  // recipes.sqlite is called recipes.sqlite.before-transfer now
    }
    let store = LMDBDataStore(at: new, storing: types)
    try store.setup()
    return store
}

/// For the version of the app that reads SQLite; where the store is now.
func takeBack(in folder: URL) throws -> URL {
    let old = folder.appendingPathComponent("recipes.sqlite")
    let new = folder.appendingPathComponent("recipes.lmdb")
    do {
        try StoreCutOver(from: .sqlite(at: old), to: .lmdb(at: new)).rollBack()
        return old
    } catch DataStoreError.Code.destinationChanged {
        let latest = folder.appendingPathComponent("recipes.latest.sqlite")
        _ = try StoreTransfer(from: .lmdb(at: new), to: .sqlite(at: latest)).run()
        return latest
    }
}
