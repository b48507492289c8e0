/// The items that a child store has touched, as one of its transactions sees them.
///
/// *Rule:* used by one thread at a time, with the transaction.
final class TouchedItems {
    private let staged: any StorageReading
    private let schema: StagingSchema
    private var types: [ItemType]
    private let cells: CellBuffer

    /// The touched items of one type, as far as they are known.
    private struct ItemType {
        /// The number of touched items; nil before it is asked for.
        var count: Int?
        /// The items that were looked up one by one.
        var lookups = 0
        /// All touched identifiers, once it is worth to read them.
        var identifiers: Identifiers?
    }

    /// Identifiers, nearly always numbers.
    private enum Identifiers {
        case numbers(Set<Int64>)
        case others(Set<Constant>)
    }

    init(in staged: any StorageReading, _ schema: StagingSchema) {
        self.staged = staged
        self.schema = schema
        types = Array(repeating: ItemType(), count: schema.count)
        cells = CellBuffer(count: schema.schema.entities.map(\.attributes.count).max() ?? 1)
    }

    /// Notes that an item is touched from now on.
    func insert(_ identifier: Cell, of entity: Int) {
        types[entity].count? += 1
        switch types[entity].identifiers {
        case .numbers(var numbers):
            // Moved out and in, so that the set is not copied.
            types[entity].identifiers = nil
            numbers.insert(identifier.integer)
            types[entity].identifiers = .numbers(numbers)
        case .others(var others):
            types[entity].identifiers = nil
            others.insert(Constant(identifier, storage: storage(of: entity)))
            types[entity].identifiers = .others(others)
        case nil: break
        }
    }

    /// Notes that an item is not touched any more.
    func remove(_ identifier: Cell, of entity: Int) {
        types[entity].count? -= 1
        switch types[entity].identifiers {
        case .numbers(var numbers):
            types[entity].identifiers = nil
            numbers.remove(identifier.integer)
            types[entity].identifiers = .numbers(numbers)
        case .others(var others):
            types[entity].identifiers = nil
            others.remove(Constant(identifier, storage: storage(of: entity)))
            types[entity].identifiers = .others(others)
        case nil: break
        }
    }

    /// Forgets what is known, as rows have changed otherwise.
    func forgetAll() {
        for entity in types.indices where types[entity].count != nil { types[entity] = ItemType() }
    }

    /// The number of touched items of a type.
    func count(of entity: Int) throws(DataStoreError) -> Int {
        if let known = types[entity].count { return known }
        let base = schema.base(of: entity)
        let count = try staged.count(
            for: RequestPlan(entity: base, schema: schema.schema.entities[base], columns: .some([0])))
        types[entity].count = count
        return count
    }

    func isEmpty(_ entity: Int) throws(DataStoreError) -> Bool { try count(of: entity) == 0 }

    /// True if an item is touched.
    func contains(_ identifier: Cell, of entity: Int) throws(DataStoreError) -> Bool {
        let count = try count(of: entity)
        if count == 0 { return false }
        if let known = types[entity].identifiers {
            switch known {
            case .numbers(let numbers): return numbers.contains(identifier.integer)
            case .others(let others):
                return others.contains(Constant(identifier, storage: storage(of: entity)))
            }
        }
        types[entity].lookups += 1
        // From here on as many further look-ups would cost more than reading all identifiers.
        if types[entity].lookups > max(64, count / 2) {
            types[entity].identifiers = try readIdentifiers(of: entity)
            return try contains(identifier, of: entity)
        }
        return try staged.row(at: identifier, of: schema.base(of: entity), into: cells.start)
    }

    /// All touched identifiers of a type, in order.
    func identifiers(of entity: Int) throws(DataStoreError) -> [Constant] {
        var identifiers: [Constant] = []
        let storage = storage(of: entity)
        try forEachIdentifier(of: entity) { identifiers.append(Constant($0, storage: storage)) }
        return identifiers
    }

    private func storage(of entity: Int) -> AttributeType.Storage {
        schema.schema.entities[entity].storage(ofColumn: 0)
    }

    private func readIdentifiers(of entity: Int) throws(DataStoreError) -> Identifiers {
        let storage = storage(of: entity)
        if storage == .integer {
            var numbers: Set<Int64> = []
            try forEachIdentifier(of: entity) { numbers.insert($0.integer) }
            return .numbers(numbers)
        }
        var others: Set<Constant> = []
        try forEachIdentifier(of: entity) { others.insert(Constant($0, storage: storage)) }
        return .others(others)
    }

    private func forEachIdentifier(of entity: Int, _ body: (Cell) -> Void) throws(DataStoreError) {
        let base = schema.base(of: entity)
        let cursor = try staged.rows(
            for: RequestPlan(entity: base, schema: schema.schema.entities[base], columns: .some([0])))
        defer { cursor.close() }
        let cells = CellBuffer(count: 1)
        while try cursor.next(into: cells.start) { body(cells.start[0]) }
    }
}
