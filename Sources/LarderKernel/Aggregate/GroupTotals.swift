/// Groups of rows, each with what is computed of it, while the rows are read.
///
/// *Cost:* memory for each group; a row of a known group allocates nothing.
package final class GroupTotals {
    private let keys: [Value]
    private let terms: [TermTotals]
    private var table: GroupTable
    package private(set) var count: Int

    /// A value in the cells of a row.
    package struct Value {
        let position: Int
        let storage: AttributeType.Storage
        /// The type and attribute of the value, for errors.
        let itemType: String
        let attribute: String

        /// - Parameter position: The value's position in a row.
        package init(
            position: Int, storage: AttributeType.Storage, itemType: String, attribute: String
        ) {
            self.position = position
            self.storage = storage
            self.itemType = itemType
            self.attribute = attribute
        }
    }

    /// - Throws: `.invalidRequest` for a function that its values do not have.
    package init(keys: [Value], terms: [(AggregateFunction, Value)]) throws(DataStoreError) {
        self.keys = keys
        table = GroupTable(keys)
        var totals: [TermTotals] = []
        for (function, value) in terms { totals.append(try TermTotals(function, of: value)) }
        self.terms = totals
        count = 0
        // Without keys, there is one group, even of no rows.
        if keys.isEmpty { addGroup() }
    }

    private func addGroup() {
        count += 1
        for term in terms { term.addGroup() }
    }

    /// Adds a row.
    @inline(__always)
    package func add(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        let group = keys.isEmpty ? 0 : group(of: cells)
        for position in terms.indices {
            try terms[position].add(cells[terms[position].value.position], to: group)
        }
    }

    /// Adds the values of several rows to the only group of totals without keys.
    ///
    /// - Parameter term: The number of the aggregate; each is given the same rows.
    package func add(_ cells: UnsafeBufferPointer<Cell>, toTerm term: Int) throws(DataStoreError) {
        try terms[term].addAll(cells)
    }

    /// Adds the values of all rows of a cursor.
    package func add(allOf cursor: any RowCursor, width: Int) throws(DataStoreError) {
        let row = CellBuffer(count: width)
        while try cursor.next(into: row.start) { try add(row.start) }
    }

    private func group(of cells: UnsafePointer<Cell>) -> Int {
        let group = table.group(of: cells)
        if group == count { addGroup() }
        return group
    }

    /// The groups, in the order in which their first rows were added.
    ///
    /// - Throws: `.overflow`.
    package func rows() throws(DataStoreError) -> GroupRows {
        var rows = GroupRows(width: keys.count + terms.count)
        for group in 0..<count {
            for number in keys.indices { rows.append(table.key(number, of: group)) }
            for term in terms { rows.append(try term.result(of: group)) }
        }
        return rows
    }
}

/// The numbers of groups, by their keys.
struct GroupTable {
    private let values: [GroupTotals.Value]
    /// The keys of all groups, one after the other.
    private var keys: [Constant] = []
    private var hashes: [Int] = []
    /// The group in each slot, or -1; a power of two, at most half full.
    private var slots: [Int32] = Array(repeating: -1, count: 8)
    /// The group of the row before, which the next row often has too.
    private var last = -1

    init(_ values: [GroupTotals.Value]) {
        self.values = values
    }

    func key(_ number: Int, of group: Int) -> Constant { keys[group * values.count + number] }

    /// The number of the group of a row; a new one for keys that are new.
    mutating func group(of cells: UnsafePointer<Cell>) -> Int {
        if last >= 0, matches(last, cells) { return last }
        let hash = hash(of: cells)
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let group = Int(slots[slot])
            if hashes[group] == hash, matches(group, cells) {
                last = group
                return group
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let group = hashes.count
        slots[slot] = Int32(truncatingIfNeeded: group)
        hashes.append(hash)
        for value in values { keys.append(Constant(cells[value.position], storage: value.storage)) }
        if hashes.count * 2 > slots.count { grow() }
        last = group
        return group
    }

    private func matches(_ group: Int, _ cells: UnsafePointer<Cell>) -> Bool {
        let start = group * values.count
        for number in values.indices {
            let cell = cells[values[number].position]
            if !keys[start + number].isSame(as: cell) { return false }
        }
        return true
    }

    private func hash(of cells: UnsafePointer<Cell>) -> Int {
        var hasher = Hasher()
        for value in values {
            let cell = cells[value.position]
            switch cell.kind {
            case .null: hasher.combine(0)
            case .integer, .real: hasher.combine(cell.bits)
            case .text, .blob: hasher.combine(bytes: cell.bytes)
            }
        }
        return hasher.finalize()
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (group, hash) in hashes.enumerated() {
            var slot = hash & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: group)
        }
    }
}

extension Constant {
    /// True if a cell of the same column holds this value.
    @inline(__always)
    package func isSame(as cell: Cell) -> Bool {
        switch self {
        case .null: cell.isNull
        case .integer(let value): cell.kind == .integer && cell.integer == value
        case .unsigned(let value): cell.kind == .integer && cell.bits == value
        case .real(let value): cell.kind == .real && cell.bits == value.bitPattern
        case .text, .decimal, .blob:
            !cell.isNull && withCell { $0.bytes.isEqual(to: cell.bytes) }
        }
    }
}
