extension Assignment {
    /// The value for an item as a cell.
    ///
    /// - Parameters:
    ///   - row: The stored row of the item, with its text and bytes in the arena.
    ///   - entity: The number of the item type.
    /// - Throws: `.invalidValue`, including for the identifier, which is final, and for nil if the attribute
    ///   must not be nil.
    func cell(
        for row: UnsafePointer<Cell>, of entity: Int, in context: BlockContext
    ) throws(DataStoreError) -> Cell {
        let attribute = Item.schema.attributes[column]
        let arena = context.resources.arena
        guard column > 0 else {
            throw DataStoreError(
                .invalidValue, "The identifier of an item cannot be changed.", itemType: Item.schema.name,
                attribute: attribute.propertyName)
        }
        do throws(DataStoreError) {
            switch value {
            case .constant(let encode): return try encode(arena)
            case .column(let other): return row[other]
            case .related(let path, let other):
                let cell = try context.cell(at: other, after: path, from: row, of: entity)
                if !cell.isNull || attribute.isOptional { return cell }
                throw DataStoreError(
                    .invalidValue,
                    "\(attribute.propertyName) must not be nil, but a reference on the way to its new value is.",
                    advice: "Leave such items out of the request, or let the attribute be nil.",
                    identifier: AnyItemID(row[0], type: Item.schema.attributes[0].type))
            }
        } catch {
            throw error.about(itemType: Item.schema.name, attribute: attribute.propertyName)
        }
    }
}

extension BlockContext {
    /// The value of a column of the item that references lead to, copied to the arena; nil if one of them is.
    func cell(
        at column: Int, after path: [RelationshipReference], from row: UnsafePointer<Cell>, of entity: Int
    ) throws(DataStoreError) -> Cell {
        let arena = resources.arena
        var (row, entity) = (row, entity)
        for (step, reference) in path.enumerated() {
            let relationship = try resources.schema.relationship(reference, of: entity)
            let width = relationship.targetSchema.attributes.count
            let isLast = step == path.count - 1
            let copy: UnsafeMutablePointer<Cell>
            switch relationship.form {
            case .reference(let own):
                if row[own].isNull { return .null }
                // The reference itself holds the identifier.
                if column == 0, isLast { return row[own] }
                guard let found = try findRow(at: row[own], of: relationship.target) else { return .null }
                // Not the whole row, of which there may be one for each item of the call.
                if isLast { return try arena.copy(found[column]) }
                copy = try arena.makeCells(width)
                try arena.copy(found, to: copy, width)
            case .referrers(let referring):
                copy = try arena.makeCells(width)
                guard try copyRow(of: relationship.target, where: referring, equals: row[0], to: copy)
                else { return .null }
            case .links: return .null
            }
            (row, entity) = (UnsafePointer(copy), relationship.target)
        }
        return row[column]
    }

    /// Copies the first row with a value to cells in the arena; false if there is none.
    private func copyRow(
        of entity: Int, where column: Int, equals cell: Cell, to copy: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        let schema = resources.schema.entities[entity]
        let constant = Constant(cell, storage: schema.storage(ofColumn: column))
        let plan = RequestPlan(
            entity: entity, schema: schema, predicate: .compare(column: column, .equal, constant), limit: 1)
        let scan = try rows(of: plan)
        defer { scan.close() }
        guard try scan.next() else { return false }
        try resources.arena.copy(scan.cells, to: copy, schema.attributes.count)
        return true
    }
}
