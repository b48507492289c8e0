import LarderEngine
import LarderKernel

// Items of one type in several parts: an item is in the part that its attribute names, and in no other.

extension RoutedWriting {
    /// Applies the first mutations of a list, which are about a type in several parts.
    ///
    /// - Returns: The number of mutations that were applied.
    func apply(
        firstOf mutations: UnsafeBufferPointer<RowMutation>, to partition: Partition,
        _ touched: inout TouchedRows
    ) throws(DataStoreError) -> Int {
        let mutation = mutations[0]
        let places = schema.places[mutation.entity]
        switch mutation.kind {
        case .insert: return try insert(firstOf: mutations, by: partition, &touched)
        case .update where mutation.columns.contains(partition.column):
            touched.add(try move(mutation, to: try partition.position(of: mutation.cells[partition.column])))
        case .update, .delete: touched.add(try write(mutation, toFirstOf: places))
        case .deleteAll:
            var count = 0
            for place in places {
                count += try write([mutation.moved(to: place.entity)], to: place.part).count
            }
            touched.add(count)
        }
        return 1
    }

    /// Inserts the first rows that belong to one part, unless another part has one of their identifiers.
    private func insert(
        firstOf mutations: UnsafeBufferPointer<RowMutation>, by partition: Partition,
        _ touched: inout TouchedRows
    ) throws(DataStoreError) -> Int {
        let entity = mutations[0].entity
        let target = try partition.position(of: mutations[0].cells[partition.column])
        var rows: [RowMutation] = []
        for mutation in mutations {
            guard mutation.kind == .insert, mutation.entity == entity,
                try partition.position(of: mutation.cells[partition.column]) == target
            else { break }
            rows.append(mutation)
        }
        let width = schema.whole.entities[entity].attributes.count
        let cells = CellBuffer(count: width)
        let identifiers = rows.map { $0.cells[0] }
        for (position, place) in schema.places[entity].enumerated() where position != target {
            try writing(of: place.part).forEachRow(
                inBatches: identifiers, of: place.entity, into: cells.start
            ) { row throws(DataStoreError) in
                throw schema.whole.entities[entity].duplicateIdentifier(identifiers[row])
            }
        }
        let place = schema.places[entity][target]
        _ = try write(rows.map { $0.moved(to: place.entity) }, to: place.part)
        touched.addOne(forEachOf: rows.count)
        return rows.count
    }

    /// Changes a row in the part that has it.
    private func write(
        _ mutation: RowMutation, toFirstOf places: [RoutedSchema.Place]
    ) throws(DataStoreError) -> Int {
        for place in places {
            let count = try write([mutation.moved(to: place.entity)], to: place.part).count
            if count > 0 { return count }
        }
        return 0
    }

    /// Updates a row whose attribute names its part, and moves it if that is another one.
    ///
    /// The new row is inserted first: if that fails, nothing has changed.
    private func move(_ mutation: RowMutation, to target: Int) throws(DataStoreError) -> Int {
        let places = schema.places[mutation.entity]
        let place = places[target]
        if try write([mutation.moved(to: place.entity)], to: place.part).count > 0 { return 1 }
        let width = schema.whole.entities[mutation.entity].attributes.count
        let row = CellBuffer(count: width)
        for (position, other) in places.enumerated() where position != target {
            guard try writing(of: other.part).row(at: mutation.cells[0], of: other.entity, into: row.start)
            else { continue }
            let arena = RowArena(chunkBytes: 1024)
            try arena.copy(row.start, to: row.start, width)
            for column in 1..<width where mutation.columns.contains(column) {
                row.start[column] = mutation.cells[column]
            }
            _ = try write([RowMutation(.insert, entity: place.entity, cells: row.start)], to: place.part)
            _ = try write([RowMutation(.delete, entity: other.entity, cells: row.start)], to: other.part)
            return 1
        }
        return 0
    }

    /// Moves every row of a type into the part that its attribute names.
    ///
    /// - Throws: `.invalidValue` for a row that names no part; `.duplicateIdentifier`, `.uniqueViolation` for rows of two
    ///   parts that one store would not have.
    func placeRows(of entity: Int, by partition: Partition) throws(DataStoreError) {
        try requireDistinct(entity)
        let schema = schema.whole.entities[entity]
        let cells = CellBuffer(count: schema.attributes.count)
        let arena = RowArena()
        for (position, place) in self.schema.places[entity].enumerated() {
            for move in try misplaced(in: place, at: position, schema, by: partition, arena) {
                cells.start[0] = move.identifier
                cells.start[partition.column] = move.value
                let mutation = RowMutation(
                    .update, entity: entity, cells: cells.start, columns: ColumnSet([partition.column]))
                _ = try self.move(mutation, to: move.target)
            }
            arena.reset()
        }
    }

    private func misplaced(
        in place: RoutedSchema.Place, at position: Int, _ schema: EntitySchema, by partition: Partition,
        _ arena: RowArena
    ) throws(DataStoreError) -> [(identifier: Cell, value: Cell, target: Int)] {
        var found: [(identifier: Cell, value: Cell, target: Int)] = []
        let columns = partition.column == 0 ? [0] : [0, partition.column]
        let plan = RequestPlan(entity: place.entity, schema: schema, columns: .some(columns))
        let rows = try writing(of: place.part).rows(for: plan)
        defer { rows.close() }
        let row = CellBuffer(count: columns.count)
        while try rows.next(into: row.start) {
            let value = row.start[columns.count - 1]
            do throws(DataStoreError) {
                let target = try partition.position(of: value)
                if target == position { continue }
                found.append((try arena.copy(row.start[0]), try arena.copy(value), target))
            } catch {
                throw error.about(identifier: AnyItemID(row.start[0], type: schema.attributes[0].type))
            }
        }
        return found
    }

    /// Refuses identifiers and unique values that rows of several parts share, as no part knows the others.
    private func requireDistinct(_ entity: Int) throws(DataStoreError) {
        let schema = schema.whole.entities[entity]
        let plan = RequestPlan(entity: entity, schema: schema, columns: .some([0]))
        let rows = try rows(for: plan)
        defer { rows.close() }
        let arena = RowArena(chunkBytes: 1024)
        let row = CellBuffer(count: 1)
        var last: Cell?
        while try rows.next(into: row.start) {
            if let last, last.hasSameBytes(as: row.start[0]) { throw schema.duplicateIdentifier(last) }
            arena.reset()
            last = try arena.copy(row.start[0])
        }
        for index in schema.indexes where index.isUnique {
            if let clash = try UniqueClash.first(in: index, of: entity, schema, self) {
                throw clash.violation
            }
        }
    }
}
