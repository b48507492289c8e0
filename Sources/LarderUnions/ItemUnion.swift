public import LarderKernel

/// One of several item types that one request gives: an enum with a case for each type.
///
///     enum Medium: ItemUnion {
///         case recipe(Recipe), song(Song)
///
///         static let members: [UnionMember<Medium>] = [
///             .type(Recipe.self, Medium.recipe), .type(Song.self, Medium.song),
///         ]
///
///         struct Attributes: Sendable {
///             let title = UnionAttribute<Medium, String>(Recipe.attributes.name, Song.attributes.title)
///         }
///         static let attributes = Attributes()
///
///         var item: any DataStoreItem {
///             switch self {
///             case .recipe(let recipe): recipe
///             case .song(let song): song
///             }
///         }
///     }
///
/// A request is then one for all types: `Medium.all.sorted(by: \.title).limit(20)`. Items stay in the tables of their own
/// types. The common interface of the types is a protocol of Swift, to which the enum may conform too, and ``Attributes``
/// for filters and orders.
///
/// *Rule:* each member is an item type of the store, and is named once in ``members``. A type may belong to several
/// unions. A renamed type keeps its name in stored references by ``UnionMember/type(_:named:_:)``.
public protocol ItemUnion: Sendable, Identifiable where ID == ToAny<Self> {
    /// One ``UnionAttribute`` for each attribute that all members have.
    associatedtype Attributes: Sendable

    static var attributes: Attributes { get }

    /// The item types, in the order that decides between items which a request leaves equal.
    static var members: [UnionMember<Self>] { get }

    /// The effect of an item's deletion on the items that refer to it by a ``ToAny`` of this union.
    ///
    ///     static var deleteRule: DeleteRule { .cascade }      // a bookmark goes with what it is about
    ///
    /// By default ``LarderKernel/DeleteRule/noAction``: they do not change. With another rule they follow contract rules
    /// 15 and 16 like a ``LarderKernel/ToOne``, in child stores and merges too. Two attributes that need different rules
    /// need two unions.
    ///
    /// *Rule:* ``LarderKernel/DeleteRule/nullify`` needs optional attributes, or the store is not set up
    /// (`.invalidSchema`). A rule that is added later does not judge the references that are stored by then; a check of the
    /// store finds those that lead nowhere. Tools without the app's types do not know the rule. *Cost:* an index on each
    /// attribute, and a look-up in it for up to a thousand items that are deleted.
    static var deleteRule: DeleteRule { get }

    /// The item of the case.
    var item: any DataStoreItem { get }
}

extension ItemUnion {
    public static var deleteRule: DeleteRule { .noAction }

    /// The type and the identifier of the item, which no item of another member has.
    public var id: ToAny<Self> { ToAny(item) }

    /// A request for all items of all members, one type after the other.
    public static var all: UnionRequest<Self> { UnionRequest() }

    /// A request for the items that pass a filter on attributes of all members.
    ///
    ///     let some = Medium.where { $0.title > "K" && $0.title.hasPrefix("M") }
    public static func `where`(_ filter: (Attributes) -> UnionFilter<Self>) -> UnionRequest<Self> {
        all.filter(filter)
    }

    /// A request for the items that pass a filter.
    ///
    ///     let chosen = Medium.where(.only(Recipe.self, \.rating > 4) || .only(Song.self))
    public static func `where`(_ filter: UnionFilter<Self>) -> UnionRequest<Self> {
        all.filter(filter)
    }

    /// The member of an item type; nil if it is not a member.
    static func member(of type: any DataStoreItem.Type) -> UnionMember<Self>? {
        members.first { $0.type.itemType == type }
    }
}
