import LarderText
import LarderKernel
import LarderEngine

/// Puts the items of JSON Lines into a store, batch by batch.
///
/// *Rule:* used by one thread at a time.
final class ImportWriter {
    private let schema: StoreSchema
    private let adapter: any StorageAdapter
    private let tracker: TransferProgressTracker
    private let batches: [RowBatch]
    private let hashers: [RowHasher]
    /// For each item type the columns of its attributes by their names, which every line has.
    private let columns: [[UTF8Key: Int]]
    /// For each item type its relationships whose links are in the lines.
    private let links: [[ImportedLinks]]
    private var lines: [LineIndex]
    private let arena = RowArena()
    private var hasEnded = false
    /// True while a batch is written: a failure is about all of its lines then, and not about the last one.
    private var isCommitting = false
    /// The number of items so far, without links.
    private(set) var items = 0
    /// The digests of the imported items so far, one for each item type.
    private(set) var digests: [EntityDigest]

    init(
        _ schema: StoreSchema, _ adapter: any StorageAdapter, batchLimit: Int,
        tracker: TransferProgressTracker
    ) {
        self.schema = schema
        self.adapter = adapter
        self.tracker = tracker
        batches = schema.entities.enumerated().map { RowBatch(of: $0, $1, limit: batchLimit) }
        hashers = schema.entities.map(RowHasher.init)
        columns = schema.entities.map { entity in
            let names = entity.declaredAttributes.enumerated().map { (UTF8Key($1.name), $0) }
            return Dictionary(names) { first, _ in first }
        }
        links = schema.relationships.map { $0.compactMap(ImportedLinks.init) }
        lines = schema.entities.map(LineIndex.init)
        digests = schema.entities.map { EntityDigest(entity: $0.name) }
    }

    /// Deletes what an earlier import has left that did not end.
    func startOver() throws(DataStoreError) {
        for batch in batches {
            try batch.deleteAll()
            try batch.commit(to: adapter)
        }
    }

    /// Takes one line after the first.
    func take(_ line: ArraySlice<UInt8>, number: Int) throws(DataStoreError) {
        // Its errors name the line.
        let value = try JSONValue(line: line, number: number)
        do throws(DataStoreError) {
            guard !hasEnded else { throw Self.invalid("The line follows the last one.") }
            if let end = value["end"] {
                try commitAll()
                try requireAgreement(with: end)
                hasEnded = true
            } else {
                try insert(value, line: number)
            }
        } catch {
            if isCommitting { throw error }
            throw error.with(message: "Line \(number): \(error.message)")
        }
    }

    /// - Throws: `.invalidText` when the last line has not come.
    func finish(lines: Int) throws(DataStoreError) {
        if !hasEnded {
            throw DataStoreError(
                .invalidText, "The lines end with line \(lines), before the one that ends an export.",
                advice: "Export again; the file was cut off.")
        }
    }

    /// The line of an item; nil if it is not known.
    ///
    /// - Parameter reading: Reads the finished store.
    func line(
        of item: AnyItemID, ofEntity number: Int, in reading: any StorageReading
    ) throws(DataStoreError) -> Int? {
        let entity = schema.entities[number]
        arena.reset()
        let identifier = try item.encode(in: arena)
        let before = RowPredicate.compare(
            column: 0, .less, Constant(identifier, storage: entity.storage(ofColumn: 0)))
        let count = try reading.count(
            for: RequestPlan(entity: number, schema: entity, predicate: before))
        return lines[number].line(of: identifier, countBefore: count)
    }

    private func insert(_ value: JSONValue, line: Int) throws(DataStoreError) {
        guard let name = value["entity"]?.text, case .object(let members) = value["values"] else {
            throw Self.invalid("It has no entity or no values.")
        }
        let entity = try schema.number(ofEntityNamed: name)
        arena.reset()
        if schema.entities[entity].isLink {
            throw Self.invalid("\(name) is a relationship, whose links are in the lines of its items.")
        }
        let cells = try cells(of: members, entity)
        if !schema.relationships[entity].isEmpty { lines[entity].note(cells[0], line: line) }
        items += 1
        try insert(cells, entity)
        for links in links[entity] {
            try links.forEachRow(of: cells[0], in: members, arena) { (row) throws(DataStoreError) in
                try insert(row, links.side.entity)
            }
        }
    }

