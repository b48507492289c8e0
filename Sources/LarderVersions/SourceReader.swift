public import LarderKernel

/// The rows of one version in a ``SchemaStep``, by the stored names of their types.
///
///     let kind = try old.source.row("Kind", at: .integer(3))
///
/// *Rule:* used inside the call it was given to, on its thread.
public final class SourceReader {
    /// The name of the version.
    public let version: String
    /// The version's types in front, then those that the step is making.
    let schema: StoreSchema
    let transaction: any StorageReading
    /// The names and types of the columns, by type.
    let columns: [ColumnNames]
    let types: [[AttributeType]]
    /// The types of the version, by name.
    private let numbers: [UTF8Key: Int]
    // reason for unchecked: used by one thread at a time, with every row.
    /// The number of the present call of a closure.
    @exclusivity(unchecked) private(set) var epoch = 0
    /// The rows that the present call has looked up.
    private let lookups = RowArena(chunkBytes: 4096)
    private let row: CellBuffer
    @exclusivity(unchecked) private var hasLookedUp = false
    /// The rows that a mapping goes through now; nil outside of one.
    @exclusivity(unchecked) var batch: SourceBatch?
    private var isEnded = false
    /// The walks over rows that run now, by all readers of these rows, and what they cannot read.
    let walks: RowWalks

    /// - Parameter count: The number of types of the version, which come first in the schema.
    package init(
        _ transaction: any StorageReading, of schema: StoreSchema, version: String, types count: Int
    ) {
        self.transaction = transaction
        walks = RowWalks()
        self.schema = schema
        self.version = version
        columns = schema.entities.map(ColumnNames.init)
        types = schema.entities.map { $0.attributes.map(\.type) }
        numbers = Dictionary(
            schema.entities.prefix(count).enumerated().filter { !$1.isLink }.map { (UTF8Key($1.name), $0) },
            uniquingKeysWith: { first, _ in first })
        row = CellBuffer(count: schema.rowWidth)
    }

    /// A reader of the same rows, whose calls end by themselves.
    init(within other: SourceReader) {
        transaction = other.transaction
        walks = other.walks
        schema = other.schema
        version = other.version
        columns = other.columns
        types = other.types
        numbers = other.numbers
        row = CellBuffer(count: schema.rowWidth)
    }

    /// The row of a type with this identifier; nil if there is none.
    ///
    /// - Throws: `.unknownItemType`, `.wrongType` for an identifier of another type; errors of the engine.
    public func row(_ type: String, at identifier: AnyItemID) throws(DataStoreError) -> SourceRow? {
        let number = try number(of: type)
        let arena = RowArena(chunkBytes: 256)
        defer { withExtendedLifetime(arena) {} }
        let cell = try identifier.encode(in: arena)
        try requireIdentifier(cell, of: number)
        return try row(at: cell, of: number)
    }

    /// The number of rows of a type.
    ///
    /// - Throws: `.unknownItemType`; errors of the engine.
    public func count(of type: String) throws(DataStoreError) -> Int {
        let number = try number(of: type)
        return try transaction.count(for: RequestPlan(entity: number, schema: schema.entities[number]))
    }

    /// Calls a closure with the rows of a type in the order of their identifiers, in bounded memory.
    ///
    /// A row that the closure inserts is not visited, nor is one that it deletes before its turn. If it changes a row,
    /// the row has its new values.
    ///
    /// *Rule:* a row, and what is looked up from it, is used inside the closure it was given to.
    ///
    /// - Throws: `.unknownItemType`; what the closure throws; `.cancelled`; errors of the engine.
    public func forEachRow(of type: String, _ body: (SourceRow) throws -> Void) throws {
        let number = try number(of: type)
        let reader = SourceReader(within: self)
        defer { reader.end() }
        let batches = try RowBatches(present: number, in: schema, transaction)
        let walk = walks.begin(over: number, to: batches.bound)
        defer { walks.end(walk) }
        while try batches.readNext() {
            walks.beginBatch(of: walk)
            for cells in batches.rows {
                let change = walks.change(of: cells[0], during: walk, type: types[number][0])
                if change == .inserted { continue }
                defer { reader.endCall() }
                // Some hundred rows are read ahead.
                let row =
                    change == nil
                    ? SourceRow(reader: reader, entity: number, cells: cells, epoch: reader.epoch)
                    : try reader.row(at: cells[0], of: number)
                if let row { try body(row) }
            }
        }
    }

    /// The rows of a type whose attribute has a value, in the order of their identifiers.
    ///
    ///     let steps = try old.source.rows(of: "Step", where: "recipe", equals: .identifier(old.id))
    ///
    /// *Cost:* as a request with this filter; keeps the rows in memory until the present call ends.
    ///
    /// - Throws: `.unknownItemType`, `.unknownAttribute`, `.wrongType`; errors of the engine.
    public func rows(
        of type: String, where attribute: String, equals value: StoredValue
    ) throws(DataStoreError) -> [SourceRow] {
        let number = try number(of: type)
        let entity = schema.entities[number]
        guard let column = entity.column(named: attribute) else {
            throw DataStoreError(
                .unknownAttribute, "Version \(version) has no attribute \(type).\(attribute).",
                itemType: type,
                attribute: attribute)
        }
        let stored = entity.attributes[column].type
        var predicate = RowPredicate.isNull(column: column)
        if let valueType = value.type {
            guard valueType.storage == stored.storage, stored.isOrdered else {
                throw DataStoreError(
                    .wrongType,
                    "A \(valueType.rawValue) is compared with \(type).\(attribute), a \(stored.rawValue).",
                    itemType: type, attribute: attribute)
            }
            predicate = .compare(column: column, .equal, try value.constant.get())
        }
        let cursor = try transaction.rows(
            for: RequestPlan(entity: number, schema: entity, predicate: predicate))
        defer { cursor.close() }
        var found: [SourceRow] = []
        while try cursor.next(into: row.start) { found.append(try keep(entity: number)) }
        return found
    }

