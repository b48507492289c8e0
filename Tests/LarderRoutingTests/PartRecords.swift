import Larder
import LarderMemory
import Testing

/// Calls a body with a write transaction in a closed part, and the number of the library's own records in it.
///
/// Changes that the body does not commit are undone.
func withRecords<Result>(
    of storage: MemoryStorage, _ body: (any StorageWriting, Int) throws -> Result
) throws -> Result {
    let adapter = MemoryDataStore(storing: [], in: storage).coordinator.adapter
    let schema = try StoreSchema(of: try #require(try adapter.storedSchema()))
    let records = try #require(schema.entities.firstIndex { $0.name == "larder.part" })
    try adapter.open(schema)
    defer { try? adapter.close() }
    let writing = try adapter.beginWriting()
    defer { writing.end() }
    return try body(writing, records)
}
