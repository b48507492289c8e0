/// A reference to one item, stored as the item's identifier.
///
///     @StoredItem
///     struct Recipe {
///         var name: String
///         var author: ToOne<Person>              // required
///         var kind: ToOne<RecipeKind>?           // optional
///     }
///     let cake = Recipe(name: "Cake", author: ToOne(ada))
///     let author = try store.read { try $0.item(cake.author) }
///
/// A store refuses a reference to an item that it does not hold, and keeps an index on each reference.
///
/// *Rule:* a value that holds an identifier; it may go anywhere. Two are equal if their identifiers are.
public struct ToOne<Target: DataStoreItem>: Sendable {
    /// The identifier of the item.
    public let id: Target.ID
    /// The item, if a request has read it too.
    @usableFromInline let prefetched: PrefetchedItems<Target>?

    /// A reference to an item, which must be stored before it, or in the same call.
    public init(_ item: Target) {
        self.init(id: item.id)
    }

    /// A reference to the item of a handle.
    public init(_ handle: Mutable<Target>) {
        self.init(id: handle.id)
    }

    /// A reference to the item with an identifier.
    @inlinable
    public init(id: Target.ID) {
        self.id = id
        prefetched = nil
    }

    init(id: Target.ID, prefetched: PrefetchedItems<Target>?) {
        self.id = id
        self.prefetched = prefetched
    }

    /// The item as a request with `prefetching(_:)` has read it; nil if none has.
    public var item: Target? { prefetched?.items.first }
}

extension ToOne: Hashable {
    // By bytes, unlike Swift's text.
    public static func == (left: ToOne, right: ToOne) -> Bool { left.id.anyItemID == right.id.anyItemID }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id.anyItemID)
    }
}

extension ToOne: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { Target.ID.attributeType }

    @inlinable
    public static func decode(_ cell: Cell) -> ToOne? {
        guard let id = Target.ID.decode(cell) else { return nil }
        return ToOne(id: id)
    }

    @inlinable
    public static func decode(_ row: borrowing RowReader, at column: Int) -> ToOne? {
        guard let reference = decode(row.cells[column]) else { return nil }
        guard let prefetched = row.prefetched else { return reference }
        return reference.prefetched(in: prefetched, at: column)
    }

    @usableFromInline
    func prefetched(in values: Unmanaged<PrefetchedValues>, at column: Int) -> ToOne {
        let item = values.takeUnretainedValue().object(at: .column(column), for: id.anyItemID)
        return ToOne(id: id, prefetched: item as? PrefetchedItems<Target>)
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try id.encode(in: arena)
    }

    public init(from decoder: any Decoder) throws {
        self.init(id: try Target.ID(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try id.encode(to: encoder)
    }
}

extension ToOne: CustomStringConvertible {
    public var description: String { id.anyItemID.description }
}

/// The type of an attribute that refers to an item: ``ToOne``, optional or not.
///
/// *Rule:* only the library's own types conform.
public protocol ItemReference: AttributeValue {
    associatedtype Target: DataStoreItem
}

extension ItemReference {
    /// The type of the item.
    static var referencedType: any DataStoreItem.Type { Target.self }
}

extension ToOne: ItemReference {}

extension Optional: ItemReference where Wrapped: ItemReference {
    public typealias Target = Wrapped.Target
}
