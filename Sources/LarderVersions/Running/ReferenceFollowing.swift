import LarderEngine
import LarderKernel

/// Lets references and links follow the rows that have got another identifier.
///
/// A reference that a closure has given a new row stays. If a row is dropped and one that had another identifier takes its
/// own, what led to the first does not lead to the second: links go, and a reference is an error.
///
/// *Cost:* nothing if every row keeps its identifier. Else walks the references and links that lead to such
/// types, or start from them, with one look-up for each.
struct ReferenceFollowing {
    private let prepared: PreparedStep
    private let rows: any StorageWriting
    /// The lists of new identifiers that hold any.
    private let moves: [MovedRows]

    init(of prepared: PreparedStep, in rows: any StorageWriting) throws(DataStoreError) {
        self.prepared = prepared
        self.rows = rows
        var moves: [MovedRows] = []
        for list in prepared.plan.moves {
            guard try rows.hasRows(list.identifiers, prepared.working.entities[list.identifiers]) else {
                continue
            }
            let type = prepared.target.entities[list.target].name
            if prepared.plan.stage.fixedIdentifiers.contains(UTF8Key(type)) {
                throw DataStoreError(
                    .unsupported,
                    """
                    The step \(prepared.step) gives rows of \(type) other identifiers, and its relationships lead to \
                    other parts of the store, which cannot follow.
                    """,
                    advice: "Keep the identifiers: call make() without one.", itemType: type)
            }
            try Self.requireOneSource(of: list, in: prepared)
            moves.append(list)
        }
        self.moves = moves
    }

    func run() throws(DataStoreError) {
        if moves.isEmpty { return }
        for relationship in prepared.target.relationships.joined() {
            switch relationship.form {
            case .referrers: break
            case .reference(let column):
                guard let place = place(of: column, of: relationship.owner) else { continue }
                try follow(relationship.target, in: place.column, of: place.entity, as: relationship)
            case .links(let side):
                guard !side.isReversed, let entity = position(of: side.entity) else { continue }
                try follow(relationship.target, in: LinkEntity.target, of: entity)
                // New links start from new rows, which have their identifiers already.
                for links in prepared.plan.explicitLinks where links.stored == entity {
                    try follow(relationship.owner, in: LinkEntity.source, of: entity, from: links.source)
                    try follow(relationship.target, in: LinkEntity.target, of: links.made)
                }
            }
        }
    }

    /// Refuses new identifiers of one type whose rows come from several, as a reference does not name the
    /// type it means.
    private static func requireOneSource(
        of list: MovedRows, in prepared: PreparedStep
    ) throws(DataStoreError) {
        let type = prepared.target.entities[list.target].name
        let sources = prepared.plan.runs.filter { run in
            run.source != nil && run.mapping.destinations.contains { UTF8Text.areEqual($0, type) }
        }
        let isReferredTo = prepared.target.relationships.joined().contains { $0.target == list.target }
        if Set(sources.compactMap(\.source)).count < 2 || !isReferredTo { return }
        throw DataStoreError(
            .migrationFailed,
            """
            The step \(prepared.step) makes \(type) of several types and gives rows other identifiers, so that \
            references to \(type) cannot follow them.
            """,
            advice: "Give the rows their new identifiers in a step before this one.", itemType: type)
    }

    /// The number in the working schema of a type of the target; nil for one that the step adds.
    private func position(of number: Int) -> Int? {
        guard let old = prepared.finishing.entities[number].old else { return nil }
        return prepared.making.target.entities.firstIndex { $0.number == old.number }
    }

    private func place(of column: Int, of number: Int) -> PreparedStep.Place? {
        guard let entity = position(of: number),
            case .stored(let place) = prepared.finishing.entities[number].columns[column]
        else { return nil }
        return PreparedStep.Place(entity: entity, column: place)
    }

    /// The number of the list of the rows whose reference is to a new row; nil for none.
    private func keptReferences(in column: Int, of number: Int) throws(DataStoreError) -> Int? {
        let kept = prepared.plan.keptReferences.first { $0.entity == number && $0.column == column }
        guard let list = kept?.list else { return nil }
        return try rows.hasRows(list, prepared.working.entities[list]) ? list : nil
    }

