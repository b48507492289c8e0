import Larder

/// The change sets of some blocks, as text, up to tearing the store down, which is open again then.
func changeSets(
    _ store: any DataStore, _ blocks: [(DataStoreReadWriteAccessor) throws -> Void]
) async throws -> [[String]] {
    let changes = store.changes
    for block in blocks { try write(to: store, block) }
    try store.tearDown()
    var sets: [[String]] = []
    for await set in changes { sets.append(set.changes.map(\.text)) }
    try store.setup()
    return sets
}

/// A `writeSync` that async code may call.
func write(
    to store: any DataStore, origin: WriteOrigin? = nil, _ block: (DataStoreReadWriteAccessor) throws -> Void
) throws {
    try store.writeSync(origin: origin, block)
}

extension ChangeSet.Change {
    /// The change in words: `Restaurant 1 updated name note`.
    var text: String {
        let kind =
            switch kind {
            case .inserted: "inserted"
            case .updated(let attributes): "updated " + attributes.sorted().joined(separator: " ")
            case .deleted: "deleted"
            }
        return "\(itemType) \(identifier.number) \(kind)"
    }
}

extension AnyItemID {
    /// The number of an identifier that is one.
    fileprivate var number: String {
        switch self {
        case .integer(let value), .itemID(let value): "\(value)"
        case .uuid, .string: "\(self)"
        }
    }
}
