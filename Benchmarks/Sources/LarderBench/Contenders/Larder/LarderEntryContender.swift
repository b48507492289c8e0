import Larder

/// Larder with entries, on any of its engines: imports by a map, merges of a child store.
final class LarderEntryContender: EntryContender {
    private let store: any DataStore
    private var child: (any DataStore)?

    init(_ makeStore: ([any DataStoreItem.Type]) -> any DataStore) throws {
        store = makeStore([ImportedEntry.self])
        try store.setup()
    }

    func close() throws {
        child = nil
        try store.tearDown()
    }

    func insert(_ entries: [ImportedEntry]) throws {
        try store.writeSync { accessor in try accessor.insert(contentsOf: entries) }
    }

    func importEntries(_ entries: [ImportedEntry]) throws {
        try store.writeSync { accessor in
            _ = try accessor.importItems(from: entries, using: ImportedEntry.map)
        }
    }

    func stageNew(_ entries: [ImportedEntry]) throws {
        let made: any DataStore = try store.makeChildDataStore()
        try made.writeSync { accessor in try accessor.insert(contentsOf: entries) }
        child = made
    }

    func stageValues(of entries: [ImportedEntry]) throws {
        let made: any DataStore = try store.makeChildDataStore()
        let ids: [Int64] = entries.map { $0.id }
        try made.writeSync { accessor in
            let handles = try accessor.mutableItems(ids: ids, of: ImportedEntry.self)
            for (handle, entry) in zip(handles, entries) {
                guard let handle else { continue }
                handle.amount = entry.amount
            }
        }
        child = made
    }

    func mergeStaged() throws {
        guard let child else { return }
        try store.merge(child)
    }

    func entries() throws -> [ImportedEntry] {
        try store.read { accessor in try accessor.items(for: ImportedEntry.all) }
    }
}
