import LarderKeyValue

/// All tables of one state of a store.
///
/// A value: copies are O(1), and what changes in one no other sees.
struct MemoryTables: @unchecked Sendable {
    // reason: the nodes of the maps are classes, but each change makes sure that no other map shares the node
    // (`Node.unshare`), so that maps are values, and two threads never meet in a node that changes.
    private var tables: [Table] = []
    /// The number of the commit that made this state.
    var commitNumber: UInt64 = 0

    private struct Table {
        /// nil for a table that was removed; its number is not used again.
        var name: String?
        var map: OrderedMap
    }

    var isEmpty: Bool { tables.isEmpty }

    /// The table of this name, or nil.
    func table(named name: String, _ keys: KeyKind) -> KeyValueTable? {
        let number = tables.firstIndex { $0.name == name && $0.map.keys == keys }
        return number.map { KeyValueTable(number: $0, keys: keys) }
    }

    mutating func makeTable(named name: String, _ keys: KeyKind) -> KeyValueTable {
        if let table = table(named: name, keys) { return table }
        tables.append(Table(name: name, map: OrderedMap(keys: keys)))
        return KeyValueTable(number: tables.count - 1, keys: keys)
    }

    mutating func removeTable(_ table: KeyValueTable) {
        tables[table.number].name = nil
        tables[table.number].map.removeAll()
    }

    func value(at key: UnsafeRawBufferPointer, in table: KeyValueTable) -> UnsafeRawBufferPointer? {
        tables[table.number].map.value(at: key)
    }

    func count(of table: KeyValueTable) -> Int {
        tables[table.number].map.count
    }

    func cursor(over table: KeyValueTable) -> MemoryCursor {
        MemoryCursor(over: tables[table.number].map)
    }

    mutating func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        overwrites: Bool
    ) -> Bool {
        tables[table.number].map.put(value, at: key, overwrites: overwrites)
    }

    mutating func remove(_ key: UnsafeRawBufferPointer, in table: KeyValueTable) -> Bool {
        tables[table.number].map.remove(key)
    }

    mutating func clear(_ table: KeyValueTable) {
        tables[table.number].map.removeAll()
    }

    /// The defects of the maps, for tests; empty if there are none.
    func checkInvariants() -> [String] {
        tables.flatMap { table in
            table.map.checkInvariants().map { "\(table.name ?? "removed"): \($0)" }
        }
    }
}
