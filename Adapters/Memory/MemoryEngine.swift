public import LarderKernel
public import LarderKeyValue

/// A store in memory, for tests, previews and data that need not outlive the process.
///
///     let adapter = MemoryAdapter(in: MemoryStorage())
public typealias MemoryAdapter = KeyValueAdapter<MemoryEngine>

extension KeyValueAdapter where Engine == MemoryEngine {
    /// An adapter on this storage, or on one of its own.
    public convenience init(in storage: MemoryStorage = MemoryStorage()) {
        self.init(MemoryEngine(in: storage))
    }
}

/// The ordered key-value engine whose tables are copy-on-write maps.
///
/// Beginning a snapshot, a transaction or a savepoint takes the present maps and copies nothing; neither
/// waits for the other longer than it takes to copy one reference.
public final class MemoryEngine: OrderedKeyValueEngine {
    private let storage: MemoryStorage
    private let isOpen = Locked(false)

    public init(in storage: MemoryStorage) {
        self.storage = storage
    }

    public var location: String { "memory" }

    public func isStored() throws(DataStoreError) -> Bool { !storage.tables.isEmpty }

    public func open() throws(DataStoreError) {
        try storage.open()
        isOpen.withLock { $0 = true }
    }

    public func close() throws(DataStoreError) {
        if isOpen.exchange(false) { storage.close() }
    }

    public func destroy() throws(DataStoreError) {
        // Takes the storage, so that it is not emptied under another adapter.
        if !isOpen.withLock({ $0 }) { try open() }
        storage.removeAll()
        try close()
    }

    public func beginReading() throws(DataStoreError) -> any KeyValueSnapshot {
        MemorySnapshot(storage.tables, of: storage)
    }

    public func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        MemoryTransaction(try storage.beginWriting(), of: storage)
    }
}
