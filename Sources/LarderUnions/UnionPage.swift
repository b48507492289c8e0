public import LarderKernel
import LarderPages
import LarderPattern

/// Some items of a request for several types, one after the other, and whether there are more.
public struct UnionPage<Union: ItemUnion>: Sendable {
    public let items: [Union]
    /// True if the request has further items in the direction of the page.
    public let hasMore: Bool
}

extension UnionPage: Equatable where Union: Equatable {}

extension DataStoreReadAccessor {
    /// The items of a request for several types that follow another one in its order; without one, the first.
    ///
    ///     let request = Medium.all.sorted(by: \.title)
    ///     let first = try accessor.page(of: request, size: 50)
    ///     let second = try accessor.page(of: request, after: first.items.last, size: 50)
    ///
    /// The page begins where the item stands by the values that it has as given, whether or not it is still stored or
    /// passes the filter. So no item comes twice and none is missed when others are inserted or deleted before it. For a
    /// value that `@Attribute(fallback:)` has supplied, the stored one counts; if the item is gone, the shown one does. For
    /// a page by its number, use an offset and a limit.
    ///
    /// *Cost:* with an index for the order in each member, the same for every page, however far on; without one, a pass
    /// over the items of the member. In the order of an enum, the item is looked up by its key too.
    ///
    /// - Throws: `.invalidRequest` for a size below 1, for a request with offset or limit, and for an item that is not of
    ///   a member; as ``items(for:)``.
    public final func page<Union: ItemUnion>(
        of request: UnionRequest<Union>, after item: Union? = nil, size: Int
    ) throws(DataStoreError) -> UnionPage<Union> {
        guard size > 0, size < .max else { throw request.mistake("The size of a page is \(size).") }
        if request.offset != 0 || request.limit != nil {
            throw request.mistake("A page is of a request without an offset and a limit.")
        }
        var start: UnionPageStart<Union>?
        if let item { start = try UnionPageStart(of: item, in: request, block()) }
        let walk = try walk(over: request.limit(size + 1), after: start)
        defer { walk.close() }
        var items: [Union] = []
        while items.count < size, let item = try walk.next() { items.append(item) }
        return UnionPage(items: items, hasMore: try walk.next() != nil)
    }

    /// The items of a request for several types that come just before another one, in its order; without one, the last.
    ///
    ///     let request = Medium.all.sorted(by: \.title)
    ///     let last = try accessor.page(of: request, before: nil, size: 50)
    ///     let lastButOne = try accessor.page(of: request, before: last.items.first, size: 50)
    ///
    /// As ``page(of:after:size:)``, in the other direction.
    ///
    /// - Throws: As ``page(of:after:size:)``.
    public final func page<Union: ItemUnion>(
        of request: UnionRequest<Union>, before item: Union?, size: Int
    ) throws(DataStoreError) -> UnionPage<Union> {
        let page = try page(of: request.reversed, after: item, size: size)
        return UnionPage(items: page.items.reversed(), hasMore: page.hasMore)
    }
}

/// The item after which a page begins: its values for each term of the order, its member and its identifier.
struct UnionPageStart<Union: ItemUnion> {
    private let position: Int
    private let values: [Constant]
    private let identifier: Constant

    /// - Throws: `.invalidRequest`; `.invalidValue` for an item that cannot be stored; rethrows errors from the engine.
    init(
        of value: Union, in request: UnionRequest<Union>, _ context: BlockContext
    ) throws(DataStoreError) {
        let item = value.item
        guard let position = Union.members.firstIndex(where: { $0.type.itemType == type(of: item) }) else {
            throw request.mistake("\(type(of: item).schema.name) is not a member.")
        }
        let columns = try request.parts()[position].columns
        let values = try context.orderedValues(of: item, at: columns + [0])
        self.position = position
        self.values = Array(values.dropLast())
        identifier = values[columns.count]
    }

    /// The requests for the items of a member that follow the item; the items of one come after all items of another.
    ///
    /// First come the items that are equal in all terms, then those that are equal up to the last one, and so on. Each
    /// fixes the values of the first terms and bounds the next, so that an index that begins with them leads there.
    func following(_ part: UnionPart<Union>, in request: UnionRequest<Union>) -> [RequestCore] {
        var cores: [RequestCore] = []
        func add(_ tests: [FilterNode]) {
            var core = part.core
            core.filter = tests.reduce(core.filter) { $0 == .always(true) ? $1 : $0 && $1 }
            cores.append(core)
        }
        let terms = request.order.indices
        let equal = terms.map { test(.equal, $0, part, request) }
        let isAscending = request.isTieAscending
        if part.position == position {
            add(equal + [.compare(column: 0, isAscending ? .greater : .less, identifier)])
        } else if (part.position > position) == isAscending {
            add(equal)
        }
        for term in terms.reversed() {
            // nil is before all others (contract rule 8).
            let isNil = values[term].isNull
            if request.order[term].isAscending {
                add(equal[..<term] + [test(isNil ? .notEqual : .greater, term, part, request)])
            } else if !isNil {
                add(equal[..<term] + [test(.less, term, part, request)])
                let isOptional = part.member.schema.attributes[part.columns[term]].isOptional
                if isOptional { add(equal[..<term] + [.compare(column: part.columns[term], .equal, .null)]) }
            }
        }
        return cores
    }

    private func test(
        _ comparison: Comparison, _ term: Int, _ part: UnionPart<Union>, _ request: UnionRequest<Union>
    ) -> FilterNode {
        let (column, matching) = (part.columns[term], request.order[term].matching)
        guard matching != .exact, case .text(let text) = values[term],
            let kind = TextTest.Kind(rawValue: comparison.rawValue)
        else { return .compare(column: column, comparison, values[term]) }
        return .text(column: column, TextTest(kind, text, matching))
    }
}
