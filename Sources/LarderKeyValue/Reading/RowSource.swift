import Larder

/// The rows an access path leads to, one after the other.
///
/// *Rule:* what ``next(_:)`` gives is valid as long as the engine's pointers are, and the source is kept.
protocol RowSource: AnyObject {
    /// Gives the next row; false when there is none.
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool

    /// Passes over rows and returns how many there were, up to a number of them.
    func skip(_ count: Int) throws(DataStoreError) -> Int

    func close()
}

extension RowSource {
    func skip(_ count: Int) throws(DataStoreError) -> Int {
        var row = FoundRow()
        var skipped = 0
        while skipped < count, try next(&row) { skipped += 1 }
        return skipped
    }
}

/// Where the rows of an access path come from.
enum RowOrigin {
    case table(TableEntries)
    case source(any RowSource)

    func close() {
        switch self {
        case .table(let table): table.close()
        case .source(let source): source.close()
        }
    }
}

extension AccessPlan {
    /// The rows the path leads to, in the wanted order where the path has it.
    func origin(
        over entity: EntityTable, in snapshot: any KeyValueSnapshot, invalidatesPointers: Bool
    ) throws(DataStoreError) -> RowOrigin {
        switch path {
        case .nothing: return .source(try IdentifiedRows([], over: entity, in: snapshot))
        case .identifiers(let values):
            let values = isAscending ? values : values.reversed()
            return .source(try IdentifiedRows(values, over: entity, in: snapshot))
        case .identifierRange(let span): return .table(try entries(between: span, over: entity, in: snapshot))
        case .scan: return .table(try entries(between: ColumnSpan(), over: entity, in: snapshot))
        case .index(let scan):
            return .source(
                try source(of: scan, over: entity, in: snapshot, invalidatesPointers: invalidatesPointers))
        case .union(let branches):
            return .source(
                try UnionRows(
                    of: branches, over: entity, in: snapshot, invalidatesPointers: invalidatesPointers))
        }
    }

    private func entries(
        between span: ColumnSpan, over entity: EntityTable, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> TableEntries {
        try TableEntries(between: span, isAscending: isAscending, over: entity, in: snapshot)
    }

    private func source(
        of scan: IndexScan, over entity: EntityTable, in snapshot: any KeyValueSnapshot,
        invalidatesPointers: Bool
    ) throws(DataStoreError) -> any RowSource {
        if let scan = scanToSort(over: entity) {
            return try IdentifierSortedRows(
                of: scan, isAscending: order[0].isAscending, over: entity, in: snapshot)
        }
        let rows = try IndexRows(of: scan, isAscending: isAscending, over: entity, in: snapshot)
        guard isOrdered, !order.isEmpty, scan.mayBeCut else { return rows }
        return TruncatedRunRows(
            rows, in: RowOrder(order, of: entity), invalidatesPointers: invalidatesPointers)
    }
}

extension IndexScan {
    /// Whether the entries may differ in a text that is too long for them.
    fileprivate var mayBeCut: Bool {
        index.form.parts.dropFirst(fixedCount).contains { $0.form == .text }
    }
}
