import Larder

/// Sorts rows, or only those that come first when no more are needed.
///
/// Of n rows the first k are found without keeping more than 2k + 64: whenever there are that many, the last are
/// dropped, and whatever comes behind the last one kept is not even added any more.
struct RowSorting {
    private let order: RowOrder
    private let count: Int?
    private var entries: [Entry] = []
    /// The last of the rows that were kept when some were dropped.
    private var last: Entry?

    /// A row and the beginning of its place in the order.
    private struct Entry {
        let rank: UInt64
        let row: FoundRow
    }

    /// - Parameter count: How many rows are needed; nil for all.
    init(by order: RowOrder, keeping count: Int?) {
        self.order = order
        self.count = count
    }

    /// - Throws: `.damaged` when the bytes are no row.
    mutating func add(_ row: FoundRow) throws(DataStoreError) {
        let entry = Entry(rank: try order.rank(of: row), row: row)
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
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        left.rank == right.rank ? order.precedes(left.row, right.row) : left.rank < right.rank
    }
}

/// The order of a plan, for rows that have not been decoded.
struct RowOrder {
    private let terms: [RequestPlan.SortTerm]
    private let entity: EntityTable

    init(_ terms: [RequestPlan.SortTerm], of entity: EntityTable) {
        self.terms = terms
        self.entity = entity
    }

    /// A number that is no greater for rows that come earlier, made from the first term; most rows differ in it.
    ///
    /// - Throws: `.damaged` when the bytes are no row.
    func rank(of row: FoundRow) throws(DataStoreError) -> UInt64 {
        let outline = try entity.layout.outline(of: row.bytes)
        let cell = try entity.layout.cell(at: terms[0].column, of: row, outline)
        let rank = Self.rank(of: cell, entity.schema.storage(ofColumn: terms[0].column))
        return terms[0].isAscending ? rank : ~rank
    }

    /// Whether a row comes before another.
    ///
    /// A value that is damaged counts as nil; who decodes it is told.
    func precedes(_ left: FoundRow, _ right: FoundRow) -> Bool {
        for term in terms {
            let storage = entity.schema.storage(ofColumn: term.column)
            let order = cell(at: term.column, of: left).order(
                to: cell(at: term.column, of: right), storage: storage)
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }

    private func cell(at column: Int, of row: FoundRow) -> Cell {
        if column == 0 { return row.identifier }
        guard let outline = try? entity.layout.outline(of: row.bytes),
            let cell = try? entity.layout.cell(at: column, of: outline)
        else { return .null }
        return cell
    }

    private static func rank(of cell: Cell, _ storage: AttributeType.Storage) -> UInt64 {
        if cell.isNull { return 0 }
        switch storage {
        case .integer: return cell.bits ^ KeyPart.sign
        case .unsigned: return cell.bits
        case .real: return KeyPart.ordered(cell.real)
        case .text, .blob, .json:
            var rank: UInt64 = 0
            for position in 0..<8 {
                rank = rank << 8 | (position < cell.bytes.count ? UInt64(cell.bytes[position]) : 0)
            }
            return rank
        case .decimal: return 1
        }
    }
}
