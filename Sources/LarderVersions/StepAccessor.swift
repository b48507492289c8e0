public import LarderKernel

/// The rows of a version before or after the mappings of a ``SchemaStep``, to read and to change.
///
///     SchemaStep(from: "1", to: "2") { Keep("Recipe") }.before { accessor in
///         try accessor.rows.forEachRow(of: "Recipe") { row in
///             if try row["title", as: String.self].isEmpty { try accessor.delete("Recipe", at: row.id) }
///         }
///     }
///
/// *Rule:* used inside the closure it was given to, on its thread. Relationships and unique values are not
/// followed and not checked with each change, but when the step ends.
public final class StepAccessor {
    /// The rows of the version.
    public let rows: SourceReader
    private let writing: any StorageWriting

    package init(_ rows: SourceReader, writing: any StorageWriting) {
        self.rows = rows
        self.writing = writing
    }

    /// True if the closure has named a type of the version.
    package var hasNamedType: Bool { rows.walks.hasNamedType }
    /// The first name by which the closure has asked for a type that is not there; nil if it has not.
    package var unknownType: String? { rows.walks.unknownType }

    /// The name of the version.
    public var version: String { rows.version }

    /// Changes the row of a type with this identifier, and returns whether there is one.
    ///
    ///     try accessor.update("Recipe", at: id) { $0["note"] = nil }
    ///
    /// - Throws: `.unknownItemType`, `.wrongType`; what the body throws; errors of the engine.
    @discardableResult
    public func update(
        _ type: String, at id: AnyItemID, _ body: (DestinationRow) throws -> Void
    ) throws -> Bool {
        let entity = try entity(type)
        // A reader of its own, so that a walk that updates each row keeps none of them.
        let lookUp = SourceReader(within: rows)
        defer { lookUp.end() }
        guard let row = try lookUp.row(type, at: id) else { return false }
        let destination = Destination([entity], version: version, in: writing)
        let mapping = DestinationMapping(
            [
                DestinationMapping.Output(
                    entity, keepsIdentifiers: true, stored: entity.types.indices.map { ($0, $0) })
            ], fills: [])
        try destination.run(mapping, for: row) { destination in
            let changed = try destination.make()
            try body(changed)
            try destination.update(changed)
        }
        rows.walks.note(.changed, of: entity.number, id, entity.types[0].storage)
        return true
    }

    /// Adds a row, whose attributes the body gives their values; a walk over the rows that runs does not visit it.
    ///
    /// - Throws: `.unknownItemType`, `.wrongType`, `.duplicateIdentifier`; `.invalidValue` for a required
    ///   attribute without a value; what the body throws; errors of the engine.
    public func insert(
        _ type: String, id: AnyItemID, _ body: (DestinationRow) throws -> Void
    ) throws {
        let entity = try entity(type)
        let destination = Destination([entity], version: version, in: writing)
        let mapping = DestinationMapping(
            [DestinationMapping.Output(entity, keepsIdentifiers: false)], fills: [])
        try destination.run(mapping, for: nil) { try body(try $0.make(id: id)) }
        try destination.flush()
        rows.walks.note(.inserted, of: entity.number, id, entity.types[0].storage)
    }

    /// Deletes the row of a type with this identifier, and returns whether there was one.
    ///
    /// The links of the row go when the step ends; a reference to it is an error then.
    ///
    /// - Throws: `.unknownItemType`, `.wrongType`; errors of the engine.
    @discardableResult
    public func delete(_ type: String, at id: AnyItemID) throws -> Bool {
        let entity = try entity(type)
        if !id.fits(entity.types[0]) { throw rows.wrongIdentifier(of: entity.number) }
        let arena = RowArena(chunkBytes: 256)
        defer { withExtendedLifetime(arena) {} }
        var cell = try id.encode(in: arena)
        rows.walks.note(.changed, of: entity.number, id, entity.types[0].storage)
        return try withUnsafePointer(to: &cell) { cell in
            let mutation = RowMutation(.delete, entity: entity.number, cells: cell)
            return try writing.apply(mutation).count > 0
        }
    }

    private func entity(_ type: String) throws(DataStoreError) -> DestinationEntity {
        let number = try rows.number(of: type)
        return DestinationEntity(rows.schema.entities[number], named: type, number: number, links: [])
    }
}
