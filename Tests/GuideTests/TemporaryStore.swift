import Foundation
import Larder
import LarderSQLite

func temporaryStore(in folder: URL, storing types: [any DataStoreItem.Type]) throws -> any DataStore {
    let store = SQLiteDataStore(
        at: folder.appendingPathComponent("test.larder"), storing: types,
        options: SQLiteOptions(durability: .none))
    try store.setup()  // makes the folder too
    return store
}
