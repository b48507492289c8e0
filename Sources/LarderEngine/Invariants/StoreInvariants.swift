package import LarderKernel

/// The invariants of a store's rows on every engine: every row can be read, none is lost, unique values
/// belong to one item, and every reference and link leads to items that exist.
///
/// An adapter runs it over its own reading, and adds what only it knows. *Rule:* belongs to one thread.
package struct StoreInvariants {
    /// The problems, one sentence each.
    package private(set) var problems: [String] = []
    let schema: StoreSchema
    let transaction: any StorageReading

    /// The maximum number of listed problems.
    package static let limit = 20

    /// The invariants of the item types of the schema that the transaction reads.
    package init(of schema: StoreSchema, in transaction: any StorageReading) {
        self.schema = schema
        self.transaction = transaction
    }

    package var isFull: Bool { problems.count >= Self.limit }

    /// Reads every item, by its identifier too, and every index.
    ///
    /// *Cost:* reads everything once, and each unique index and each reference again.
    ///
    /// - Parameter comparing: Checks each sound row of the item type with this number, and returns a sentence
    ///   about any further defect.
    /// - Throws: Errors that prevent further reading; damage goes to ``problems``.
    package mutating func check(
        comparing: (Int, UnsafePointer<Cell>) throws(DataStoreError) -> String? = { _, _ in nil }
    ) throws(DataStoreError) {
        var sound = Set(schema.entities.indices)
        for number in schema.entities.indices where !isFull {
            let known = problems.count
            do throws(DataStoreError) {
                try check(number, comparing)
            } catch {
                try note(error)
            }
            if problems.count > known { sound.remove(number) }
        }
        for relationship in schema.relationships.joined() where !isFull {
            let ends =
                [relationship.owner, relationship.target] + [relationship.linkEntity].compactMap(\.self)
            // References to rows that cannot be read show nothing new.
            if sound.isSuperset(of: ends) { try check(relationship) }
        }
        for reference in ReferenceGraph(of: schema).references.joined() where reference.isText && !isFull {
            if sound.isSuperset(of: [reference.entity, reference.target]) { try check(reference) }
        }
    }

    /// Looks for references and links that lead nowhere, and for links without a rank.
    private mutating func check(_ relationship: StoreRelationship) throws(DataStoreError) {
        var found: [String] = []
        let room = Self.limit - problems.count
        do throws(DataStoreError) {
            try ReferenceFault.forEach(
                in: relationship, schema, transaction, cancelledAs: "The check"
            ) { _, fault in
                found.append(fault.sentence)
                return found.count < room
            }
        } catch {
            try note(error)
        }
        for sentence in found { note(sentence) }
    }

    /// Takes what is wrong with the data for a problem of the store, and throws anything else.
    package mutating func note(_ error: DataStoreError) throws(DataStoreError) {
        guard error.isDamage else { throw error }
        let place = [error.itemType, error.attribute].compactMap { $0 }.joined(separator: ".")
        let isPlaced = place.isEmpty || error.message.contains(place)
        let item = error.identifier.map { " (item \($0))" } ?? ""
        let native = error.underlying.map { " (\($0.message))" } ?? ""
        note((isPlaced ? "" : place + ": ") + error.message + item + native)
    }

    package mutating func note(_ problem: String) {
        // A fault in a row is found again when its indexes are read.
        if !isFull && !problems.contains(problem) { problems.append(problem) }
    }

    private mutating func check(
        _ number: Int, _ comparing: (Int, UnsafePointer<Cell>) throws(DataStoreError) -> String?
    ) throws(DataStoreError) {
        let entity = schema.entities[number]
        let found = try readRows(number, comparing)
        let counted = try transaction.count(for: RequestPlan(entity: number, schema: entity))
        if counted != found, !isFull {
            note("\(entity.name) counts \(counted) items, and \(found) can be read.")
        }
        for index in entity.indexes where !isFull {
            guard index.isUnique else { continue }
            let clash = try UniqueClash.first(
                in: index, of: number, entity, transaction, cancelledAs: "The check")
            if let clash { note(clash.sentence) }
        }
    }

    /// Reads the rows in the order of their identifiers, and each by its identifier, some hundred at a time.
    ///
    /// - Returns: Their number.
    private mutating func readRows(
        _ number: Int, _ comparing: (Int, UnsafePointer<Cell>) throws(DataStoreError) -> String?
    ) throws(DataStoreError) -> Int {
        let entity = schema.entities[number]
        let row = CellBuffer(count: entity.attributes.count)
        let cells = row.start
        defer { withExtendedLifetime(row) {} }
        let arena = RowArena()
        var identifiers: [Cell] = []
        let cursor = try transaction.rows(for: RequestPlan(entity: number, schema: entity))
        defer { cursor.close() }
        var (count, failures) = (0, 0)
        while !isFull {
            try Cancellation.check("The check")
            do throws(DataStoreError) {
                guard try cursor.next(into: cells) else { break }
            } catch {
                try note(error)
                count += 1
                failures += 1
                // A cursor that cannot continue may report the same error again and again.
                if failures == Self.limit { break }
                continue
            }
            count += 1
            do throws(DataStoreError) {
                try schema.requireReadable(cells, of: number)
                identifiers.append(try arena.copy(cells[0]))
                if let problem = entity.rankProblem(cells) { note(problem) }
                if let problem = try comparing(number, cells) { note(problem) }
            } catch {
                try note(error)
            }
            if identifiers.count < 256 { continue }
            try requireFound(identifiers, of: number)
            identifiers.removeAll(keepingCapacity: true)
            arena.reset()
        }
        try requireFound(identifiers, of: number)
        return count
    }

    private mutating func requireFound(_ identifiers: [Cell], of number: Int) throws(DataStoreError) {
        let entity = schema.entities[number]
        let row = CellBuffer(count: entity.attributes.count)
        var isFound = identifiers.map { _ in false }
        do throws(DataStoreError) {
            try transaction.forEachRow(inBatches: identifiers, of: number, into: row.start) {
                isFound[$0] = true
            }
        } catch {
            // It may be about one row, so each of the others is looked up by itself.
            guard error.isDamage else { throw error }
        }
        for position in identifiers.indices where !isFound[position] {
            do throws(DataStoreError) {
                if try transaction.row(at: identifiers[position], of: number, into: row.start) { continue }
                throw DataStoreError(
                    .damaged, "A row cannot be found by its identifier.", itemType: entity.name,
                    identifier: AnyItemID(identifiers[position], type: entity.attributes[0].type))
            } catch {
                try note(error)
            }
        }
    }
}

