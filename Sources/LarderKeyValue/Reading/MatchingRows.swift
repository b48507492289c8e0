import Larder

/// The rows of requests of one shape as their access path gives them, without those the filter refuses.
final class MatchingRows {
    private let access: AccessPlan
    private let identifier: IdentifierForm
    private let origin: RowOrigin
    private let filter: RowFilter
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var isFiltered = false
    /// The next entries of a table, whose rows are taken without a call for each of them.
    @exclusivity(unchecked) private var ahead: ReadAhead

    init(_ access: AccessPlan, in reading: PathReading) {
        self.access = access
        identifier = reading.entity.identifier
        filter = RowFilter(of: reading.entity)
        origin = access.origin(in: reading)
        let capacity = if case .table = origin { reading.invalidatesPointers ? 1 : 64 } else { 0 }
        ahead = ReadAhead(upTo: capacity)
    }

    /// Begins to read for the values in a predicate.
    func begin(_ predicate: RowPredicate) throws(DataStoreError) {
        ahead.reset()
        let isTruncated = try origin.begin(predicate)
        isFiltered = isTruncated || !access.residual.isEmpty
        if isTruncated {
            try filter.fill(with: predicate)
        } else if isFiltered {
            try filter.fill(with: predicate, testing: access.residual)
        }
    }

    /// Gives the next row; false when there is none.
    @inline(__always)
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard isFiltered else { return try nextOfAll(&row) }
        while try nextOfAll(&row) {
            if try filter.passes(row) { return true }
        }
        return false
    }

    @inline(__always)
    private func nextOfAll(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        if ahead.isEmpty, try !moveOn(&row) { return false }
        // What is not a table's row has been read by now.
        if ahead.isEmpty { return true }
        let entry = ahead.removeFirst()
        row.identifier = try identifier.identifier(inKey: entry.key)
        row.bytes = entry.value
        return true
    }

    /// Reads ahead in a table, and elsewhere the next row; false when there is none.
    @inline(never)
    private func moveOn(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        switch origin {
        case .table(let table): try table.read(into: &ahead)
        case .index(let rows): try rows.next(&row)
        case .source(let source): try source.next(&row)
        }
    }

    /// Passes over rows and returns how many there were, up to a number of them.
    func skip(_ count: Int) throws(DataStoreError) -> Int {
        if !isFiltered, let skipped = try origin.skip(count) { return skipped }
        var row = FoundRow()
        var skipped = 0
        while skipped < count, try next(&row) { skipped += 1 }
        return skipped
    }

    func close(keepsCursor: Bool) {
        if isFiltered { filter.clear() }
        isFiltered = false
        ahead.reset()
        origin.close(keepsCursor: keepsCursor)
    }
}
