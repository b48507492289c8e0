import LarderEngine
import LarderKernel
import LarderVersions

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
        for (position, other) in places.enumerated() where position != target {
            if try move(mutation, from: other, to: place) != nil { return 1 }
        }
        return 0
    }

    /// Moves a row to another part with the new values of an update; nil if it is not there.
    ///
    /// - Returns: The bytes of its texts and blobs.
    private func move(
        _ mutation: RowMutation, from place: RoutedSchema.Place, to target: RoutedSchema.Place
    ) throws(DataStoreError) -> Int? {
        let width = schema.whole.entities[mutation.entity].attributes.count
        let row = CellBuffer(count: width)
        let source = try writing(of: place.part)
        guard try source.row(at: mutation.cells[0], of: place.entity, into: row.start) else { return nil }
        let arena = RowArena(chunkBytes: 1024)
        try arena.copy(row.start, to: row.start, width)
        for column in 1..<width where mutation.columns.contains(column) {
            row.start[column] = mutation.cells[column]
        }
        _ = try write([RowMutation(.insert, entity: target.entity, cells: row.start)], to: target.part)
        _ = try write([RowMutation(.delete, entity: place.entity, cells: row.start)], to: place.part)
        return (0..<width).reduce(0) { $0 + Int(row.start[$1].length) }
    }
}

// MARK: Placing all rows

/// The rows of some types that are still to be moved into the parts that their attributes name.
struct Placing {
    fileprivate let entities: [Int]
    /// The places whose rows are not all moved yet, with the positions of their parts; the last one is the next.
    fileprivate var places: [(entity: Int, position: Int)]
    /// The last row of the next place that has been moved.
    fileprivate var last: Constant?
    fileprivate var isChecked = false
    fileprivate let checksReferences: Bool

    init(of entities: [Int], in schema: RoutedSchema, checksReferences: Bool) {
        self.entities = entities
        self.checksReferences = checksReferences
        places = entities.flatMap { entity in
            schema.places[entity].indices.map { (entity: entity, position: $0) }
        }
    }

    /// The rows that one commit moves at most.
    fileprivate static let rowsAtOnce = 4096
}

extension RoutedWriting {
    /// Moves the next rows into the parts that their attributes name, as many as one commit should have in memory.
    ///
    /// All rows are checked before the first one moves.
    ///
    /// - Returns: True if none is left.
    /// - Throws: `.invalidValue` for a row that names no part; `.duplicateIdentifier`, `.uniqueViolation` for rows of two
    ///   parts that one store would not have; `.targetNotFound` for a reference to an item that was deleted meanwhile.
    func placeRows(_ placing: inout Placing) throws(DataStoreError) -> Bool {
        if !placing.isChecked {
            for entity in placing.entities { try requirePlaceable(entity) }
            if placing.checksReferences { try requireReferences(of: placing.entities) }
        }
        placing.isChecked = true
        let arena = RowArena()
        let cells = CellBuffer(count: 1)
        // The journal does not have the rows that go to the first part.
        var bytes = 0
        while let (entity, position) = placing.places.last {
            let (type, places) = (schema.whole.entities[entity], schema.places[entity])
            let moves = try misplaced(in: position, of: entity, after: placing.last, arena)
            for (number, move) in moves.enumerated() {
                cells.start[0] = move.identifier
                let mutation = RowMutation(.update, entity: entity, cells: cells.start)
                bytes += try self.move(mutation, from: places[position], to: places[move.target]) ?? 0
                if number + 1 < Placing.rowsAtOnce, bytes < CommitJournal.pieceBytes { continue }
                placing.last = Constant(move.identifier, storage: type.storage(ofColumn: 0))
                return false
            }
            arena.reset()
            placing.places.removeLast()
            placing.last = nil
        }
        return true
    }

    /// Refuses references of or to some types that one store would not have, and removes such links.
    private func requireReferences(of entities: [Int]) throws(DataStoreError) {
        let related = schema.whole.relationships.joined().filter { relationship in
            let isConcerned = entities.contains(relationship.owner) || entities.contains(relationship.target)
            return isConcerned && !relationship.isDerived
        }
        for relationship in related where relationship.linkEntity == nil {
            let fault = try ReferenceFault.first(in: relationship, schema.whole, self, cancelledAs: nil)
            guard let fault else { continue }
            throw fault.error(
                fault.sentence,
                advice: """
                    Open the store without the part that was left out for a time, and make that item again, or delete \
                    the other one that refers to it. Nothing was changed.
                    """)
        }
        try LinkSweep(of: schema.whole, in: self).run(related)
    }

    /// The first rows of a place that belong to another one.
    private func misplaced(
        in position: Int, of entity: Int, after last: Constant?, _ arena: RowArena
    ) throws(DataStoreError) -> [(identifier: Cell, target: Int)] {
        guard let partition = schema.partitions[entity] else { return [] }
        var found: [(identifier: Cell, target: Int)] = []
        let place = schema.places[entity][position]
        var plan = partition.plan(of: schema.whole.entities[entity], place.entity)
        if let last { plan.predicate = .compare(column: 0, .greater, last) }
        let rows = try writing(of: place.part).rows(for: plan)
        defer { rows.close() }
        let row = CellBuffer(count: 2)
        while found.count < Placing.rowsAtOnce, try rows.next(into: row.start) {
            let target = try partition.position(ofRow: row.start)
            if target != position { found.append((try arena.copy(row.start[0]), target)) }
        }
        return found
    }
}

extension RoutedReading {
    /// Refuses rows that name no part, and identifiers and unique values that rows of several parts share, as no part
    /// knows the others.
    func requirePlaceable(_ entity: Int) throws(DataStoreError) {
        guard let partition = schema.partitions[entity] else { return }
        let schema = schema.whole.entities[entity]
        let arena = RowArena(chunkBytes: 1024)
        var last: Cell?
        try forEachRow(of: partition.plan(of: schema, entity)) { row throws(DataStoreError) in
            if let last, last.hasSameBytes(as: row[0]) { throw schema.duplicateIdentifier(last) }
            do throws(DataStoreError) {
                _ = try partition.position(ofRow: row)
            } catch {
                throw error.about(identifier: AnyItemID(row[0], type: schema.attributes[0].type))
            }
            arena.reset()
            last = try arena.copy(row[0])
        }
        for index in schema.indexes where index.isUnique {
            if let clash = try UniqueClash.first(in: index, of: entity, schema, self) {
                throw clash.violation
            }
        }
    }
}
