package import Larder

/// Items each of which has a value that no other one may have; in a child each has taken the value of the next one.
package enum ValueChain: CaseIterable, Sendable {
    /// A unique attribute.
    case unique
    /// Two attributes that are unique together, of which one changes.
    case compound
    /// A reference of a one-to-one relationship, from which an item can be freed.
    case oneToOne
    /// The same if it cannot be.
    case required

    package static let types: [any DataStoreItem.Type] = [
        Restaurant.self, Folder.self, File.self, Entry.self, Node.self, Leaf.self,
    ]

    /// Fills a store, and makes a child with the chain; the parent has given the last value to a new item since.
    package func make(_ count: Int64, in store: any DataStore) throws -> ChildDataStore {
        try store.writeSync { accessor in
            try accessor.upsert(Folder(1))
            try accessor.upsert(contentsOf: (1000...1001 + count).map { Node($0) })
            for id in 1...count { try put(id, id, accessor) }
        }
        let child = try store.makeChildDataStore()
        try child.writeSync { accessor in
            for id in (1...count).reversed() { try put(id, id + 1, accessor) }
        }
        try store.writeSync { try put(count + 1, count + 1, $0) }
        return child
    }

    private func put(_ id: Int64, _ value: Int64, _ accessor: DataStoreReadWriteAccessor) throws {
        switch self {
        case .unique: try accessor.upsert(Restaurant(id, slug: "\(value)"))
        case .compound: try accessor.upsert(File(id, "\(value)", in: 1))
        case .oneToOne: try accessor.upsert(Node(id, \.partner, 1000 + value))
        case .required: try accessor.upsert(Leaf("\(id)", of: 1000, on: 1000 + value))
        }
    }

    /// The values of the items, in the order of their identifiers.
    package func values(in store: any DataStore) throws -> [Int64] {
        switch self {
        case .unique: try store.items(Restaurant.all).compactMap { $0.slug.flatMap { Int64($0) } }
        case .compound: try store.items(File.all).compactMap { Int64($0.name) }
        case .oneToOne: try store.items(Node.all).compactMap { $0.partner.map { $0.id - 1000 } }
        case .required: try store.items(Leaf.all).map { $0.seat.id - 1000 }.sorted()
        }
    }
}
