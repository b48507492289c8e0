extension Assignment {
    /// The values for some items as cells, in the arena.
    ///
    /// - Parameters:
    ///   - rows: The stored rows of the items, at least one, with their text and bytes in the arena.
    ///   - entity: The number of the item type.
    /// - Throws: `.invalidValue`, including for the identifier, which is final, and for nil if the attribute
    ///   must not be nil.
    func cells(
        for rows: [UnsafeMutablePointer<Cell>], of entity: Int, in context: BlockContext
    ) throws(DataStoreError) -> [Cell] {
        let attribute = Item.schema.attributes[column]
        let arena = context.resources.arena
        guard column > 0 else {
            throw DataStoreError(
                .invalidValue, "The identifier of an item cannot be changed.", itemType: Item.schema.name,
                attribute: attribute.propertyName)
        }
        do throws(DataStoreError) {
            switch value {
            case .constant(let encode): return Array(repeating: try encode(arena), count: rows.count)
            case .column(let other): return rows.map { $0[other] }
            case .related(let path, let other):
                var cells: [Cell] = []
                for (row, value) in zip(rows, try context.values(at: other, after: path, from: rows, entity))
                {
                    if value.isNull, !attribute.isOptional { throw missing(for: row[0], attribute) }
                    cells.append(try arena.cell(of: value))
                }
                return cells
            }
        } catch {
            throw error.about(itemType: Item.schema.name, attribute: attribute.propertyName)
        }
    }

    private func missing(for identifier: Cell, _ attribute: AttributeSchema) -> DataStoreError {
        DataStoreError(
            .invalidValue,
            "\(attribute.propertyName) must not be nil, but a reference on the way to its new value is.",
            advice: "Leave such items out of the request, or let the attribute be nil.",
            identifier: AnyItemID(identifier, type: Item.schema.attributes[0].type))
    }
}

extension BlockContext {
    /// The values of a column of the items that references lead to from some rows; nil if one of the references is.
    fileprivate func values(
        at column: Int, after references: [RelationshipReference], from rows: [UnsafeMutablePointer<Cell>],
        _ entity: Int
    ) throws(DataStoreError) -> [Constant] {
        let schema = schema
        let path = try schema.path(along: references, of: entity)
        return try withSnapshot { snapshot throws(DataStoreError) in
            let lookup = ReferenceLookup(column, behind: path, of: entity, in: schema, snapshot)
            let storage = schema.entities[entity].storage(ofColumn: lookup.start)
            var values: [Constant] = []
            for part in rows.map({ Constant($0[lookup.start], storage: storage) }).plannedParts {
                values += try lookup.values(for: part)
            }
            return values
        }
    }
}
