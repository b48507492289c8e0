import Larder
import LarderTransfer

extension UntypedStore {
    /// Reads the store in a file; the file shows its engine.
    ///
    /// - Parameters:
    ///   - acceptsIncomplete: True if it may be an unfinished copy.
    ///   - isQuick: True if its structure is trusted and not checked first.
    static func reading<Result>(
        _ path: String, _ reading: ReadingOptions? = nil, acceptsIncomplete: Bool = false,
        isQuick: Bool = false, _ body: (UntypedStore, UntypedReader) throws -> Result
    ) throws -> Result {
        let engine = try StoreEngine(ofStoreAt: path)
        let store = try ReadingOptions.opening {
            try UntypedStore(
                reading: engine.address(of: path, reading), acceptsIncomplete: acceptsIncomplete,
                verifiesStructure: !isQuick)
        }
        defer { try? store.close() }
        return try store.read { try body(store, $0) }
    }
}

extension Session {
    /// Notes that a store is an unfinished copy, which no app can open.
    func noteUnfinished(_ store: UntypedStore) throws {
        guard let error = store.unfinishedTransfer else { return }
        try note("larder: \(store.address.location): \(error.message) \(error.advice)")
    }
}

extension UntypedReader {
    /// The number of items of all types.
    func countAll() throws -> Int {
        try entities.reduce(0) { try $0 + count(for: UntypedRequest($1.name)) }
    }

    /// The item type that is stored under a name.
    ///
    /// - Throws: `.unknownItemType`.
    func entity(named name: String) throws -> EntitySchema {
        if let entity = entities.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return entity }
        // The library's own error is the best.
        _ = try count(for: UntypedRequest(name))
        throw DataStoreError(.unknownItemType, "The store has no item type \"\(name)\".", itemType: name)
    }
}
