import Larder
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
    private let arena = RowArena()
    private var hasEnded = false
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
        do throws(DataStoreError) {
            let value = try JSONValue(line: line, number: number)
            guard !hasEnded else { throw Self.invalid("The line follows the last one.") }
            if let end = value["end"] {
                try commitAll()
                try requireAgreement(with: end)
                hasEnded = true
            } else {
                try insert(value)
            }
        } catch {
            if error.code == .cancelled || error.message.hasPrefix("Line ") { throw error }
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

    private func insert(_ value: JSONValue) throws(DataStoreError) {
        guard let name = value["entity"]?.text, case .object(let members) = value["values"] else {
            throw Self.invalid("It has no entity or no values.")
        }
        let entity = try schema.number(ofEntityNamed: name)
        arena.reset()
        let cells = try cells(of: members, schema.entities[entity])
        digests[entity].add(hashers[entity].digest(of: cells))
        try batches[entity].insert(cells)
        if batches[entity].isFull { try commit(entity) }
    }

    private func cells(
        of members: [(key: String, value: JSONValue)], _ entity: EntitySchema
    ) throws(DataStoreError) -> UnsafePointer<Cell> {
        let cells = try arena.makeCells(entity.attributes.count)
        for (key, value) in members {
            guard let column = entity.column(named: key) else {
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
        for (column, attribute) in entity.attributes.enumerated()
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
        try batches[entity].commit(to: adapter)
        try tracker.passBatch(of: count)
    }

    private func requireAgreement(with end: JSONValue) throws(DataStoreError) {
        let items = digests.reduce(0) { $0 + $1.count }
        guard end["items"]?.integer == items else {
            throw DataStoreError(
                .transferMismatch,
                "The file has \(items) items, which differs from the count in the last line.",
                advice: "Export again; the file is incomplete.")
        }
        for digest in digests {
            let given = end["digests"]?.list?.first { $0["entity"]?.text == digest.entity }
            guard let text = given?["digest"]?.text, text != digest.digest.description else { continue }
            throw DataStoreError(
                .transferMismatch,
                "The items of \(digest.entity) have the digest \(digest.digest), not \(text).",
                advice:
                    "Export again, or remove the digests from the last line if items were changed on purpose.",
                itemType: digest.entity)
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
