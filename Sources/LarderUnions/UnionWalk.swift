import LarderKernel
import LarderPattern

/// The rows of all members of a request, merged in its order.
///
/// Each member is read in the order by a cursor of its own, of which one row is held: its value and what it is ordered
/// by. The least row of all is the next one.
///
/// *Rule:* used on the thread of its block, and closed.
final class UnionWalk<Union: ItemUnion, Value> {
    private let request: UnionRequest<Union>
    /// The members with rows left, in the order of the members.
    private var heads: [Head] = []
    private let read: (any MemberType<Union>, RowScan) throws(DataStoreError) -> Value
    /// The number of items that are left of the limit.
    private var left: Int

    private struct Head {
        let member: any MemberType<Union>
        let scan: RowScan
        /// The positions of the order's values in the row, and how they are compared.
        let positions: [Int]
        let storages: [AttributeType.Storage]
        var value: Value
        var keys: [Constant]
    }

    /// - Parameters:
    ///   - isWhole: False to read the identifiers, and what the order needs, alone.
    ///   - read: Makes the value of the current row of a member.
    init(
        _ request: UnionRequest<Union>, isWhole: Bool, in context: BlockContext,
        _ read: @escaping (any MemberType<Union>, RowScan) throws(DataStoreError) -> Value
    ) throws(DataStoreError) {
        self.request = request
        self.read = read
        left = request.limit ?? .max
        do {
            for part in try request.parts() { try begin(part, isWhole: isWhole, in: context) }
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

    private func begin(
        _ part: UnionPart<Union>, isWhole: Bool, in context: BlockContext
    ) throws(DataStoreError) {
        var columns = [0]
        let positions = part.columns.map { column in
            if isWhole { return column }
            if let known = columns.firstIndex(of: column) { return known }
            columns.append(column)
            return columns.count - 1
        }
        let scan = try part.member.rows(
            of: part.core, columns: isWhole ? .all : .some(columns), in: context)
        do {
            guard try scan.next() else { return scan.close() }
            let storages = part.columns.map { part.member.schema.storage(ofColumn: $0) }
            heads.append(
                Head(
                    member: part.member, scan: scan, positions: positions, storages: storages,
                    value: try read(part.member, scan), keys: keys(in: scan, positions, storages)))
        } catch {
            scan.close()
            throw error
        }
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
            heads[position].value = try read(head.member, head.scan)
            heads[position].keys = keys(in: head.scan, head.positions, head.storages)
        } else {
            head.scan.close()
            heads.remove(at: position)
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
        return request.order.last?.isAscending == false
    }
}
