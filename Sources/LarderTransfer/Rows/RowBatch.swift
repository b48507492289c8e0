import LarderKernel

/// Rows of one item type, or changes of rows, that are written to a store in one commit.
///
/// *Rule:* used by one thread at a time. *Cost:* keeps a copy of every row until they are written.
final class RowBatch {
    private let entity: EntitySchema
    private let number: Int
    private let limit: Int
    private let arena = RowArena()
    private var mutations: [RowMutation] = []
    private var byteCount = 0

    /// Large rows end a batch early, so that memory stays bounded.
    private static let maximumBytes = 4 << 20

    /// - Parameter number: The number of the item type in the store's schema.
    init(of number: Int, _ entity: EntitySchema, limit: Int) {
        self.number = number
        self.entity = entity
        self.limit = max(1, limit)
    }

    var count: Int { mutations.count }

    var isFull: Bool { mutations.count >= limit || byteCount >= Self.maximumBytes }

    /// Adds a row to insert.
    func insert(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        try add(.insert, cells, count: entity.attributes.count)
    }

    /// Adds a row to delete; only the identifier is read.
    func delete(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        try add(.delete, cells, count: 1)
    }

    /// Adds that all rows there are go.
    func deleteAll() throws(DataStoreError) {
        mutations.append(RowMutation(.deleteAll, entity: number, cells: try arena.makeCells(0)))
    }

    /// Writes what was added, in one transaction, and is empty afterwards.
    func commit(to adapter: any StorageAdapter) throws(DataStoreError) {
        guard !mutations.isEmpty else { return }
        let writing = try adapter.beginWriting()
        defer { writing.end() }
        do {
            try writing.apply(mutations)
            try writing.commit()
        } catch {
            throw error.about(itemType: entity.name)
        }
        mutations.removeAll(keepingCapacity: true)
        arena.reset()
        byteCount = 0
    }

    private func add(
        _ kind: RowMutation.Kind, _ cells: UnsafePointer<Cell>, count: Int
    ) throws(DataStoreError) {
        let copies = try arena.makeCells(count)
        for column in 0..<count {
            copies[column] = try arena.copy(cells[column])
            byteCount += MemoryLayout<Cell>.stride + Int(cells[column].length)
        }
        // Other Unicode tables may have folded the texts of a source, and lines have no folded texts.
        if kind == .insert { try entity.fold(copies, in: arena) }
        mutations.append(RowMutation(kind, entity: number, cells: copies))
    }
}
