import LarderKernel

/// The nested objects of a batch of sources, or the keys of stored items in them, for one field.
///
/// All of a batch are looked up or imported together. *Rule:* used by one import, on the thread of its block.
class NestedSources {
    /// For each nested object the position of the source that it is in.
    var positions: [Int] = []

    /// Takes the nested sources of a source, by its number.
    ///
    /// - Returns: Their places among all of the batch; nil if the source leaves the attribute unchanged.
    func add(_ source: Int, at position: Int) throws -> Range<Int>? { nil }

    /// The identifiers of the items of all of them; nil for an object without one.
    ///
    /// - Parameter owners: The items that the imported ones refer to; nil for none.
    func resolve(in run: ImportRun, owners: ImportRun.Owners?) throws -> [AnyItemID?] { [] }

    /// Notes how many were added for a source.
    fileprivate func note(_ count: Int, at position: Int) -> Range<Int> {
        let start = positions.count
        positions.append(contentsOf: repeatElement(position, count: count))
        return start..<positions.count
    }
}

/// Nested objects, which are imported by a map of their own.
final class NestedObjects<Nested>: NestedSources {
    private let core: ImportCore<Nested>
    private let nested: (Int) throws -> [Nested]?
    private var objects: [Nested] = []

    init(_ core: ImportCore<Nested>, _ nested: @escaping (Int) throws -> [Nested]?) {
        self.core = core
        self.nested = nested
    }

    override func add(_ source: Int, at position: Int) throws -> Range<Int>? {
        guard let nested = try nested(source) else { return nil }
        objects += nested
        return note(nested.count, at: position)
    }

    override func resolve(in run: ImportRun, owners: ImportRun.Owners?) throws -> [AnyItemID?] {
        try core.requireUniqueKey()
        return try run.take(by: core.reading(objects), at: positions, owners: owners).items.map(\.identifier)
    }
}

/// Values of a unique attribute of stored items.
final class NestedKeys<Target: DataStoreItem>: NestedSources {
    private let column: Int
    private let encode: (Int, RowArena) throws -> [Cell]?
    private let arena = RowArena(chunkBytes: 4096)
    private var keys: [Constant] = []

    /// - Parameter column: The number of the attribute.
    init<Key: AttributeStorable>(_ column: Int, _ keys: @escaping (Int) throws -> [Key]?) {
        self.column = column
        encode = { source, arena in try keys(source)?.map { try $0.encode(in: arena) } }
    }

    override func add(_ source: Int, at position: Int) throws -> Range<Int>? {
        guard let cells = try encode(source, arena) else { return nil }
        let storage = Target.schema.storage(ofColumn: column)
        keys += cells.map { Constant($0, storage: storage) }
        arena.reset()
        return note(cells.count, at: position)
    }

    override func resolve(in run: ImportRun, owners: ImportRun.Owners?) throws -> [AnyItemID?] {
        let unique = try Target.schema.uniqueColumns([column], for: "A reference by an attribute")[0]
        let entity = try run.call.context.number(of: Target.self)
        let compared = keys.map { Target.schema.constant($0, at: unique) }
        let found = try run.identifiers(of: compared, in: unique, of: entity)
        return try keys.enumerated().map { index, key in
            if let identifier = found[compared[index]] { return identifier }
            let name = Target.schema.attributes[column].propertyName
            throw DataStoreError(
                .targetNotFound, "No \(Target.schema.name) has the \(name) \(key).",
                advice: "Import it first, or import it as a nested object, which inserts it.",
                itemType: Target.schema.name, attribute: name
            ).inSource(positions[index], key: nil)
        }
    }
}
