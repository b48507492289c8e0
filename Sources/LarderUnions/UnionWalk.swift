import LarderKernel
import LarderPattern

/// The rows of all members of a request, merged in its order; all of them, or those that follow an item in it.
///
/// Each member is read in the order by a cursor of its own, of which one row is held: its value and what it is ordered
/// by. The least row of all is the next one.
///
/// *Rule:* used on the thread of its block, and closed.
final class UnionWalk<Union: ItemUnion, Value> {
    private let request: UnionRequest<Union>
    private let context: BlockContext
    /// The column of each member that is read beside the columns of the order; nil to read whole rows.
    private let columns: [Int]?
    private let runsCode: Bool
    /// The members with rows left, in the order of the members.
    private var heads: [Head] = []
    private let read: (any MemberType<Union>, RowScan) throws(DataStoreError) -> Value
    /// The number of items that are left of the limit.
    private var left: Int

    private struct Head {
        let part: UnionPart<Union>
        let scan: RowScan
        /// The requests of the member whose rows come after the rows of the scan.
        let rest: ArraySlice<RequestCore>
        /// The positions of the order's values in the row, and how they are compared.
        let positions: [Int]
        let storages: [AttributeType.Storage]
        var value: Value
        var keys: [Constant]
    }

    /// - Parameters:
    ///   - start: The item after which the rows come; nil to begin with the first.
    ///   - columns: The column of each member that is read beside the columns of the order, and comes first in its rows; nil
    ///     to read whole rows.
    ///   - runsCode: True if code of the app runs between the values; whole rows are read then.
    ///   - read: Makes the value of the current row of a member.
    init(
        _ request: UnionRequest<Union>, after start: UnionPageStart<Union>? = nil, columns: [Int]?,
        runsCode: Bool = false, in context: BlockContext,
        _ read: @escaping (any MemberType<Union>, RowScan) throws(DataStoreError) -> Value
    ) throws(DataStoreError) {
        self.request = request
        self.context = context
        self.columns = columns
        self.runsCode = runsCode
        self.read = read
        left = request.limit ?? .max
        do {
            for part in try request.parts() {
                let cores = start?.following(part, in: request) ?? [part.core]
                if let head = try head(of: part, cores[...]) { heads.append(head) }
            }
            try skip(request.offset)
        } catch {
            close()
            throw error
        }
    }

    /// The next value in the order of the request; nil at the end.
    func next() throws(DataStoreError) -> Value? {
        guard left > 0, let position = least else { return nil }
        left -= 1
        return try take(position)
    }

    func close() {
        for head in heads { head.scan.close() }
        heads.removeAll()
    }

    /// Begins to read a member by the first of some requests that gives a row.
    private func head(
        of part: UnionPart<Union>, _ cores: ArraySlice<RequestCore>
    ) throws(DataStoreError) -> Head? {
        var wanted = columns.map { [$0[part.position]] }
        let positions = part.columns.map { column in
            guard let known = wanted else { return column }
            if let position = known.firstIndex(of: column) { return position }
            wanted?.append(column)
            return known.count
        }
        let storages = part.columns.map { part.member.schema.storage(ofColumn: $0) }
        for position in cores.indices {
            let scan = try part.member.rows(
                of: cores[position], columns: wanted.map { .some($0) } ?? .all, runsCode: runsCode,
                in: context)
            do {
                if try scan.next() {
                    return Head(
                        part: part, scan: scan, rest: cores[(position + 1)...], positions: positions,
                        storages: storages, value: try read(part.member, scan),
                        keys: keys(in: scan, positions, storages))
                }
                scan.close()
            } catch {
                scan.close()
                throw error
            }
        }
        return nil
    }

    private func skip(_ count: Int) throws(DataStoreError) {
        var skipped = 0
        while skipped < count, let position = least {
            _ = try take(position)
            skipped += 1
        }
    }

    /// Takes the value of a member, and reads its next row.
    private func take(_ position: Int) throws(DataStoreError) -> Value {
        let head = heads[position]
        if try head.scan.next() {
            heads[position].value = try read(head.part.member, head.scan)
            heads[position].keys = keys(in: head.scan, head.positions, head.storages)
        } else {
            head.scan.close()
            heads.remove(at: position)
            if let next = try self.head(of: head.part, head.rest) { heads.insert(next, at: position) }
        }
        return head.value
    }

    private func keys(
        in scan: RowScan, _ positions: [Int], _ storages: [AttributeType.Storage]
    ) -> [Constant] {
        positions.indices.map { term in
            let key = Constant(scan.cells[positions[term]], storage: storages[term])
            let folding = request.order[term].matching.folding
            guard !folding.isExact, case .text(let text) = key else { return key }
            return .text(folding.folded(text))
        }
    }

    /// The position of the member whose row comes next.
    private var least: Int? {
        guard var least = heads.indices.first else { return nil }
        for position in heads.indices.dropFirst() where precedes(position, least) { least = position }
        return least
    }

    /// True if the row of a member comes before the row of an earlier one.
    private func precedes(_ position: Int, _ earlier: Int) -> Bool {
        let (head, other) = (heads[position], heads[earlier])
        for (term, storage) in head.storages.enumerated() {
            let order = head.keys[term].order(to: other.keys[term], storage: storage)
            if order != 0 { return (order < 0) == request.order[term].isAscending }
        }
        return !request.isTieAscending
    }
}
