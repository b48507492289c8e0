import LarderKernel

/// Sorts rows, or only those that come first when no more are needed.
///
/// Of n rows the first k are found without keeping more than 2k + 64: whenever there are that many, the last
/// are dropped, and a row that comes after the last one kept is not even added.
struct RowSorting {
    private let order: RowOrder
    private let count: Int?
    private var entries: [Entry] = []
    /// The last of the rows that were kept when some were dropped.
    private var last: Entry?
    private var lastRank = UInt64.max

    private struct Entry {
        let row: FoundRow
        /// The value the order begins with.
        let first: Cell
        /// A number that is no greater for values that come earlier; most rows differ in it.
        let rank: UInt64
    }

    /// - Parameter count: The number of rows needed; nil for all.
    init(by order: RowOrder, keeping count: Int?) {
        self.order = order
        self.count = count
    }

    /// - Throws: `.damaged` when the bytes that are read are not a row.
    mutating func add(_ row: FoundRow) throws(DataStoreError) {
        let first = try order.firstValue(of: row)
        let rank = order.rank(of: first)
        // With many rows, most come after the last one that is kept, which their rank alone shows.
        if rank > lastRank { return }
        let entry = Entry(row: row, first: first, rank: rank)
        if let last, !precedes(entry, last) { return }
        entries.append(entry)
        if let count, (entries.count - 64) / 2 >= count { shorten(to: count) }
    }

    /// The rows in their order, without the first ones.
    mutating func rows(from offset: Int) -> ArraySlice<FoundRow> {
        entries.sort(by: precedes)
        if let count, entries.count > count { entries.removeSubrange(count...) }
        return entries.dropFirst(offset).map(\.row)[...]
    }

    private mutating func shorten(to count: Int) {
        entries.sort(by: precedes)
        entries.removeSubrange(count...)
        last = entries.last
        lastRank = last?.rank ?? .max
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        return order.precedes(left.row, left.first, right.row, right.first)
    }
}

/// The order of a plan, for rows that have not been decoded.
struct RowOrder {
    private let entity: EntityTable
    private let first: RequestPlan.SortTerm
    private let firstStorage: AttributeType.Storage
    private let others: ArraySlice<RequestPlan.SortTerm>

    /// - Parameter terms: At least one, as every plan's order has.
    init(_ terms: [RequestPlan.SortTerm], of entity: EntityTable) {
        self.entity = entity
        first = terms[0]
        firstStorage = entity.schema.storage(ofColumn: first.column)
        others = terms.dropFirst()
    }

    /// The value the order begins with; valid as long as the row.
    ///
    /// - Throws: `.damaged` when the bytes that are read are not a row.
    func firstValue(of row: FoundRow) throws(DataStoreError) -> Cell {
        try entity.layout.cell(at: first.column, in: row)
    }

    /// A number that is no greater for first values that come earlier.
    func rank(of value: Cell) -> UInt64 {
        let rank = value.rank(firstStorage)
        return first.isAscending ? rank : ~rank
    }

    /// True if a row with its first value comes before another.
    func precedes(
        _ left: FoundRow, _ leftFirst: Cell, _ right: FoundRow, _ rightFirst: Cell
    ) -> Bool {
        let order = leftFirst.order(to: rightFirst, storage: firstStorage)
        if order != 0 { return (order < 0) == first.isAscending }
        for term in others {
            let storage = entity.schema.storage(ofColumn: term.column)
            let order = cell(at: term.column, of: left).order(
                to: cell(at: term.column, of: right), storage: storage)
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }

    /// A damaged value counts as nil; decoding it throws.
    private func cell(at column: Int, of row: FoundRow) -> Cell {
        (try? entity.layout.cell(at: column, in: row)) ?? .null
    }

}

extension Cell {
    /// A number that is no greater for values that come earlier, and different ones for different numbers.
    @inline(__always)
    func rank(_ storage: AttributeType.Storage) -> UInt64 {
        if isNull { return 0 }
        switch storage {
        case .integer: return bits ^ KeyPart.sign
        case .unsigned: return bits
        case .real: return KeyPart.ordered(real)
        case .text, .blob: return bytes.head
        case .decimal, .json: return 1
        }
    }
}