    func number(of type: String) throws(DataStoreError) -> Int {
        if isEnded {
            throw DataStoreError(
                .accessorExpired, "The rows of a schema step were used after the call they were given to.")
        }
        if let number = numbers[UTF8Key(type)] {
            walks.hasNamedType = true
            return number
        }
        walks.unknownType = walks.unknownType ?? type
        let known = numbers.keys.map(\.text).sorted().joined(separator: ", ")
        throw DataStoreError(
            .unknownItemType, "Version \(version) has no type \"\(type)\".",
            advice: "It has these: \(known).", itemType: type)
    }

    /// The rows with some identifiers, in their order, without those that are not there.
    func rows(at identifiers: [AnyItemID], of entity: Int) throws(DataStoreError) -> [SourceRow] {
        let arena = RowArena(chunkBytes: 4096)
        defer { withExtendedLifetime(arena) {} }
        var cells: [Cell] = []
        for identifier in identifiers {
            cells.append(try identifier.encode(in: arena))
            try requireIdentifier(cells[cells.count - 1], of: entity)
        }
        var found: [SourceRow] = []
        try transaction.forEachRow(inBatches: cells, of: entity, into: row.start) {
            _ throws(DataStoreError) in
            found.append(try keep(entity: entity))
        }
        return found
    }

    private func requireIdentifier(_ cell: Cell, of entity: Int) throws(DataStoreError) {
        if AnyItemID(cell, type: types[entity][0]) == nil { throw wrongIdentifier(of: entity) }
    }

    func wrongIdentifier(of entity: Int) -> DataStoreError {
        let name = schema.entities[entity].name
        return DataStoreError(
            .wrongType, "The identifier of \(name) is a \(types[entity][0].rawValue).", itemType: name,
            attribute: "id")
    }

    /// The row of another type whose identifier is in a column of a row; nil if there is none.
    func row(
        of other: Int, at column: Int, of source: SourceRow
    ) throws(DataStoreError) -> SourceRow? {
        if let batch, batch.entity == source.entity {
            return try batch.row(of: other, at: column, of: source.cells, by: self)
        }
        return try row(at: source.cells[column], of: other)
    }

    func row(at identifier: Cell, of entity: Int) throws(DataStoreError) -> SourceRow? {
        if identifier.isNull { return nil }
        guard try transaction.row(at: identifier, of: entity, into: row.start) else { return nil }
        return try keep(entity: entity)
    }

    /// Keeps the row that was read last until the present call ends.
    private func keep(entity: Int) throws(DataStoreError) -> SourceRow {
        hasLookedUp = true
        let cells = try lookups.copy(row: row.start, types[entity].count)
        return SourceRow(reader: self, entity: entity, cells: cells, epoch: epoch)
    }

    /// Ends everything: neither the reader nor one of its rows is valid from now on.
    package func end() {
        endCall()
        isEnded = true
    }

    /// True if the error is the one of the last value that could not be read.
    func hasThrown(_ error: DataStoreError) -> Bool {
        guard let last = walks.lastUnreadable else { return false }
        return (last.code, last.message, last.itemType, last.attribute)
            == (error.code, error.message, error.itemType, error.attribute)
            && last.identifier == error.identifier
    }

    /// Ends the present call: its rows are no longer valid.
    func endCall() {
        epoch += 1
        if hasLookedUp {
            lookups.reset()
            hasLookedUp = false
        }
    }
}

/// The walks over rows of a ``SchemaStep`` that run now, each with the rows that were changed meanwhile.
final class RowWalks {
    enum Change {
        case inserted
        /// It has other values, or is deleted.
        case changed
    }

    private struct Walk {
        let entity: Int
        /// The identifier of the last row that it visits; nil if there are no rows.
        let last: Constant?
        var inserted: Set<AnyItemID> = []
        /// Since its batch was read.
        var changed: Set<AnyItemID> = []
    }

    /// The innermost last.
    private var running: [Walk] = []
    /// True if a call has named a type, and the first name that no type has.
    var hasNamedType = false
    var unknownType: String?
    /// The error of the last value that could not be read.
    var lastUnreadable: DataStoreError?

    /// - Returns: The number of the walk.
    func begin(over entity: Int, to last: Constant?) -> Int {
        running.append(Walk(entity: entity, last: last))
        return running.count - 1
    }

    /// Ends the innermost walk.
    func end(_ walk: Int) { running.removeLast(running.count - walk) }

    /// Notes that a walk has read its next rows.
    func beginBatch(of walk: Int) { running[walk].changed.removeAll(keepingCapacity: true) }

    /// Notes a change.
    ///
    /// A walk ends before new rows after its last one by itself.
    func note(_ change: Change, of entity: Int, _ id: AnyItemID, _ storage: AttributeType.Storage) {
        for walk in running.indices where running[walk].entity == entity {
            switch change {
            case .changed: running[walk].changed.insert(id)
            case .inserted:
                if let last = running[walk].last, Constant(id).order(to: last, storage: storage) > 0 {
                    continue
                }
                running[walk].inserted.insert(id)
            }
        }
    }

    /// The change of a row since its batch was read, or its insertion during the walk; nil if there was none.
    func change(of identifier: Cell, during walk: Int, type: AttributeType) -> Change? {
        if running[walk].inserted.isEmpty, running[walk].changed.isEmpty { return nil }
        guard let id = AnyItemID(identifier, type: type) else { return nil }
        if running[walk].inserted.contains(id) { return .inserted }
        return running[walk].changed.contains(id) ? .changed : nil
    }
}
