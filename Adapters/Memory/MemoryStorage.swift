import LarderKernel

/// The memory in which a ``MemoryAdapter`` keeps its data; it is what a file is to other engines.
///
///     let storage = MemoryStorage()
///     let adapter = MemoryAdapter(in: storage)       // sees what earlier adapters left there
///
/// Each storage is its own; nothing is shared by name. *Rule:* may be used from any thread, but only one
/// adapter may be open on it at a time. The data live as long as the storage, or until `destroy()`.
public final class MemoryStorage: Sendable {
    private struct Contents {
        var tables = MemoryTables()
        var isOpen = false
        var isWriting = false
    }

    private let contents = Locked(Contents())

    /// Storage that holds nothing.
    public init() {}

    /// The last committed state.
    var tables: MemoryTables {
        contents.withLock { $0.tables }
    }

    /// - Throws: `.alreadyOpen`.
    func open() throws(DataStoreError) {
        try contents.withLock { contents throws(DataStoreError) in
            guard !contents.isOpen else {
                throw DataStoreError(.alreadyOpen, "Another adapter is open on this MemoryStorage.")
            }
            contents.isOpen = true
        }
    }

    func close() {
        contents.withLock { $0.isOpen = false }
    }

    func removeAll() {
        let removed = contents.withLock { contents in
            defer { contents.tables = MemoryTables() }
            return contents.tables
        }
        // The nodes are freed here, outside of the lock.
        withExtendedLifetime(removed) {}
    }

    /// - Throws: `.nestedTransaction` when there is a writer already.
    func beginWriting() throws(DataStoreError) -> MemoryTables {
        try contents.withLock { contents throws(DataStoreError) in
            guard !contents.isWriting else {
                throw DataStoreError(.nestedTransaction, "A write transaction has not ended yet.")
            }
            contents.isWriting = true
            return contents.tables
        }
    }

    /// Ends the writing, and keeps its result unless there is none.
    func endWriting(_ tables: MemoryTables?) {
        let replaced = contents.withLock { contents in
            contents.isWriting = false
            guard var tables else { return MemoryTables?.none }
            let replaced = contents.tables
            tables.commitNumber = replaced.commitNumber + 1
            contents.tables = tables
            return replaced
        }
        // As above.
        withExtendedLifetime(replaced) {}
    }

    /// The defects of the committed state, for tests; empty if there are none.
    package func checkInvariants() -> [String] {
        tables.checkInvariants()
    }
}
