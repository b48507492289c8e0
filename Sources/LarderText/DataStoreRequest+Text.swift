public import LarderKernel

extension DataStoreRequest {
    /// Asks for items by the texts of a filter and an order.
    ///
    ///     let best = try DataStoreRequest<Recipe>(filter: "rating > 4", sort: "rating DESC", limit: 20)
    ///
    /// - Parameters:
    ///   - filter: As ``Filter/init(text:)`` reads it; nil for all items.
    ///   - sort: As ``sorted(text:)`` reads it; nil for the order of the identifiers.
    /// - Throws: The errors of the two.
    public init(
        filter: String?, sort: String? = nil, offset: Int = 0, limit: Int? = nil
    ) throws(DataStoreError) {
        var request = DataStoreRequest()
        if let filter { request = try request.filter(text: filter) }
        if let sort { request = try request.sorted(text: sort) }
        self = request.offset(offset).limit(limit)
    }

    /// Keeps those that also pass the filter a text describes; see ``Filter/init(text:)``.
    ///
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType`, `.invalidValue`.
    public func filter(text: String) throws(DataStoreError) -> DataStoreRequest {
        filter(try Filter(text: text))
    }

    /// Keeps those that also pass the filter a text describes; see ``Filter/init(text:arguments:)``.
    ///
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType`, `.invalidValue`.
    public func filter(
        text: String, arguments: [(any AttributeStorable)?]
    ) throws(DataStoreError) -> DataStoreRequest {
        filter(try Filter(text: text, arguments: arguments))
    }

    /// Orders as a text describes; if there is an order already, it decides among equals.
    ///
    ///     try request.sorted(text: "rating DESC, kind.name")
    ///
    /// The attributes stand one after the other with commas between them, each followed by `ASC` (or nothing)
    /// or `DESC`. `name[c]` orders a text without regard to case, `name[d]` to diacritics, `name[cd]` to both.
    ///
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType` for an attribute without an order.
    public func sorted(text: String) throws(DataStoreError) -> DataStoreRequest {
        var core = core
        core.order += try [OrderTerm](text: text, of: 0, in: try StoreSchema(reachableFrom: Item.self))
        return DataStoreRequest(core)
    }
}
