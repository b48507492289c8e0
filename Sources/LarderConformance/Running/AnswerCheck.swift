import Larder
import LarderText

/// Asks a store for a request in every way, and compares each answer with the items that are expected.
struct AnswerCheck<Item: DataStoreItem> {
    let request: DataStoreRequest<Item>
    let expected: [AnyItemID]
    let accessor: DataStoreReadAccessor
    let place: SourcePlace

    /// The calls are made in every place; the other ways, which are calls of other requests, in most.
    func run(in asked: AskedPlace) throws {
        try checkCalls()
        guard asked.isForEveryWay else { return }
        try checkNumberedPage()
        try checkText()
        // Pages and the opposite order divide and turn a whole, not a window.
        guard request.core.offset == 0, request.core.limit == nil else { return }
        try checkReversed()
        if request.order.terms.contains(where: { $0.collation != nil }) { return }
        try checkPages(isForward: true)
        try checkPages(isForward: false)
    }

    func checkCalls() throws {
        try expect(try accessor.items(for: request).map(\.id.anyItemID), expected, "items")
        try expect(try accessor.ids(for: request).map(\.anyItemID), expected, "ids")
        var walked: [AnyItemID] = []
        try accessor.forEachItem(for: request) { walked.append($0.id.anyItemID) }
        try expect(walked, expected, "forEachItem")
        try expect(try accessor.firstItem(for: request)?.id.anyItemID, expected.first, "the first")
        try expect(try accessor.countItems(for: request), expected.count, "the count")
        try expect(try accessor.contains(request), !expected.isEmpty, "contains")
    }

    /// The opposite order gives the items from the last to the first, and the last of them at once.
    private func checkReversed() throws {
        let falling = ItemOrder<Item>(terms: [OrderTerm(AttributePlace(column: 0), isAscending: false)])
        let order = request.order.terms.isEmpty ? falling : request.order.reversed
        let reversed = request.replacingOrder(by: order)
        let ids = try accessor.ids(for: reversed).map(\.anyItemID)
        try expect(ids, expected.reversed(), "ids in the opposite order")
        try expect(try accessor.firstItem(for: reversed)?.id.anyItemID, expected.last, "the last")
    }

    /// Three pages at most, after one another or before one another.
    private func checkPages(isForward: Bool) throws {
        var found: [Item] = []
        var hasMore = true
        while hasMore, found.count <= expected.count {
            let page =
                isForward
                ? try accessor.page(of: request, after: found.last, size: pageSize)
                : try accessor.page(of: request, before: found.first, size: pageSize)
            found = isForward ? found + page.items : page.items + found
            hasMore = page.hasMore
            try expect(hasMore, found.count < expected.count, "has more pages")
        }
        try expect(found.map(\.id.anyItemID), expected, isForward ? "pages onwards" : "pages backwards")
    }

    private func checkNumberedPage() throws {
        let page = try accessor.page(2, of: request, size: pageSize)
        let items = Array(expected.dropFirst(pageSize).prefix(pageSize))
        try expect(page.items.map(\.id.anyItemID), items, "page 2 by \(pageSize)")
        try expect(page.itemCount, expected.count, "the count of page 2")
    }

    /// The filter and the order that are read from their texts have the same texts, and give the same items.
    private func checkText() throws {
        let text = Filter<Item>(request.core.filter).text
        let read = try Filter<Item>(text: text)
        try expect(read.text, text, "a filter read from its text")
        let again = try orderedByText(Item.where(read)).offset(request.core.offset).limit(request.core.limit)
        try expect(try accessor.ids(for: again).map(\.anyItemID), expected, "ids by the texts of the request")
    }

    /// A request in the order that is read from its text, if there is one: the rules of a language have none.
    private func orderedByText(_ unordered: DataStoreRequest<Item>) throws -> DataStoreRequest<Item> {
        let terms = request.order.terms
        if terms.isEmpty || terms.contains(where: { $0.collation != nil }) {
            return unordered.sorted(by: request.order)
        }
        let schema = try StoreSchema(reachableFrom: Item.self)
        let text = terms.text(of: 0, in: schema)
        let ordered = try unordered.sorted(text: text)
        try expect(ordered.order.terms.text(of: 0, in: schema), text, "an order read from its text")
        return ordered
    }

    private var pageSize: Int { max(1, (expected.count + 2) / 3) }

    private func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ way: String) throws {
        guard actual != expected else { return }
        throw ConformanceFailure(
            expected: "\(way) for \(request): \(expected)", actual: "\(actual)", at: place)
    }
}
