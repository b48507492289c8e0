public import LarderKernel

/// Compares two stores item by item, whatever their engines.
///
///     let first = try left.read { left in
///         try right.read { right in try StoreComparison(left, right).first(20) }
///     }
///
/// Item types and attributes are matched by their names, items by their identifiers. Links are compared
/// item by item: a difference names the linked items that only one store has, or all of them if only their
/// order differs. Links whose relationship a store does not describe, as in a part of a routed store, are compared
/// as a whole. *Rule:* used inside the blocks of both readers. *Cost:* reads both stores once, side by
/// side; keeps one row of each in memory, and the identifiers of rows that cannot be decoded.
public struct StoreComparison {
    private let left: UntypedReader
    private let right: UntypedReader
    /// Called periodically with the number of items read so far in both stores together.
    public var progress: ((Int) -> Void)?

    public init(_ left: UntypedReader, _ right: UntypedReader) {
        self.left = left
        self.right = right
    }

    /// The first differences, up to a count; none when the stores hold the same.
    ///
    /// - Throws: `.cancelled` when the task is cancelled; rethrows errors of the engines.
    public func first(_ count: Int) throws(DataStoreError) -> [StoreDifference] {
        var found: [StoreDifference] = []
        if count <= 0 { return found }
        try forEach { difference in
            found.append(difference)
            return found.count < count
        }
        return found
    }

    /// Gives the differences to a body, one after the other, until it returns false.
    ///
    /// - Throws: `.cancelled` when the task is cancelled; rethrows errors of the engines.
    public func forEach(_ body: (StoreDifference) -> Bool) throws(DataStoreError) {
        var tally = ReadingTally(progress)
        for (number, entity) in left.entities.enumerated() where !entity.isLink {
            guard let other = right.entities.firstIndex(where: { UTF8Text.areEqual($0.name, entity.name) })
            else {
                if !body(.entityOnlyLeft(entity.name)) { return }
                continue
            }
            let comparison = ItemComparison(left: (left, number), right: (right, other))
            if try !comparison.forEach(&tally, body) { return }
        }
        let names = left.entities.map(\.name)
        for entity in right.entities where !entity.isLink {
            if names.contains(where: { UTF8Text.areEqual($0, entity.name) }) { continue }
            if !body(.entityOnlyRight(entity.name)) { return }
        }
        try compareLinks(body)
    }

    /// Compares the links that are the values of no item, as their relationship is not described.
    private func compareLinks(_ body: (StoreDifference) -> Bool) throws(DataStoreError) {
        let names = [left, right].flatMap { reader in
            reader.schema.linksOnTheirOwn.map { reader.entities[$0].name }
        }
        for (position, name) in names.enumerated() {
            if names[..<position].contains(where: { UTF8Text.areEqual($0, name) }) { continue }
            let undecodable = UndecodableRows(.skip)
            let first = try digest(ofLinks: name, in: left, undecodable)
            let second = try digest(ofLinks: name, in: right, undecodable)
            for error in undecodable.takeErrors() {
                if !body(.undecodable(entity: name, error.identifier, error.message)) { return }
            }
            if first == second { continue }
            let sentence = "the links differ (\(first.count) left and \(second.count) right)"
            if !body(.schema(entity: name, sentence)) { return }
        }
    }

    private func digest(
        ofLinks name: String, in reader: UntypedReader, _ undecodable: UndecodableRows
    ) throws(DataStoreError) -> EntityDigest {
        guard let number = reader.entities.firstIndex(where: { UTF8Text.areEqual($0.name, name) })
        else { return EntityDigest(entity: name) }
        return try reader.digest(ofEntity: number, undecodable)
    }
}