extension DataStoreError {
    /// True if the data is at fault, and not the moment, the machine or the caller.
    fileprivate var isDamage: Bool {
        let codes: [Code] = [
            .damaged, .undecodable, .invalidSchema, .duplicateIdentifier, .uniqueViolation, .targetNotFound,
            .engine,
        ]
        return codes.contains(code)
    }
}

extension StoreSchema {
    /// Refuses a row that cannot be read: by the schema, and by the app's item type if it is known.
    ///
    /// - Throws: `.undecodable` or `.damaged`, naming the item and the attribute.
    fileprivate func requireReadable(
        _ cells: UnsafePointer<Cell>, of number: Int
    ) throws(DataStoreError) {
        let entity = entities[number]
        try entity.requireDecodable(cells)
        try entity.requireFolded(cells)
        if types.indices.contains(number) { try types[number].requireReadable(cells, of: entity) }
    }
}

extension DataStoreItem {
    fileprivate static func requireReadable(
        _ cells: UnsafePointer<Cell>, of entity: EntitySchema
    ) throws(DataStoreError) {
        _ = try Self(row: RowReader(cells: cells, of: entity))
    }
}

extension EntitySchema {
    /// The sentence about a link whose rank cannot be read; nil for every other row.
    fileprivate func rankProblem(_ cells: UnsafePointer<Cell>) -> String? {
        guard isLink, attributes.count > LinkEntity.rank, !LinkEntity.isRank(cells[LinkEntity.rank].string)
        else { return nil }
        let link = AnyItemID(cells[0], type: attributes[0].type)
        return "\(name): The link \(link?.description ?? "?") has the rank "
            + "\(cells[LinkEntity.rank].rawDescription), which cannot be read."
    }
}
