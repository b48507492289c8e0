import Larder
import LarderMemory
import LarderRouting

/// An adapter that gives its memory to another store for a time, as if that were another process.
final class SharedPlace: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let schema = Locked<StoreSchema?>(nil)
    private let begun = Locked(0)

    /// The number of write transactions that have begun.
    var writings: Int { begun.withLock { $0 } }

    init(_ adapter: any StorageAdapter) { wrappedAdapter = adapter }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try wrappedAdapter.open(schema, by: plan)
        self.schema.withLock { $0 = schema }
    }

    func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
        begun.withLock { $0 += 1 }
        return writing
    }

    func leave() throws { try wrappedAdapter.close() }

    func comeBack() throws {
        if let schema = schema.withLock({ $0 }) { try wrappedAdapter.open(schema) }
    }
}

extension StorePart {
    /// A part that gives its memory away, whose place is added to a list.
    static func shared(
        _ name: String, _ types: [any DataStoreItem.Type], in storage: MemoryStorage,
        noting places: inout [SharedPlace]
    ) -> StorePart {
        let store = DecoratedStore(MemoryDataStore(storing: types, in: storage)) { adapter in
            let place = SharedPlace(adapter)
            places.append(place)
            return place
        }
        return StorePart(name, store)
    }
}

extension RoutedDataStore {
    /// A store of cooks and dishes whose parts give their memory away, and the places of its parts.
    static func shared(
        cooks: MemoryStorage, dishes: MemoryStorage
    ) -> (store: RoutedDataStore, places: [SharedPlace]) {
        var places: [SharedPlace] = []
        let parts = [
            StorePart.shared("cooks", [Cook.self], in: cooks, noting: &places),
            StorePart.shared("dishes", [Dish.self], in: dishes, noting: &places),
        ]
        return (RoutedDataStore(parts), places)
    }
}
