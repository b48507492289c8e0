/// The items that belong to an item: all whose ``ToOne`` refers to it, or all that are linked with it.
///
///     @StoredItem
///     struct Recipe {
///         @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
///         var ingredients: ToMany<Ingredient>              // the inverse of Ingredient.recipe
///         var tags: ToMany<Tag>                            // many-to-many: a link for each pair
///     }
///     let eggs = try store.read { try $0.items(recipe.ingredients, where: \.name == "Egg") }
///
/// One that names no inverse is many-to-many. If a ``ToOne`` of the other type refers back and no other
/// relationship names it, the inverse was most likely forgotten, so a store throws `.invalidSchema` when it is
/// opened. If the links are meant, write `@Relationship(inverse: nil)`.
///
/// *Rule:* it holds no items; pass it to an accessor to read them. `==` ignores it, so two items are equal if
/// their attributes are. A window that was given items, in an item that is written, replaces the stored ones
/// by these; one that was given an empty list removes them all. One that was given nothing does not change
/// them: in an item that was read, and ``notGiven``, which a new item has without a value. The window of
/// another item gives the items that were read with it; without them the write throws `.invalidValue`.
/// *Cost:* nothing is stored for the inverse of a ``ToOne``.
public struct ToMany<Target: DataStoreItem>: Sendable {
    @usableFromInline let window: RelationshipWindow<Target>
}

/// The items that are linked with an item, in an order that the app decides.
///
///     @StoredItem
///     struct Playlist {
///         var songs: OrderedToMany<Song>                   // a link for each pair, which keeps its place
///     }
///     try store.writeSync { try $0.mutableItem(id: playlist.id)?.songs.move(from: 3, to: 0) }
///
/// It is always kept as links, and so names no inverse: a ``ToOne`` keeps no place. A ``ToMany`` of the other
/// type may name it and shows the same links from there. If each item belongs to one owner only, either keep
/// the links and leave out the ``ToOne``, or keep the ``ToOne``, give the items an indexed `position`, and show
/// them by a ``ToMany``:
///
///     let steps = try store.read { try $0.items(for: recipe.steps.request.sorted(by: \.position)) }
///
/// Otherwise as ``ToMany``.
public struct OrderedToMany<Target: DataStoreItem>: Sendable {
    @usableFromInline let window: RelationshipWindow<Target>
}

/// The one item whose ``ToOne`` refers to an item: the other side of a one-to-one relationship.
///
///     @StoredItem
///     struct Passport {
///         var holder: ToOne<Person>?
///     }
///     @StoredItem
///     struct Person {
///         @Relationship(inverse: \Passport.holder)
///         var passport: ToOneInverse<Passport>
///     }
///     let passport = try store.read { try $0.item(person.passport) }
///
/// A store frees the present holder when another item refers to its target. If the holder's reference is required,
/// it cannot be freed, so the other item is refused with `.uniqueViolation`.
///
/// *Rule:* a window on its owner, as ``ToMany`` is: one that was given nil frees the stored item, and
/// ``notGiven`` leaves it.
public struct ToOneInverse<Target: DataStoreItem>: Sendable {
    @usableFromInline let window: RelationshipWindow<Target>
}

/// A property that shows other items of the store and has no column of its own.
public protocol RelationshipValue: Sendable, Hashable {
    associatedtype Target: DataStoreItem

    static var kind: RelationshipSchema.Kind { get }

    /// The window that was given nothing: an item that is written keeps the items that are stored for it.
    static var notGiven: Self { get }

    /// The relationship of a stored owner.
    init(_ source: RelationshipSource)

    /// The items that the window was given, for an item that is written; nil if it was given nothing.
    var assignedIdentifiers: [AnyItemID]? { get }

    /// The relationship and its owner; nil for an owner that was not read from a store.
    var source: RelationshipSource? { get }
}

extension RelationshipValue {
    /// The items as a request has read them; nil if none has, or only a part, or in another order than theirs.
    package var allItems: [Target]? {
        guard let shown = source?.prefetched as? PrefetchedItems<Target>, shown.areAll else { return nil }
        return shown.items
    }
}

/// A property that shows any number of items.
public protocol ToManyRelationship: RelationshipValue {}

/// The owner and the relationship that a window shows.
public struct RelationshipSource: Sendable {
    @usableFromInline let owner: AnyItemID
    @usableFromInline let ownerType: any DataStoreItem.Type
    /// The number of the relationship among the owner's relationships without a column.
    @usableFromInline let number: Int
    /// The ``PrefetchedItems`` of the window, if a request has read them too.
    @usableFromInline let prefetched: PrefetchedObject?

    @inlinable
    init(
        owner: AnyItemID, ownerType: any DataStoreItem.Type, number: Int, prefetched: PrefetchedObject? = nil
    ) {
        self.owner = owner
        self.ownerType = ownerType
        self.number = number
        self.prefetched = prefetched
    }

    /// The source of a window that shows what is stored.
    package init(_ number: Int, of owner: AnyItemID, _ ownerType: any DataStoreItem.Type) {
        self.init(owner: owner, ownerType: ownerType, number: number)
    }
}

