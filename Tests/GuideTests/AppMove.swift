import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer

/// Opens the app's store, which is in LMDB now; at its first start it takes the items over from SQLite.
func openStore(in folder: URL) throws -> any DataStore {
    let old = folder.appendingPathComponent("recipes.sqlite")
    let new = folder.appendingPathComponent("recipes.lmdb")
    let store = LMDBDataStore(at: new, storing: [Recipe.self, Ingredient.self])
    if try SQLiteDataStore.isStore(at: old) {  // false for the note that finalize() leaves there
        do {
            try move(old, to: new, opening: store)
        } catch DataStoreError.Code.sourceChanged {
            // An older version of the app has written to it since it was copied.
            try store.destroy()
            try move(old, to: new, opening: store)
        }
    }
    try store.setup()
    return store
}

/// May be killed at any moment, and goes on when it is called again.
func move(_ old: URL, to new: URL, opening store: any DataStore) throws {
    let transfer = StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new))
    do {
        _ = try transfer.run()
    } catch DataStoreError.Code.destinationExists {
        // It was copied before, and the app was killed after that: finalize() compares the two.
    }
    let cutOver = StoreCutOver(from: transfer.source, to: transfer.destination)
    try cutOver.probe(store, storing: [Recipe.self, Ingredient.self])
    try cutOver.finalize()  // it is recipes.sqlite.before-transfer now, and a note has its old name
}

/// Gives the version of the app that reads SQLite its store back.
func takeBack(in folder: URL) throws {
    let old = folder.appendingPathComponent("recipes.sqlite")
    let new = folder.appendingPathComponent("recipes.lmdb")
    try StoreCutOver(from: .sqlite(at: old), to: .lmdb(at: new)).rollBack()
    try LMDBDataStore(at: new, storing: []).destroy()  // all that is in it is in the old store too
}