    private func insert(_ cells: UnsafePointer<Cell>, _ entity: Int) throws(DataStoreError) {
        digests[entity].add(hashers[entity].digest(of: cells))
        try batches[entity].insert(cells)
        if batches[entity].isFull { try commit(entity) }
    }

    private func cells(
        of members: [(key: String, value: JSONValue)], _ number: Int
    ) throws(DataStoreError) -> UnsafePointer<Cell> {
        let entity = schema.entities[number]
        let cells = try arena.makeCells(entity.attributes.count)
        for (key, value) in members {
            guard let column = columns[number][UTF8Key(key)] else {
                if links[number].contains(where: { UTF8Text.areEqual($0.name, key) }) { continue }
                throw DataStoreError(
                    .unknownAttribute, "\(entity.name) has no attribute \"\(key)\".", itemType: entity.name,
                    attribute: key)
            }
            guard let cell = try value.cell(of: entity.attributes[column].type, in: arena) else {
                throw DataStoreError(
                    .wrongType,
                    "The value of \(key) is not a valid \(entity.attributes[column].type.rawValue).",
                    itemType: entity.name, attribute: key)
            }
            cells[column] = cell
        }
        for (column, attribute) in entity.declaredAttributes.enumerated()
        where cells[column].isNull && !attribute.isOptional {
            throw DataStoreError(
                .wrongType, "\(attribute.name) is missing or null, and must not be.", itemType: entity.name,
                attribute: attribute.name)
        }
        try DataStoreLimits.check(identifier: cells[0])
        return UnsafePointer(cells)
    }

    private func commitAll() throws(DataStoreError) {
        for entity in batches.indices { try commit(entity) }
    }

    private func commit(_ entity: Int) throws(DataStoreError) {
        let count = batches[entity].count
        isCommitting = true
        do throws(DataStoreError) {
            try batches[entity].commit(to: adapter)
        } catch {
            guard error.code == .duplicateIdentifier, let identifier = error.identifier else { throw error }
            throw error.with(message: "Two lines are about \(schema.entities[entity].name) \(identifier).")
        }
        // The first line counts items only.
        try tracker.passBatch(of: schema.entities[entity].isLink ? 0 : count)
        isCommitting = false
    }

    private func requireAgreement(with end: JSONValue) throws(DataStoreError) {
        guard end["items"]?.integer == items else {
            throw DataStoreError(
                .transferMismatch,
                "The file has \(items) items, which differs from the count in the last line.",
                advice: "Export again; the file is incomplete.")
        }
        for digest in digests {
            let given = end["digests"]?.list?.first {
                $0["entity"]?.text.map(UTF8Key.init) == UTF8Key(digest.entity)
            }
            guard let text = given?["digest"]?.text, text != digest.digest.description else { continue }
            throw DataStoreError(
                .transferMismatch,
                "The items of \(digest.entity) have the digest \(digest.digest), not \(text).",
                advice:
                    "Export again, or remove the digests from the last line if items were changed on purpose.",
                itemType: digest.entity)
        }
        for given in end["digests"]?.list ?? [] {
            guard let name = given["entity"]?.text, let count = given["count"]?.integer, count > 0,
                !digests.contains(where: { UTF8Text.areEqual($0.entity, name) })
            else { continue }
            throw DataStoreError(
                .transferMismatch,
                "The last line counts rows of \(name), which the first line does not describe.",
                advice: "Export again; without the description, these rows are lost.", itemType: name)
        }
    }

    private static func invalid(_ message: String) -> DataStoreError {
        DataStoreError(.invalidText, message, advice: "Correct the line, or export again.")
    }
}

extension DataStoreError {
    fileprivate func with(message: String) -> DataStoreError {
        DataStoreError(
            code, message, advice: advice, itemType: itemType, attribute: attribute, identifier: identifier,
            request: request, path: path, underlying: underlying)
    }
}
