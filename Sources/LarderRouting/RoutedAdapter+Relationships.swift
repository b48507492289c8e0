import LarderEngine
import LarderKernel

// No part knows relationships. A row of the first part names those that the store was last opened with, so that an opening
// knows which references to check, and which item types may not be left out.

extension RoutedAdapter {
    /// Checks what new or stricter relationships demand of the rows, as an engine does for its own.
    ///
    /// If the first part lacks the row, or the row is of an earlier version, all references are checked. If a part is left
    /// out, references to items that it may have are checked when it is there again.
    ///
    /// - Parameter stored: The rows of all parts before the opening.
    /// - Throws: `.targetNotFound`, `.uniqueViolation`, naming the item; `.schemaMismatch`.
    func requireRelationships(
        _ schema: RoutedSchema, since stored: StoredSchema, in reading: RoutedReading
    ) throws(DataStoreError) {
        let first = try reading.transaction(of: 0)
        let known = try knownRelationships(schema, in: first)
        if known == schema.relationships(besides: nil) { return }
        let evolution = try self.evolution(of: known, schema, since: stored)
        let elsewhere = schema.entitiesElsewhere(try FirstPart(in: first, schema).records())
        for relationship in schema.whole.relationships.joined() where evolution.checks(relationship) {
            let fault = try ReferenceFault.first(
                in: relationship, schema.whole, reading, cancelledAs: nil, elsewhere: elsewhere)
            if let fault { throw fault.error }
        }
    }

    /// The changes from the relationships that the first part knows.
    private func evolution(
        of known: StoredSchema?, _ schema: RoutedSchema, since stored: StoredSchema
    ) throws(DataStoreError) -> SchemaEvolution {
        // A process was killed when all parts had taken a step, or given a type its new name.
        let isOutdated = known?.version.map { UTF8Key($0) != stored.version.map { UTF8Key($0) } } ?? false
        var before = stored
        for position in before.entities.indices {
            let entity = isOutdated ? nil : known?.entity(named: before.entities[position].name)
            before.entities[position].relationships = (entity?.relationships ?? []).filter {
                stored.entity(named: $0.target) != nil
            }
        }
        return try SchemaEvolution(from: before, to: schema.whole)
    }

    /// Stores the relationships of the open store, and of the types that it leaves out, unless they are there.
    ///
    /// - Parameter stored: The rows of all parts, which the opening has not changed: what becomes stricter is checked
    ///   first; nil if that was done.
    /// - Returns: True if the row has changed.
    func storeRelationships(
        _ schema: RoutedSchema, since stored: StoredSchema?, in first: any StorageWriting
    ) throws(DataStoreError) -> Bool {
        let known = try knownRelationships(schema, in: first)
        let now = schema.relationships(besides: known)
        if let stored, !stored.entities.isEmpty, known != schema.relationships(besides: nil) {
            let reading = RoutedReading(schema)
            reading.parts = [first]
            defer { for part in reading.parts.dropFirst() { part.end() } }
            for part in parts.dropFirst() { reading.parts.append(try part.adapter.beginReading()) }
            try requireRelationships(schema, since: stored, in: reading)
        }
        if now == known { return false }
        let record = PartRecord(identity: String(decoding: now.encoded(), as: UTF8.self))
        try record.write(as: Self.relationshipsName, in: first, schema.record(of: 0))
        return true
    }

    /// True if the first part names the relationships of the open store, and nothing is left to be checked.
    ///
    /// It may name more: the relationships of types that the store leaves out.
    ///
    /// - Parameter stored: As above.
    /// - Throws: `.schemaMismatch` if one of those types may not be left out.
    func hasRelationships(
        _ schema: RoutedSchema, since stored: StoredSchema?, in first: any StorageReading
    ) throws(DataStoreError) -> Bool {
        let known = try knownRelationships(schema, in: first)
        if known != schema.relationships(besides: known) { return false }
        guard let stored, known != schema.relationships(besides: nil) else { return true }
        return try !evolution(of: known, schema, since: stored).changesRelationships
    }

    /// The entities that had relationships, without anything else; nil if the first part lacks the row.
    private func knownRelationships(
        _ schema: RoutedSchema, in first: any StorageReading
    ) throws(DataStoreError) -> StoredSchema? {
        guard let record = try PartRecord(of: Self.relationshipsName, in: first, schema.record(of: 0)) else {
            return nil
        }
        let read = Array(record.identity.utf8).withUnsafeBytes { bytes in
            Result { () throws(JSONReader.Failure) in try JSONReader.read(StoredSchema.self, in: bytes) }
        }
        // Another version of the library may write it otherwise; the opening replaces it then.
        return try? read.get()
    }

    private static var relationshipsName: String { FirstPart.ownPrefix + "relationships" }
}

extension RoutedSchema {
    /// The relationships of all types, and of those among the known ones that the app leaves out; with the version.
    fileprivate func relationships(besides known: StoredSchema?) -> StoredSchema {
        var entities = (known?.entities ?? []).filter { whole.number(named: $0.name) == nil }
        for (number, entity) in whole.entities.enumerated() where !whole.relationships[number].isEmpty {
            var stored = StoredSchema.Entity(
                number: 0, name: entity.name, storageName: "", attributes: [], indexes: [])
            stored.relationships = whole.relationships[number].map {
                StoredSchema.Relationship($0, in: whole)
            }
            entities.append(stored)
        }
        var schema = StoredSchema.empty
        schema.version = whole.version ?? known?.version
        schema.entities = entities.sorted { UTF8Text.precedes($0.name, $1.name) }
        return schema
    }
}
