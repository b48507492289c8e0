import Larder

/// Walks through all tables of a store and compares them: rows with their layout, indexes with their rows.
///
/// It works by the schema the store keeps, so that it also looks at what the app does not know.
struct StoreCheck {
    private let snapshot: any KeyValueSnapshot
    private(set) var problems: [String] = []

    /// How many problems are told; more would help nobody.
    private static let limit = 20

    init(of snapshot: any KeyValueSnapshot) {
        self.snapshot = snapshot
    }

    private var isFull: Bool { problems.count >= Self.limit }

    /// - Throws: What keeps it from reading on; what is wrong with the data goes to ``problems``.
    mutating func run() throws(DataStoreError) {
        for entity in try StoredTables.entities(in: snapshot) where !isFull {
            do throws(DataStoreError) {
                try check(try entity.open(in: snapshot))
            } catch {
                try note(error)
            }
        }
    }

    private mutating func check(_ entity: EntityTable) throws(DataStoreError) {
        let count = try checkRows(of: entity)
        for index in entity.indexes where !isFull {
            let entries = try snapshot.count(of: index.entries)
            if entries != count {
                problems.append("The index \(index.name) has \(entries) entries for \(count) items.")
            }
            guard index.schema.isUnique, !isFull else { continue }
            if let clash = try IndexClash.first(in: index, of: entity, snapshot) {
                problems.append("The items \(clash) have the same value in \(index.name), which is unique.")
            }
        }
    }

    /// Reads every row, and looks for it in every index.
    ///
    /// - Returns: How many there are.
    private mutating func checkRows(of entity: EntityTable) throws(DataStoreError) -> Int {
        let rows = try snapshot.cursor(over: entity.rows)
        defer { rows.close() }
        let cells = CellBuffer(count: entity.schema.attributes.count)
        let key = ByteBuffer()
        var entry = KeyValueEntry()
        var count = 0
        var isFound = try rows.first(&entry)
        while isFound && !isFull {
            count += 1
            try Cancellation.check("The check")
            do throws(DataStoreError) {
                cells[0] = try entity.identifier.identifier(inKey: entry.key)
                try entity.layout.decode(entry.value, into: cells.start)
                try checkEntries(of: cells, in: entity, key)
            } catch {
                try note(error)
            }
            isFound = try rows.next(&entry)
        }
        return count
    }

    private mutating func checkEntries(
        of cells: CellBuffer, in entity: EntityTable, _ key: ByteBuffer
    ) throws(DataStoreError) {
        for index in entity.indexes where !isFull {
            key.truncate()
            index.form.append(cells.start, to: key)
            if try snapshot.value(at: key.bytes, in: index.entries) == nil {
                let item = AnyItemID(cells[0], type: entity.schema.attributes[0].type)
                problems.append("The index \(index.name) lacks the item \(item?.description ?? "").")
            }
        }
    }

    /// Takes damage for a problem of the store, and throws on what is none.
    private mutating func note(_ error: DataStoreError) throws(DataStoreError) {
        guard error.code == .damaged || error.code == .invalidSchema else { throw error }
        if !isFull { problems.append(error.message) }
    }
}
