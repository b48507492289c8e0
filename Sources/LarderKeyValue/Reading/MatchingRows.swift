import Larder

/// The rows of a plan as its access path gives them, without those its filter refuses.
final class MatchingRows {
    private let origin: RowOrigin
    private let identifier: IdentifierForm
    private let filter: RowFilter?
    /// The next entries of a table, whose rows are taken without a call for each of them.
    // reason for unchecked: used by one thread at a time, by nobody it calls.
    @exclusivity(unchecked) private var ahead: ReadAhead

    /// - Parameter invalidatesPointers: Whether what the engine points to may become invalid while rows are read.
    init(
        _ access: AccessPlan, over entity: EntityTable, in snapshot: any KeyValueSnapshot,
        invalidatesPointers: Bool
    ) throws(DataStoreError) {
        identifier = entity.identifier
        filter = try RowFilter(access.residual, of: entity)
        origin = try access.origin(over: entity, in: snapshot, invalidatesPointers: invalidatesPointers)
        let capacity = if case .table = origin { invalidatesPointers ? 1 : 64 } else { 0 }
        ahead = ReadAhead(upTo: capacity)
    }

    /// Gives the next row; false when there is none.
    @inline(__always)
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard let filter else { return try nextOfAll(&row) }
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
        case .source(let source): try source.next(&row)
        }
    }

    /// Passes over rows; false when there were fewer.
    func skip(_ count: Int) throws(DataStoreError) -> Bool {
        if filter == nil, case .source(let source) = origin { return try source.skip(count) == count }
        var row = FoundRow()
        for _ in 0..<count {
            guard try next(&row) else { return false }
        }
        return true
    }

    func close() {
        origin.close()
    }
}
