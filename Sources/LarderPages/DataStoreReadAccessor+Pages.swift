public import LarderKernel

/// Some items of a request, one after the other, and whether there are more.
///
///     let page = try accessor.page(of: request, size: 50)
///     if page.hasMore { print("and more than these \(page.items.count)") }
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct ItemPage<Item: DataStoreItem>: Sendable {
    public let items: [Item]
    /// True if the request has further items in the direction of the page.
    public let hasMore: Bool
}

extension ItemPage: Equatable where Item: Equatable {}

/// One of the pages of equal size into which the items of a request are divided.
///
///     let page = try accessor.page(1, of: request, size: 20)
///     print("page \(page.number) of \(page.pageCount)")
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct NumberedPage<Item: DataStoreItem>: Sendable {
    public let items: [Item]
    /// The number of the page, from 1 on.
    public let number: Int
    /// The number of all pages.
    public let pageCount: Int
    /// The number of the items on all pages.
    public let itemCount: Int
}

extension NumberedPage: Equatable where Item: Equatable {}

extension DataStoreReadAccessor {
    /// The items of a request that follow another one in its order; without one, the first.
    ///
    ///     let request = Recipe.where(\.isVegan).sorted(by: \.rating, .descending)
    ///     let first = try accessor.page(of: request, size: 50)
    ///     let second = try accessor.page(of: request, after: first.items.last, size: 50)
    ///
    /// The page begins where the item stands by the values that it has as given, whether or not it is still
    /// stored or passes the filter. So no item comes twice and none is missed when others are inserted or
    /// deleted before it. An order through a reference is the exception: it takes the stored item. For a value that
    /// `@Attribute(fallback:)` has supplied, the stored one counts; if the item is gone, the shown one does.
    ///
    /// *Cost:* with an index for the order, the same for every page, however far on; without one, a pass over
    /// the items of the request. ``explainPage(of:after:size:)`` shows which. In the order of an enum, the item is
    /// looked up by its key too.
    ///
    /// - Throws: `.invalidRequest` for a size below 1, for a request with offset or limit, for the order of a
    ///   language (`.localized`), and for the order in an ``OrderedToMany``; `.itemNotFound` if the order leads
    ///   through a reference and the item is gone; as ``items(for:)``.
    public final func page<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, after item: Item? = nil, size: Int
    ) throws(DataStoreError) -> ItemPage<Item> {
        try page(of: request, from: item, size, isForward: true)
    }

    /// The items of a request that come just before another one, in its order; without one, the last.
    ///
    ///     let page = try accessor.page(of: request, before: shown.first, size: 50)
    ///
    /// As ``page(of:after:size:)``, in the other direction.
    ///
    /// - Throws: As ``page(of:after:size:)``.
    public final func page<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, before item: Item?, size: Int
    ) throws(DataStoreError) -> ItemPage<Item> {
        let page = try page(of: request, from: item, size, isForward: false)
        return ItemPage(items: page.items.reversed(), hasMore: page.hasMore)
    }

    /// The page with a number, of the pages of equal size that a request fills; empty beyond the last.
    ///
    ///     let page = try accessor.page(3, of: Recipe.all.sorted(by: \.name), size: 20)
    ///     print("page \(page.number) of \(page.pageCount), \(page.itemCount) recipes")
    ///
    /// The offset and the limit of the request count: they say which items are divided.
    ///
    /// *Cost:* grows with the number of the page, as the items before it are passed over, and counts all; for
    /// long lists see ``page(of:after:size:)``.
    ///
    /// - Throws: `.invalidRequest` for a number or size below 1; as ``items(for:)``.
    public final func page<Item: DataStoreItem>(
        _ number: Int, of request: DataStoreRequest<Item>, size: Int
    ) throws(DataStoreError) -> NumberedPage<Item> {
        try requireSize(size, of: Item.self)
        if number < 1 {
            throw DataStoreError(
                .invalidRequest, "The page number is \(number).", advice: "Pages are numbered from 1 on.",
                itemType: Item.schema.name)
        }
        let count = try countItems(for: request)
        let pageCount = count == 0 ? 0 : (count - 1) / size + 1
        var items: [Item] = []
        if number <= pageCount {
            let start = (number - 1) * size
            items = try self.items(
                for: request.offset(request.core.offset + start).limit(min(size, count - start)))
        }
        return NumberedPage(items: items, number: number, pageCount: pageCount, itemCount: count)
    }

    private func requireSize(_ size: Int, of type: any DataStoreItem.Type) throws(DataStoreError) {
        if size > 0, size < .max { return }
        throw DataStoreError(
            .invalidRequest, "The size of a page is \(size).", advice: "A page has at least one item.",
            itemType: type.schema.name)
    }

    /// The steps by which a page of a request is read, one line each, and whether it is as fast at any depth.
    ///
    /// ```text
    /// index Recipe(rating)
    /// ```
    ///
    /// If no index gives the order, the last line says so: each page is then a pass over the items of the request.
    ///
    /// - Throws: As ``page(of:after:size:)``.
    public final func explainPage<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, after item: Item? = nil, size: Int
    ) throws(DataStoreError) -> [String] {
        var lines: [String] = []
        for part in try requests(of: request, from: item, size, isForward: true) {
            lines += try explain(part(0))
        }
        if lines.contains(where: { $0.hasPrefix("sort") || $0.contains(": sort") }) {
            lines.append("each page is a pass over the items of the request, as no index gives its order")
        }
        return lines
    }

    private func page<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, from item: Item?, _ size: Int, isForward: Bool
    ) throws(DataStoreError) -> ItemPage<Item> {
        var items: [Item] = []
        for part in try requests(of: request, from: item, size, isForward: isForward)
        where items.count <= size {
            items += try self.items(for: part(items.count))
        }
        let hasMore = items.count > size
        if hasMore { items.removeLast() }
        return ItemPage(items: items, hasMore: hasMore)
    }

    /// The requests that one after the other give the items of a page, each by the number of those that were found.
    private func requests<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, from item: Item?, _ size: Int, isForward: Bool
    ) throws(DataStoreError) -> [(Int) -> DataStoreRequest<Item>] {
        try requireSize(size, of: Item.self)
        var core = request.core
        if core.offset != 0 || core.limit != nil {
            throw DataStoreError(
                .invalidRequest, "A page is not possible for a request with an offset or a limit.",
                advice: "The item that the page follows says where it begins, its size how long it is.",
                itemType: Item.schema.name)
        }
        if core.order.contains(where: { $0.collation != nil }) {
            throw DataStoreError(
                .invalidRequest, "A page is not possible after an item in the order of a language.",
                advice: "Sort without regard to case or diacritics, or ask for a page by its number.",
                itemType: Item.schema.name)
        }
        let context = try block()
        let entity = try context.number(of: Item.self)
        let parts: [PageStart.Part]
        if let item {
            let start = try context.pageStart(after: item, in: core, of: entity)
            parts = start.partsOfFollowing(isForward: isForward)
        } else {
            // Only a relationship has an order that differs from one by values.
            if core.graph != nil { try context.planByValues(core, of: entity) }
            if !isForward { core.reverseOrder() }
            parts = [PageStart.Part(filter: .always(true), order: core.order)]
        }
        return parts.map { part in
            var request = core
            request.filter = core.filter == .always(true) ? part.filter : core.filter && part.filter
            request.order = part.order
            return { found in
                // One more than the page has, to know whether there is any.
                var next = request
                next.limit = size + 1 - found
                return DataStoreRequest(next)
            }
        }
    }
}
