import LarderKernel

/// The rows of requests of one shape as their access path gives them, without those the filter refuses.
final class MatchingRows {
    private let access: AccessPlan
    private let identifier: IdentifierForm
    private let origin: RowOrigin
    /// The end of the keys if an index leads to the rows.
    private let tail: IndexKeyForm.Tail?
    private let filter: RowFilter
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var isFiltered = false
    /// True if rows are read even if they need not be tested.
    private let alwaysReadsRows: Bool
    /// False if the rows are not read, but only the keys that lead to them.
    @exclusivity(unchecked) private(set) var readsRows = true
    /// The next entries of a table, or of an index whose rows are not read, which are taken without a call
    /// for each of them.
    @exclusivity(unchecked) private var ahead: ReadAhead

    init(_ access: AccessPlan, in reading: PathReading, readsRows: Bool) {
        self.access = access
        alwaysReadsRows = readsRows
        identifier = reading.entity.identifier
        filter = RowFilter(of: reading.entity)
        origin = access.origin(in: reading)
        tail = if case .index(let rows) = origin { rows.scan.index.form.tail } else { nil }
        let isReadAhead =
            switch origin {
            case .table: true
            case .index: !readsRows
            case .identifiers, .source: false
            }
        ahead = ReadAhead(upTo: isReadAhead ? (reading.invalidatesPointers ? 1 : 64) : 0)
    }

    /// Begins to read for the values in a predicate.
    func begin(_ predicate: RowPredicate) throws(DataStoreError) {
        ahead.reset()
        let isTruncated = try origin.begin(predicate)
        isFiltered = isTruncated || !access.residual.isEmpty
        readsRows = alwaysReadsRows || isFiltered
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
        // If nothing was read ahead, the row holds the next one by now.
        if ahead.isEmpty { return true }
        let entry = ahead.removeFirst()
        if readsRows {
            row.identifier = try identifier.identifier(inKey: entry.key)
            row.bytes = entry.value
        } else {
            let rest = entry.key[try identifierStart(in: entry.key)...]
            row.identifier = try identifier.identifier(inRest: UnsafeRawBufferPointer(rebasing: rest))
            row.bytes = entry.key
        }
        return true
    }

    /// The offset of the identifier in a key of the index.
    @inline(__always)
    private func identifierStart(in key: UnsafeRawBufferPointer) throws(DataStoreError) -> Int {
        // To ask the index retains what it consists of for each key, which is a third of the time of a walk.
        if let start = tail?.identifierStart(in: key) { return start.offset }
        guard case .index(let rows) = origin else { return 0 }
        return try rows.scan.index.form.identifierStart(in: key).offset
    }

    /// Runs a body for each of the next rows, up to a number of them, and returns how many there were.
    ///
    /// - Parameter identified: False if the body does not use the identifiers.
    @inline(__always)
    func next(
        upTo limit: Int, identified: Bool, _ body: (Int, FoundRow) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Int {
        var row = FoundRow()
        var count = 0
        guard !isFiltered, !identified, readsRows, case .table(let table) = origin else {
            while count < limit, try next(&row) {
                try body(count, row)
                count += 1
            }
            return count
        }
        while count < limit {
            if ahead.isEmpty, try !table.read(into: &ahead) { break }
            while count < limit, !ahead.isEmpty {
                row.bytes = ahead.removeFirst().value
                try body(count, row)
                count += 1
            }
        }
        return count
    }

    /// Reads ahead, or if that is not done the next row; false when there is none.
    @inline(never)
    private func moveOn(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        switch origin {
        case .table(let table): try table.read(into: &ahead)
        case .index(let rows): try readsRows ? rows.next(&row) : rows.read(into: &ahead)
        case .identifiers(let rows): try rows.next(&row, readsRow: readsRows)
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

    /// Forgets the rows that were given, and frees memory that only a large request has needed.
    func forget() { origin.forget() }

    var keptBytes: Int { origin.keptBytes }
}
