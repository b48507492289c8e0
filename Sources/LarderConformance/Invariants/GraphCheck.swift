import Larder

/// The invariants of references and links, checked against all rows of a store.
///
/// - Every reference leads to an item, unless its delete rule is `.noAction`; none is shared that is one-to-one.
/// - Every ``ToAny`` of a union with a delete rule leads to an item.
/// - Every link leads to both ends, no pair is linked twice, and every ordered link has a rank.
struct GraphCheck {
    let schema: StoreSchema
    let contents: StoreContents

    func run() throws {
        for relationship in schema.relationships.joined() {
            switch relationship.form {
            case .reference(let column): try checkReferences(relationship, column)
            case .links(let side): if !side.isReversed { try checkLinks(relationship, side) }
            case .referrers: continue
            }
        }
        for reference in ReferenceGraph(of: schema).references.joined() where reference.isText {
            try check(reference)
        }
    }

    private func check(_ reference: ReferenceGraph.Reference) throws {
        let owner = schema.entities[reference.entity]
        let items = rows(reference.entity).compactMap { row in
            row.values[reference.column].withCell { reference.item($0, in: schema) }
        }
        try expect(
            Set(items).subtracting(rows(reference.target).map(\.identifier)), equals: [],
            "texts of \(owner.name).\(owner.attributes[reference.column].name) that lead to no item")
    }

    private func title(_ relationship: StoreRelationship) -> String {
        "\(schema.entities[relationship.owner].name).\(relationship.name)"
    }

    private func inverse(of relationship: StoreRelationship) -> StoreRelationship? {
        relationship.inverse.map { schema.relationships[relationship.target][$0] }
    }

    private func rows(_ entity: Int) -> [StoredRow] {
        contents.rows[schema.entities[entity].name, default: []]
    }

    private func checkReferences(_ relationship: StoreRelationship, _ column: Int) throws {
        let targets = Set(rows(relationship.target).map(\.identifier))
        let references = rows(relationship.owner).map { $0.values[column] }.filter { !$0.isNull }
        if inverse(of: relationship)?.deleteRule != .noAction {
            try expect(
                Set(references).subtracting(targets), equals: [],
                "references by \(title(relationship)) to no item")
        }
        if inverse(of: relationship)?.kind == .toOneInverse {
            try expect(
                Set(references).count, equals: references.count,
                "items that \(title(relationship)) leads to")
        }
    }

    private func checkLinks(
        _ relationship: StoreRelationship, _ side: StoreRelationship.LinkSide
    ) throws {
        let title = title(relationship)
        let links = rows(side.entity).map(\.values)
        if relationship.deleteRule != .noAction {
            let owners = Set(rows(relationship.owner).map(\.identifier))
            try expect(
                Set(links.map { $0[side.ownerColumn] }).subtracting(owners), equals: [],
                "links of \(title) that start from no item")
        }
        if inverse(of: relationship)?.deleteRule != .noAction {
            let targets = Set(rows(relationship.target).map(\.identifier))
            try expect(
                Set(links.map { $0[side.targetColumn] }).subtracting(targets), equals: [],
                "links of \(title) to no item")
        }
        let pairs = Set(links.map { [$0[side.ownerColumn], $0[side.targetColumn]] })
        try expect(pairs.count, equals: links.count, "pairs that \(title) links")
        guard side.isOrdered else { return }
        for link in links {
            guard case .text(let rank) = link[LinkEntity.rank], LinkEntity.isRank(rank) else {
                try expect(link[LinkEntity.rank], equals: .text("a rank"), "the rank of a link of \(title)")
                continue
            }
        }
    }
}

extension StoreContents {
    /// Adds the links of a store, by the names of their relationships, in the order of their ends.
    ///
    /// Their own identifiers are left out: a merge keeps the parent's link of two items that a child has linked again.
    mutating func addLinks(_ store: any DataStore) throws {
        let links = try store.read { accessor in
            try accessor.withSnapshot { (reading, schema) throws(DataStoreError) in
                var links: [String: [StoredRow]] = [:]
                for (number, entity) in schema.entities.enumerated() where entity.isLink {
                    links[entity.name] = try StoredRow.all(of: number, entity, in: reading)
                }
                return links
            }
        }
        rows.merge(links) { $1 }
    }
}

extension StoredRow {
    fileprivate static func all(
        of number: Int, _ entity: EntitySchema, in reading: any StorageReading
    ) throws(DataStoreError) -> [StoredRow] {
        let cursor = try reading.rows(for: RequestPlan(entity: number, schema: entity))
        defer { cursor.close() }
        let row = CellBuffer(count: entity.attributes.count)
        var rows: [StoredRow] = []
        while try cursor.next(into: row.start) {
            rows.append(
                StoredRow(
                    values: entity.attributes.enumerated().map { column, attribute in
                        column == 0 ? .null : Constant(row.start[column], storage: attribute.type.storage)
                    }))
        }
        return rows.sorted { "\($0.values)" < "\($1.values)" }
    }
}
