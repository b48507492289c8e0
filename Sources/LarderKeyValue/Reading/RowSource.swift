import LarderKernel

/// The rows an access path leads to, one after the other; used again for one request after the other.
///
/// *Rule:* what ``next(_:)`` gives is valid as long as the engine's pointers are, and until the source forgets
/// them or begins again.
protocol RowSource: AnyObject {
    /// Begins to read for the values in a predicate.
    ///
    /// - Returns: True if a value is too long for the keys of the index, so that rows have to be tested with
    ///   all conditions.
    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool

    /// Gives the next row; false when there is none.
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool

    /// Ends the reading; the rows that were given stay valid.
    ///
    /// - Parameter keepsCursor: True if the engine's cursor is kept for the next request.
    func close(keepsCursor: Bool)

    /// Forgets the rows that were given, and frees memory that only a large request has needed.
    func forget()

    /// The size of the memory that rows point to, for tests.
    var keptBytes: Int { get }
}

/// The source of an access path's rows.
enum RowOrigin {
    case table(TableEntries)
    /// By far the most frequent source, called without a look-up of its methods.
    case index(IndexRows)
    case identifiers(IdentifierSortedRows)
    case source(any RowSource)

    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        switch self {
        case .table(let table):
            try table.begin(predicate)
            return false
        case .index(let rows): return try rows.begin(predicate)
        case .identifiers(let rows): return try rows.begin(predicate)
        case .source(let source): return try source.begin(predicate)
        }
    }

    /// Passes over rows by what leads to them; nil if the rows themselves have to be read.
    func skip(_ count: Int) throws(DataStoreError) -> Int? {
        switch self {
        case .table, .source: nil
        case .index(let rows): try rows.skip(count)
        case .identifiers(let rows): try rows.skip(count)
        }
    }

    func close(keepsCursor: Bool) {
        switch self {
        case .table(let table): table.close(keepsCursor: keepsCursor)
        case .index(let rows): rows.close(keepsCursor: keepsCursor)
        case .identifiers(let rows): rows.close(keepsCursor: keepsCursor)
        case .source(let source): source.close(keepsCursor: keepsCursor)
        }
    }

    func forget() {
        if case .source(let source) = self { source.forget() }
    }

    var keptBytes: Int {
        if case .source(let source) = self { source.keptBytes } else { 0 }
    }
}

/// The common part of everything that reads one path.
struct PathReading {
    let entity: EntityTable
    let snapshot: any KeyValueSnapshot
    /// True if the engine's pointers may become invalid while rows are read.
    let invalidatesPointers: Bool

    /// The same for rows that are read before anything else happens.
    var withoutChanges: PathReading {
        PathReading(entity: entity, snapshot: snapshot, invalidatesPointers: false)
    }
}

extension AccessPlan {
    /// The rows the path leads to, in the wanted order if the path has it.
    func origin(in reading: PathReading) -> RowOrigin {
        switch path {
        case .nothing: .source(IdentifiedRows(at: nil, isAscending: true, in: reading))
        case .identifiers(let condition):
            .source(IdentifiedRows(at: condition, isAscending: isAscending, in: reading))
        case .identifierRange(let span):
            .table(TableEntries(between: span, isAscending: isAscending, in: reading))
        case .scan: .table(TableEntries(between: ColumnSpan(), isAscending: isAscending, in: reading))
        case .index(let scan): origin(of: scan, in: reading)
        case .union(let branches, let condition):
            .source(UnionRows(of: branches, at: condition, in: reading))
        }
    }

    private func origin(of scan: IndexScan, in reading: PathReading) -> RowOrigin {
        switch sorting {
        case .identifiers:
            .identifiers(IdentifierSortedRows(of: scan, isAscending: order[0].isAscending, in: reading))
        case .none, .rows: .index(IndexRows(of: scan, isAscending: isAscending, in: reading))
        case .truncatedRuns:
            .source(
                TruncatedRunRows(
                    IndexRows(of: scan, isAscending: isAscending, in: reading),
                    in: RowOrder(order, of: reading.entity),
                    invalidatesPointers: reading.invalidatesPointers))
        }
    }
}