extension RelationshipSource: Hashable {
    public static func == (left: RelationshipSource, right: RelationshipSource) -> Bool {
        left.owner == right.owner && left.ownerType == right.ownerType && left.number == right.number
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(ObjectIdentifier(ownerType))
        hasher.combine(number)
    }
}

/// The common part of the three kinds of windows.
@usableFromInline
struct RelationshipWindow<Target: DataStoreItem>: Sendable {
    /// Nil for an owner that was not read from a store.
    @usableFromInline let source: RelationshipSource?
    /// The targets for an owner that is written; nil if they stay unchanged.
    @usableFromInline let assigned: [Target.ID]?

    @inlinable
    init(source: RelationshipSource? = nil, assigned: [Target.ID]? = nil) {
        self.source = source
        self.assigned = assigned
    }

    /// The items, if a request has read them too.
    @inlinable var items: [Target]? { (source?.prefetched as? PrefetchedItems<Target>)?.items }
}

extension ToMany: ToManyRelationship, ExpressibleByArrayLiteral {
    public static var kind: RelationshipSchema.Kind { .toMany }

    /// No items: those that are stored are removed when the item is written.
    public init() { window = RelationshipWindow(assigned: []) }

    @inlinable init(showing window: RelationshipWindow<Target>) { self.window = window }

    /// The value that a new item has without any: what is stored for it stays.
    @inlinable public static var notGiven: Self { Self(showing: RelationshipWindow()) }

    @inlinable public init(_ source: RelationshipSource) { window = RelationshipWindow(source: source) }

    /// The items that an item is written with; they must be stored before it, or in the same call.
    public init(_ items: some Sequence<Target>) { window = RelationshipWindow(assigned: items.map { $0.id }) }

    /// The identifiers of the items that an item is written with; they must be stored before it, or in the
    /// same call.
    public init(ids: some Sequence<Target.ID>) { window = RelationshipWindow(assigned: Array(ids)) }

    public init(arrayLiteral items: Target...) { self.init(items) }

    /// The items as a request with `prefetching(_:)` has read them; nil if none has.
    @inlinable public var items: [Target]? { window.items }

    public var assignedIdentifiers: [AnyItemID]? { window.assigned?.map { $0.anyItemID } }

    @inlinable public var source: RelationshipSource? { window.source }

    public static func == (left: ToMany, right: ToMany) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

extension OrderedToMany: ToManyRelationship, ExpressibleByArrayLiteral {
    public static var kind: RelationshipSchema.Kind { .orderedToMany }

    /// No items: those that are stored are removed when the item is written.
    public init() { window = RelationshipWindow(assigned: []) }

    @inlinable init(showing window: RelationshipWindow<Target>) { self.window = window }

    /// The value that a new item has without any: what is stored for it stays.
    @inlinable public static var notGiven: Self { Self(showing: RelationshipWindow()) }

    @inlinable public init(_ source: RelationshipSource) { window = RelationshipWindow(source: source) }

    /// The items that an item is written with, in this order; they must be stored before it, or in the same
    /// call.
    public init(_ items: some Sequence<Target>) { window = RelationshipWindow(assigned: items.map { $0.id }) }

    /// The identifiers of the items that an item is written with, in this order; they must be stored before
    /// it, or in the same call.
    public init(ids: some Sequence<Target.ID>) { window = RelationshipWindow(assigned: Array(ids)) }

    public init(arrayLiteral items: Target...) { self.init(items) }

    /// The items as a request with `prefetching(_:)` has read them; nil if none has.
    @inlinable public var items: [Target]? { window.items }

    public var assignedIdentifiers: [AnyItemID]? { window.assigned?.map { $0.anyItemID } }

    @inlinable public var source: RelationshipSource? { window.source }

    public static func == (left: OrderedToMany, right: OrderedToMany) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

extension ToOneInverse: RelationshipValue, ExpressibleByNilLiteral {
    public static var kind: RelationshipSchema.Kind { .toOneInverse }

    /// No item: the one that is stored is freed when this item is written.
    public init() { window = RelationshipWindow(assigned: []) }

    @inlinable init(showing window: RelationshipWindow<Target>) { self.window = window }

    /// The value that a new item has without any: what is stored for it stays.
    @inlinable public static var notGiven: Self { Self(showing: RelationshipWindow()) }

    @inlinable public init(_ source: RelationshipSource) { window = RelationshipWindow(source: source) }

    public init(nilLiteral: ()) { self.init() }

    /// The item that another one is written with; it must be stored before it, or in the same call.
    public init(_ item: Target) { self.init(id: item.id) }

    /// The identifier of the item that another one is written with; it must be stored before it, or in the
    /// same call.
    public init(id: Target.ID) { window = RelationshipWindow(assigned: [id]) }

    /// The item as a request with `prefetching(_:)` has read it; nil if none has.
    @inlinable public var item: Target? { window.items?.first }

    public var assignedIdentifiers: [AnyItemID]? { window.assigned?.map { $0.anyItemID } }

    @inlinable public var source: RelationshipSource? { window.source }

    public static func == (left: ToOneInverse, right: ToOneInverse) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}
