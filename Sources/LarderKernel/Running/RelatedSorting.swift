import LarderPattern

/// Sorts the rows of a plan by attributes of related items, by folded text or by a collation.
///
/// It reads identifiers and references alone, a batch at a time, looks up the values that the batch leads
/// to, and keeps the identifiers and values of the rows that may be in the window; of all rows for a collation.
package struct RelatedSorting {
    private let plan: RequestPlan
    private let snapshot: any StorageReading
    private let values: BatchLookup
    /// The terms of the order.
    private let terms: [Term]
    /// For each row its sorted values and its identifier.
    private var rows: [Constant] = []

    private struct Term {
        let storage: AttributeType.Storage
        let isAscending: Bool
        let folding: TextFolding
        let collation: TextCollation?
    }

    /// - Parameter plan: Without tests of related items.
    package init(_ plan: RequestPlan, in schema: StoreSchema, _ snapshot: any StorageReading) {
        self.plan = plan
        self.snapshot = snapshot
        let terms = plan.terms
        let values = BatchLookup(of: terms, plan.entity, keepingIdentifiers: true, in: schema, snapshot)
        self.values = values
        self.terms = terms.indices.map {
            let term = terms[$0]
            // The texts of a collation are replaced by numbers.
            return Term(
                storage: term.collation == nil ? values.storages[$0] : .integer,
                isAscending: term.term.isAscending, folding: term.matching.folding, collation: term.collation)
        }
    }

    /// The identifiers of the rows in the plan's window, in its order.
    mutating func identifiers() throws(DataStoreError) -> ArraySlice<Constant> {
        let end = plan.windowEnd
        if end == 0 { return [] }
        let cursor = try snapshot.rows(for: keys)
        defer { cursor.close() }
        while let columns = try values.next(of: cursor, of: plan.schema) {
            for row in columns[0].indices {
                for (column, term) in zip(columns, terms) {
                    rows.append(column[row].folded(by: term.folding))
                }
            }
            if let end, !isCollated, rowCount / 2 >= max(end, BatchLookup.batchCount) { sort(keeping: end) }
        }
        if isCollated { rankTexts() }
        sort(keeping: end ?? rowCount)
        let identifiers = stride(from: terms.count - 1, to: rows.count, by: terms.count).map { rows[$0] }
        return identifiers.dropFirst(plan.offset)
    }

    /// The values by which the first row is sorted, its identifier last; nil if there is no row.
    package mutating func valuesOfFirst() throws(DataStoreError) -> [Constant]? {
        try identifiers().isEmpty ? nil : Array(rows.prefix(terms.count))
    }

    /// The plan for the columns of all rows that pass the filter.
    var keys: RequestPlan {
        RequestPlan(
            entity: plan.entity, schema: plan.schema, columns: .some(values.columns),
            predicate: plan.predicate)
    }

    private var isCollated: Bool { terms.contains { $0.collation != nil } }

    /// Replaces each text that a collation orders by its place in that order, so that texts are compared once each.
    private mutating func rankTexts() {
        for (position, term) in terms.enumerated() {
            guard let collation = term.collation else { continue }
            let places = stride(from: position, to: rows.count, by: terms.count)
            let texts = Set(places.map { rows[$0] }).compactMap(\.text)
            var ranks: [Constant: Constant] = [:]
            for text in collation.sorted(texts) { ranks[.text(text)] = .integer(Int64(ranks.count)) }
            for place in places { rows[place] = ranks[rows[place]] ?? .null }
        }
    }

    private var rowCount: Int { rows.count / terms.count }

    /// Sorts the rows and forgets those after the first ones.
    private mutating func sort(keeping count: Int) {
        var order = Array(0..<rowCount)
        // Not the whole sorting, which would be copied for each comparison.
        let (terms, rows) = (terms, rows)
        order.sort { Self.precedes($0, $1, in: rows, by: terms) }
        var sorted: [Constant] = []
        for row in order.prefix(count) {
            sorted += rows[(row * terms.count)..<((row + 1) * terms.count)]
        }
        self.rows = sorted
    }

    private static func precedes(_ left: Int, _ right: Int, in rows: [Constant], by terms: [Term]) -> Bool {
        for (position, term) in terms.enumerated() {
            let order = rows[left * terms.count + position].order(
                to: rows[right * terms.count + position], storage: term.storage)
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }
}

extension Constant {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }

    fileprivate func folded(by folding: TextFolding) -> Constant {
        guard !folding.isExact, case .text(let text) = self else { return self }
        return .text(folding.folded(text))
    }
}
