public import LarderKernel
import LarderText

/// One snapshot of an ``UntypedStore``.
///
/// *Rule:* used inside the block it was given to, on its thread.
public final class UntypedReader {
    let schema: StoreSchema
    let transaction: any StorageReading
    private let row: CellBuffer

    init(_ transaction: any StorageReading, of schema: StoreSchema) {
        self.transaction = transaction
        self.schema = schema
        row = CellBuffer(count: schema.rowWidth)
    }

    func end() {
        transaction.end()
    }

    /// The item types in the store, in the order in which it keeps them.
    public var entities: [EntitySchema] { schema.entities }

    /// The number of rows of a request.
    ///
    /// - Throws: `.unknownItemType`, `.unknownAttribute`, `.invalidText`, `.wrongType`, `.invalidValue`,
    ///   `.invalidRequest`; `.cancelled` when the task is cancelled; rethrows errors of the engine.
    public func count(for request: UntypedRequest) throws(DataStoreError) -> Int {
        try transaction.count(for: try request.plan(in: schema), in: schema)
    }

    /// The steps of running a request, one line each.
    ///
    /// - Throws: As ``count(for:)``.
    public func explain(_ request: UntypedRequest) throws(DataStoreError) -> [String] {
        try transaction.explain(try request.plan(in: schema), in: schema)
    }

    /// The rows of a request.
    ///
    /// *Cost:* keeps all of them in memory; ``forEachRow(for:_:)`` keeps one.
    ///
    /// - Throws: As ``count(for:)``.
    public func rows(for request: UntypedRequest) throws -> [UntypedRow] {
        var rows: [UntypedRow] = []
        try forEachRow(for: request) { rows.append($0) }
        return rows
    }

    /// Gives the rows of a request to a body, one after the other.
    ///
    /// - Throws: As ``count(for:)``; what the body throws, which ends the reading.
    public func forEachRow(for request: UntypedRequest, _ body: (UntypedRow) throws -> Void) throws {
        let plan = try request.plan(in: schema)
        let cursor = try transaction.rows(for: plan, in: schema)
        defer { cursor.close() }
        while try cursor.next(into: row.start) {
            try Cancellation.check("The reading")
            try body(UntypedRow(cells: row.start, of: plan.schema))
        }
    }

    /// The row of an item, by its identifier as text; nil when there is none.
    ///
    ///     try reader.row(of: "Recipe", at: "01HZX8K2M0Q4T")
    ///
    /// - Throws: `.unknownItemType`; `.invalidValue` when the text is not an identifier of the type.
    public func row(of entity: String, at identifier: String) throws(DataStoreError) -> UntypedRow? {
        let number = try schema.number(ofEntityNamed: entity)
        let entity = schema.entities[number]
        let type = entity.attributes[0].type
        guard let identifier = AnyItemID(written: identifier, type: type) else {
            throw DataStoreError(
                .invalidValue, "\"\(identifier)\" is not an identifier of \(entity.name).",
                advice: "Give \(type.textForm).", itemType: entity.name, attribute: "id")
        }
        let arena = RowArena(chunkBytes: 256)
        defer { withExtendedLifetime(arena) {} }
        let cell = try identifier.encode(in: arena)
        try DataStoreLimits.check(identifier: cell)
        guard try transaction.row(at: cell, of: number, into: row.start) else { return nil }
        return UntypedRow(cells: row.start, of: entity)
    }
}
