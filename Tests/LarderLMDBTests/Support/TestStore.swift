import Larder
import LarderKeyValue
import LarderLMDB

import struct Foundation.URL
@testable import AdapterTestSupport

/// An open adapter, driven at the level of the seam as the store above it would.
final class TestStore: SeamStore, Sendable {
    let store: LMDBDataStore
    let schema: StoreSchema

    init(
        at url: URL, storing types: [any DataStoreItem.Type] = [Recipe.self],
        options: LMDBOptions = .forTests
    ) throws {
        schema = try StoreSchema(storing: types)
        store = LMDBDataStore(at: url, storing: types, options: options)
        try adapter.open(schema)
    }

    func open() throws { try adapter.open(schema) }

    func close() throws { try adapter.close() }

    func destroy() throws { try adapter.destroy() }

    var adapter: KeyValueAdapter<LMDBEngine> { store.adapter }
    var engine: LMDBEngine { store.engine }

    var seam: any StorageAdapter { adapter }

    deinit {
        try? adapter.close()
    }
}

extension LMDBOptions {
    /// Without waiting for the disk.
    static var forTests: LMDBOptions { LMDBOptions(durability: .none) }
}