    /// Replaces the old identifiers of a type in a column.
    ///
    /// - Parameters:
    ///   - reference: The relationship of the column; nil for a column of links.
    ///   - source: The stored type whose old identifiers are meant; nil for every type that rows of `target` are made of.
    /// - Throws: `.targetNotFound` for a reference to a row that is dropped, if another one takes its identifier.
    private func follow(
        _ target: Int, in column: Int, of number: Int, as reference: StoreRelationship? = nil,
        from source: Int? = nil
    ) throws(DataStoreError) {
        let entity = prepared.working.entities[number]
        let type = entity.attributes[column].type
        let lists = moves.filter { list in
            let moved = prepared.working.entities[list.identifiers]
            return list.target == target
                && moved.attributes.allSatisfy { $0.type.storage == type.storage }
        }
        if lists.isEmpty { return }
        let kept = try keptReferences(in: column, of: number)
        let found = CellBuffer(count: 2)
        let arena = RowArena()
        let batches = RowBatches(of: number, in: prepared.working, rows)
        while try batches.readNext() {
            arena.reset()
            var mutations: [RowMutation] = []
            var left = batches.rows.filter { !$0[column].isNull }
            if let kept {
                let areKept = try areThere(left.map { $0[0] }, of: kept)
                left = zip(left, areKept).filter { !$1 }.map(\.0)
            }
            for list in lists where source == nil || list.source == source {
                var areFound = left.map { _ in false }
                try rows.forEachRow(
                    inBatches: left.map { $0[column] }, of: list.identifiers, into: found.start
                ) { position throws(DataStoreError) in
                    areFound[position] = true
                    let changed = try arena.makeCells(entity.attributes.count)
                    changed[0] = left[position][0]
                    changed[column] = try arena.copy(found.start[1])
                    mutations.append(
                        RowMutation(
                            .update, entity: number, cells: changed, columns: ColumnSet([column])))
                }
                left = zip(left, areFound).filter { !$1 }.map(\.0)
            }
            for list in lists {
                for cells in try leading(left, by: column, of: number, toDroppedRowsOf: list) {
                    if let reference { throw lost(reference, in: cells, column) }
                    mutations.append(RowMutation(.delete, entity: number, cells: cells))
                }
            }
            if mutations.isEmpty { continue }
            try rows.apply(mutations)
        }
        withExtendedLifetime(found) {}
    }

    /// The rows whose column leads to a dropped row of which another one takes the identifier.
    ///
    /// A row that keeps its identifier is the only one that has it. A closure may have given a new row an identifier that
    /// no old row has, which leads to the row that takes it.
    private func leading(
        _ some: [UnsafePointer<Cell>], by column: Int, of number: Int, toDroppedRowsOf list: MovedRows
    ) throws(DataStoreError) -> [UnsafePointer<Cell>] {
        let isMade = number >= prepared.sourceCount
        var left = some
        for entity in isMade ? [list.taken, list.source] : [list.taken] {
            let areFound = try areThere(left.map { $0[column] }, of: entity)
            left = zip(left, areFound).filter { $1 }.map(\.0)
        }
        return left
    }

    /// For each identifier, true if a type, or a list, has a row with it.
    private func areThere(_ identifiers: [Cell], of entity: Int) throws(DataStoreError) -> [Bool] {
        let row = CellBuffer(count: prepared.working.entities[entity].attributes.count)
        defer { withExtendedLifetime(row) {} }
        var areFound = identifiers.map { _ in false }
        try rows.forEachRow(inBatches: identifiers, of: entity, into: row.start) { areFound[$0] = true }
        return areFound
    }

    private func lost(
        _ reference: StoreRelationship, in cells: UnsafePointer<Cell>, _ column: Int
    ) -> DataStoreError {
        let owner = prepared.target.entities[reference.owner]
        let target = reference.targetSchema
        let item = AnyItemID(cells[0], type: owner.attributes[0].type)
        let other = AnyItemID(cells[column], type: target.attributes[0].type)
        let names = [item, other].map { id in id.map { " \($0)" } ?? "" }
        return DataStoreError(
            .targetNotFound,
            """
            \(owner.name)\(names[0]) refers by \(reference.propertyName) to \(target.name)\(names[1]), which the step \
            \(prepared.step) drops, and another item takes its identifier.
            """, itemType: owner.name, attribute: reference.propertyName, identifier: item)
    }
}
