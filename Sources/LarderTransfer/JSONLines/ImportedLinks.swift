import LarderKernel
import LarderEngine

/// The links of one relationship, as the lines of its items list them: `"tags":["sweet","quick"]`.
struct ImportedLinks {
    let side: StoreRelationship.LinkSide
    private let relationship: StoreRelationship

    var name: String { relationship.name }

    /// Nil for a relationship that is not kept as links, or starts at the other end.
    init?(_ relationship: StoreRelationship) {
        guard case .links(let side) = relationship.form, !side.isReversed else { return nil }
        self.side = side
        self.relationship = relationship
    }

    /// Gives the rows of the links to a body, one after the other.
    ///
    /// - Throws: `.wrongType`, `.invalidValue`; what the body throws.
    func forEachRow(
        of owner: Cell, in members: [(key: String, value: JSONValue)], _ arena: RowArena,
        _ body: (UnsafePointer<Cell>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        guard let value = members.first(where: { UTF8Text.areEqual($0.key, name) })?.value else { return }
        if case .null = value { return }
        guard let list = value.list else { throw invalid(.wrongType, "is not a list of identifiers") }
        let type = relationship.targetSchema.attributes[0].type
        var seen: Set<AnyItemID> = []
        for (position, element) in list.enumerated() {
            guard let target = try element.cell(of: type, in: arena), let item = AnyItemID(target, type: type)
            else {
                throw invalid(.wrongType, "holds a value that is not a valid \(type.rawValue)")
            }
            guard seen.insert(item).inserted else { throw invalid(.invalidValue, "lists \(item) twice") }
            let cells = try arena.makeCells(side.isOrdered ? LinkEntity.rank + 1 : LinkEntity.rank)
            cells[0] = .integer(ItemID<Never>().rawValue)
            cells[side.ownerColumn] = owner
            cells[side.targetColumn] = target
            if side.isOrdered {
                cells[LinkEntity.rank] = try LinkEntity.initialRank(position).encode(in: arena)
            }
            try body(UnsafePointer(cells))
        }
    }

    private func invalid(_ code: DataStoreError.Code, _ what: String) -> DataStoreError {
        DataStoreError(
            code, "The value of \(name) \(what).", itemType: nil, attribute: name)
    }
}
