import LarderKernel
import LarderEngine

/// Compares the links of one relationship in two stores, owner by owner.
struct LinkComparison {
    private let left: LinkWalk
    private let right: LinkWalk
    private let type: AttributeType
    private let isOrdered: Bool

    private init(_ left: LinkWalk, _ right: LinkWalk) {
        (self.left, self.right) = (left, right)
        type = left.relationship.targetSchema.attributes[0].type
        isOrdered = left.relationship.kind == .orderedToMany && right.relationship.kind == .orderedToMany
    }

    /// The comparisons of the relationships that both stores keep as links from one type to another.
    static func all(
        left: (reader: UntypedReader, number: Int), right: (reader: UntypedReader, number: Int),
        from rows: (left: RowWalk, right: RowWalk), _ undecodable: UndecodableRows
    ) throws(DataStoreError) -> [LinkComparison] {
        let leftWalks = try left.reader.linkWalks(from: rows.left, ofEntity: left.number, undecodable)
        let rightWalks = try right.reader.linkWalks(from: rows.right, ofEntity: right.number, undecodable)
        return leftWalks.compactMap { leftWalk in
            let (name, target) = (leftWalk.relationship.name, leftWalk.relationship.targetSchema)
            return rightWalks.first { other in
                UTF8Text.areEqual(other.relationship.name, name)
                    && UTF8Text.areEqual(other.relationship.targetSchema.name, target.name)
                    && other.relationship.targetSchema.attributes[0].type == target.attributes[0].type
            }.map { LinkComparison(leftWalk, $0) }
        }
    }

    /// The difference between the links of an item that is in both stores; nil if there is none.
    ///
    /// *Rule:* items are asked for by ascending identifiers.
    func difference(ofLinksFrom item: Cell) throws(DataStoreError) -> AttributeDifference? {
        let (left, right) = (try left.targets(of: item), try right.targets(of: item))
        if left == right { return nil }
        let (leftOnly, rightOnly) = (Self.missing(in: right, of: left), Self.missing(in: left, of: right))
        if leftOnly.isEmpty && rightOnly.isEmpty {
            return isOrdered ? difference(left, right) : nil
        }
        return difference(leftOnly, rightOnly)
    }

    func finish() throws(DataStoreError) {
        try left.finish()
        try right.finish()
    }

    func close() {
        left.close()
        right.close()
    }

    private static func missing(in other: [Constant], of targets: [Constant]) -> [Constant] {
        let known = Set(other)
        return targets.filter { !known.contains($0) }
    }

    private func difference(_ left: [Constant], _ right: [Constant]) -> AttributeDifference {
        AttributeDifference(name: self.left.relationship.name, left: text(left), right: text(right))
    }

    private func text(_ targets: [Constant]) -> String {
        "[" + targets.map { $0.plainText(of: type) ?? "" }.joined(separator: ", ") + "]"
    }
}

extension StoreSchema {
    /// The relationships of an item type in words, by their names.
    func relationshipDescriptions(ofEntity number: Int) -> [(name: String, description: String)] {
        relationships[number].map { relationship in
            let stored = StoredSchema.Relationship(relationship, in: self)
            let inverse = stored.inverse.map { ", the inverse of \($0)" } ?? ""
            return (
                stored.name,
                "\(stored.kind.rawValue) \(stored.target)\(inverse), delete rule \(stored.deleteRule.rawValue)"
            )
        }
    }
}
