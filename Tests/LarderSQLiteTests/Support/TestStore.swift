import Larder
import LarderSQLite

import struct Foundation.URL
@testable import AdapterTestSupport

/// An open adapter, driven at the level of the seam as the store above it would.
final class TestStore: SeamStore, Sendable {
    let adapter: SQLiteAdapter
    let schema: StoreSchema

    init(
        at url: URL, storing types: [any DataStoreItem.Type] = [Recipe.self],
        options: SQLiteOptions = .forTests
    ) throws {
        schema = try StoreSchema(storing: types)
        adapter = SQLiteAdapter(at: url, options: options)
        try adapter.open(schema)
    }

    var seam: any StorageAdapter { adapter }

    deinit {
        try? adapter.close()
    }
}

extension SQLiteOptions {
    /// Without waiting for the disk.
    static var forTests: SQLiteOptions { SQLiteOptions(durability: .none) }
}
