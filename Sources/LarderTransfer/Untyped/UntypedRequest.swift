import LarderKernel
import LarderText

/// A request by a tool without the store's types: names and texts.
///
///     UntypedRequest("Recipe", filter: #"name CONTAINS[c] "cake""#, sort: "rating DESC", limit: 20)
///
/// *Rule:* a value. It is read and checked when it is used.
public struct UntypedRequest: Sendable, Hashable {
    /// The stored name of the item type.
    public var entity: String
    /// A filter, as ``Filter/init(text:)`` describes it; nil for all items.
    public var filter: String?
    /// An order, as ``DataStoreRequest/sorted(text:)`` describes it; nil to sort by identifier.
    public var sort: String?
    public var offset: Int
    public var limit: Int?

    public init(
        _ entity: String, filter: String? = nil, sort: String? = nil, offset: Int = 0, limit: Int? = nil
    ) {
        self.entity = entity
        self.filter = filter
        self.sort = sort
        self.offset = offset
        self.limit = limit
    }

    /// The request in the columns of a store.
    ///
    /// - Throws: `.unknownItemType`, `.unknownAttribute`, `.invalidText`, `.wrongType`, `.invalidValue`,
    ///   `.invalidRequest`.
    func plan(in schema: StoreSchema) throws(DataStoreError) -> RequestPlan {
        let number = try schema.number(ofEntityNamed: entity)
        var core = RequestCore()
        if let filter { core.filter = try FilterNode(text: filter, of: number, in: schema) }
        if let sort { core.order = try [OrderTerm](text: sort, of: number, in: schema) }
        core.offset = offset
        core.limit = limit
        return try core.plan(entity: number, in: schema)
    }
}
