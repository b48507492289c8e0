import Foundation
package import LarderKernel
import LarderEngine

/// The metadata of a store in the table `larder`: one entry each, under its name.
package enum MetaRecord: String, CaseIterable {
    /// The version of all formats here, as 4 bytes.
    case format
    /// The generation of the schema, as 8 bytes; each transaction compares it.
    case generation
    /// The ``StoredSchema``, as JSON.
    case schema
    /// The ``TableDirectory``.
    case tables
    /// The app's declaration when the schema was last changed; while it stays the same, nothing is compared.
    ///
    /// Opening an LMDB store takes 124 us with it and 158 us without (`larder-bench --quick`, raw LMDB 65).
    case declaration

    package static let tableName = "larder"

    /// The newest format this code reads; it writes the oldest one that holds the schema.
    static let newestFormat = StoredSchema.newestFormatVersion

    /// The stored bytes, or nil.
    func value(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        try withKey { key throws(DataStoreError) in try snapshot.value(at: key, in: meta) }
    }

    /// The stored bytes.
    ///
    /// - Throws: `.damaged` when there are none.
    func requiredValue(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer {
        guard let value = try value(in: snapshot, meta) else {
            throw DataStoreError(.damaged, "The store keeps no \"\(rawValue)\" of itself.")
        }
        return value
    }

    func store(
        _ value: UnsafeRawBufferPointer, in transaction: any KeyValueTransaction, _ meta: KeyValueTable
    ) throws(DataStoreError) {
        _ = try withKey { key throws(DataStoreError) in
            try transaction.put(value, at: key, in: meta, overwrites: true)
        }
    }

    private func withKey<Value>(
        _ body: (UnsafeRawBufferPointer) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        try rawValue.withBytes(body)
    }
}

extension MetaRecord {
    /// - Throws: `.newerFormat`, `.damaged`.
    static func checkFormat(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) {
        try check(format: try format.requiredValue(in: snapshot, meta))
    }

    /// - Throws: `.newerFormat`, `.damaged`.
    package static func check(format: UnsafeRawBufferPointer) throws(DataStoreError) {
        var fields = RecordFields(format)
        let stored = try fields.number()
        guard stored <= newestFormat else {
            throw DataStoreError(
                .newerFormat, "The store has format \(stored); this version knows \(newestFormat).")
        }
        guard stored > 0 else { throw DataStoreError(.damaged, "The store has no format.") }
    }

    /// - Throws: `.damaged`, even if the generation is not the one that transactions compare.
    static func storedSchema(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> StoredSchema {
        let stored = try StoredSchema(decoding: try schema.requiredValue(in: snapshot, meta))
        let generation = try storedGeneration(in: snapshot, meta)
        guard generation == UInt64(stored.generation) else {
            throw DataStoreError(
                .damaged, "The store has generation \(generation), but its schema has \(stored.generation).")
        }
        return stored
    }

    static func directory(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> TableDirectory {
        try TableDirectory(decoding: try tables.requiredValue(in: snapshot, meta))
    }

    static func storedGeneration(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> UInt64 {
        let value = try generation.requiredValue(in: snapshot, meta)
        guard value.count == 8 else { throw DataStoreError(.damaged, "The store has no generation.") }
        return UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
    }

    /// Stores everything a store keeps about itself.
    static func storeAll(
        _ schema: StoredSchema, _ directory: TableDirectory, declaration: ByteBuffer,
        in transaction: any KeyValueTransaction, _ meta: KeyValueTable
    ) throws(DataStoreError) {
        let record = ByteBuffer()
        record.append(number: schema.formatVersion)
        try MetaRecord.format.store(record.bytes, in: transaction, meta)
        record.truncate()
        let generation = UInt64(truncatingIfNeeded: schema.generation).littleEndian
        record.grow(by: 8).storeBytes(of: generation, as: UInt64.self)
        try MetaRecord.generation.store(record.bytes, in: transaction, meta)
        record.truncate()
        directory.write(to: record)
        try MetaRecord.tables.store(record.bytes, in: transaction, meta)
        try MetaRecord.declaration.store(declaration.bytes, in: transaction, meta)
        record.truncate()
        schema.encoded().withUnsafeBytes { record.append($0) }
        try MetaRecord.schema.store(record.bytes, in: transaction, meta)
    }
}

extension StoreSchema {
    /// Appends everything that ``SchemaEvolution`` compares, so that equal bytes mean that there is nothing
    /// to do.
    func writeDeclaration(to record: ByteBuffer) {
        // The form of the declaration. A store that keeps an equal one has an identity.
        record.append(text: "2")
        if case .filling(let transfer) = purpose { record.append(text: transfer.source.key) }
        for entity in entities {
            record.append(text: entity.name)
            record.append(number: entity.attributes.count)
            for attribute in entity.attributes {
                record.append(text: attribute.name)
                record.append(text: attribute.type.rawValue)
                record.append(text: attribute.originalName ?? "")
                record.append(attribute.isOptional ? 1 : 0)
            }
            record.append(number: entity.indexes.count)
            for index in entity.indexes {
                record.append(index.isUnique ? 1 : 0)
                record.append(number: index.columns.count)
                for column in index.columns { record.append(number: column) }
            }
            // By its former name, a type takes items over or is refused. Links follow from their relationships.
            if !entity.isLink, let former = entity.originalName {
                record.append(texts: ["formerly", former])
            }
        }
        // Stored texts that other Unicode tables have folded are folded again.
        if entities.contains(where: { !$0.foldedColumns.isEmpty }) {
            record.append(texts: ["folded", purpose == .inspection ? "" : StoredSchema.Folding.ownTables])
        }
        if let version { record.append(texts: ["version", version]) }
        // Nothing at all without relationships, so that such a store opens as fast as before.
        for relationship in relationships.joined() {
            let stored = StoredSchema.Relationship(relationship, in: self)
            record.append(number: relationship.owner)
            let originalName = entities[relationship.owner].relationships[relationship.number].originalName
            record.append(texts: [
                stored.name, stored.kind.rawValue, stored.target, stored.inverse ?? "",
                stored.deleteRule.rawValue, originalName ?? "",
            ])
        }
    }
}
