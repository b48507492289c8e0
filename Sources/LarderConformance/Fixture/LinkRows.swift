package import Larder

/// The links of a relationship between item types with whole numbers as identifiers, as rows.
package struct LinkRows: Sendable {
    private let entity: Int
    private let schema: EntitySchema

    /// - Parameter types: The types of the store, in its order.
    package init(_ name: String, of type: any DataStoreItem.Type, in types: [any DataStoreItem.Type]) throws {
        let schema = try StoreSchema(storing: types)
        let relationships = schema.number(of: type).map { schema.relationships[$0] } ?? []
        guard case .links(let side)? = relationships.first(where: { $0.name == name })?.form else {
            throw DataStoreError(.invalidSchema, "\(type).\(name) has no links.")
        }
        entity = side.entity
        self.schema = schema.entities[entity]
    }

    /// Inserts links.
    package func insert(
        _ links: [(id: Int64, source: Constant, target: Constant)], _ accessor: DataStoreReadWriteAccessor
    ) throws(DataStoreError) {
        let arena = RowArena()
        var mutations: [RowMutation] = []
        for link in links {
            let cells = try arena.makeCells(schema.attributes.count)
            cells[0] = .integer(link.id)
            cells[1] = try arena.cell(of: link.source)
            cells[2] = try arena.cell(of: link.target)
            if schema.attributes.count > 3 { cells[3] = try arena.cell(of: .text("m\(link.id)")) }
            mutations.append(RowMutation(.insert, entity: entity, cells: cells))
        }
        try accessor.preparedBlock().pipeline.apply(mutations, in: nil)
        withExtendedLifetime(arena) {}
    }

    /// Deletes a link.
    package func delete(_ id: Int64, _ accessor: DataStoreReadWriteAccessor) throws(DataStoreError) {
        let arena = RowArena()
        let cells = try arena.makeCells(1)
        cells[0] = .integer(id)
        try accessor.preparedBlock().pipeline.apply(
            [RowMutation(.delete, entity: entity, cells: cells)], in: nil)
        withExtendedLifetime(arena) {}
    }

    /// Gives a link another rank.
    package func rank(_ id: Int64, _ rank: String, _ accessor: DataStoreReadWriteAccessor)
        throws(DataStoreError)
    {
        let arena = RowArena()
        let cells = try arena.makeCells(4)
        cells[0] = .integer(id)
        cells[3] = try arena.cell(of: .text(rank))
        try accessor.preparedBlock().pipeline.apply(
            [RowMutation(.update, entity: entity, cells: cells, columns: ColumnSet([3]))], in: nil)
        withExtendedLifetime(arena) {}
    }

    /// Calls the body with each link between items whose identifiers are numbers.
    package func forEach(
        _ accessor: DataStoreReadAccessor, _ body: (_ id: Int64, _ source: Int64, _ target: Int64) -> Void
    ) throws {
        try accessor.forEachRow(of: RequestPlan(entity: entity, schema: schema)) { cells in
            body(cells[0].integer, cells[1].integer, cells[2].integer)
        }
    }

    /// The links as `source-target`, in the order of their identifiers.
    package func all(_ accessor: DataStoreReadAccessor) throws -> [String] {
        var links: [String] = []
        try accessor.forEachRow(of: RequestPlan(entity: entity, schema: schema)) { cells in
            let source = Constant(cells[1], storage: schema.storage(ofColumn: 1))
            let target = Constant(cells[2], storage: schema.storage(ofColumn: 2))
            links.append("\(source)-\(target)")
        }
        return links
    }
}

extension DataStoreReadAccessor {
    /// Calls the body with each row of a plan; the cells are valid during the call.
    package func forEachRow(
        of plan: RequestPlan, _ body: (UnsafePointer<Cell>) throws -> Void
    ) throws {
        let context = try block()
        try context.prepareForRequest()
        let scan = try context.rows(of: plan)
        defer { scan.close() }
        while try scan.next() { try body(scan.cells) }
    }
}
