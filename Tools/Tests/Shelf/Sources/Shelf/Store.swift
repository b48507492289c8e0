import Foundation
import Larder
import LarderSQLite

/// Opens the store in a folder; it is made if there is none.
func openStore(in folder: URL) throws -> any DataStore {
    let file = folder.appendingPathComponent("Shelf.sqlite")
    let store: any DataStore = SQLiteDataStore(at: file, storing: itemTypes)
    try store.setup()
    return store
}
