/// A request as engines see it: numbers of columns, constants, a total order and a window.
///
/// ```text
/// Recipe where rating > 4.0 order name ascending, id ascending limit 20
/// ```
///
/// A printable value, which tests and errors quote, made from the app's request.
public struct RequestPlan: Sendable, Hashable {
    /// The number of the item type in the store's schema.
    public let entity: Int
    public let schema: EntitySchema
    /// The requested columns; the cells of a row are in this order.
    public var columns: Columns
    public var predicate: RowPredicate
    /// The complete order: the last term is `id`, so that no two rows are equal.
    public var order: [SortTerm]
    /// The order if it follows references; it comes before the last term of ``order``, which is `id`.
    ///
    /// Seen only by an engine that runs such plans whole, as is ``RowPredicate/related(_:)``.
    public package(set) var relatedOrder: RelatedOrder?
    /// The links that say which items come, or in which order; the core reads them first.
    package internal(set) var links: OwnerLinks?
    /// True if it looks for values that a write gives: if no row can have one, this is not the mistake of a request.
    package var isLookUp = false
    /// The most rows that it finds while each value of a unique index is taken once; nil for any number.
    package var maximumCount: Int?
    public var offset: Int
    public var limit: Int?
    /// The requested columns of a row.
    public enum Columns: Sendable, Hashable {
        case all
        case some([Int])

        /// The columns as numbers.
        public func numbers(of schema: EntitySchema) -> [Int] {
            switch self {
            case .all: Array(schema.attributes.indices)
            case .some(let columns): columns
            }
        }
    }

    /// One term of an order.
    public struct SortTerm: Sendable, Hashable {
        public let column: Int
        public let isAscending: Bool

        public init(column: Int, isAscending: Bool) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    public init(
        entity: Int, schema: EntitySchema, columns: Columns = .all, predicate: RowPredicate = .always(true),
        order: [SortTerm] = [], offset: Int = 0, limit: Int? = nil
    ) {
        self.entity = entity
        self.schema = schema
        self.columns = columns
        self.predicate = predicate
        self.order = Self.totalOrder(order)
        self.offset = offset
        self.limit = limit
    }

    /// True if it tests, sorts by or follows other items.
    package var isRelated: Bool { relatedOrder != nil || links != nil || predicate.isRelated }

    /// Replaces the order.
    package mutating func setOrder(_ terms: some Sequence<SortTerm>) {
        order = Self.totalOrder(terms)
    }

    /// Leaves the order to the engine: for a plan without a window, whose rows all count.
    package mutating func forgetOrder() {
        order = Self.byIdentifier
        (relatedOrder, links) = (nil, nil)
    }

    /// The number of rows from the first one to the end of the window; nil if it has no end.
    package var windowEnd: Int? {
        guard let limit else { return nil }
        let (end, isTooLarge) = offset.addingReportingOverflow(limit)
        return isTooLarge ? nil : end
    }

    /// The number of rows in the window, of all that the plan would have without one.
    package func countInWindow(of count: Int) -> Int {
        min(max(0, count - offset), limit ?? .max)
    }

    /// The terms of the whole order, including ``relatedOrder``.
    public var terms: [RelatedOrder.Term] {
        let own = order.map { RelatedOrder.Term(path: [], term: $0) }
        guard let relatedOrder else { return own }
        return own.dropLast() + relatedOrder.terms + own.suffix(1)
    }

    /// Ends the order with `id`, in the direction of the last term (contract rule 8).
    private static func totalOrder(_ terms: some Sequence<SortTerm>) -> [SortTerm] {
        var order: [SortTerm] = []
        for term in terms {
            if !order.contains(where: { $0.column == term.column }) { order.append(term) }
            if term.column == 0 { return order }  // terms after a unique key have no effect
        }
        guard let last = order.last else { return byIdentifier }
        order.append(SortTerm(column: 0, isAscending: last.isAscending))
        return order
    }

    private static let byIdentifier = [SortTerm(column: 0, isAscending: true)]

    public static func == (left: RequestPlan, right: RequestPlan) -> Bool {
        left.entity == right.entity && left.columns == right.columns && left.predicate == right.predicate
            && left.order == right.order && left.offset == right.offset && left.limit == right.limit
            && left.relatedOrder == right.relatedOrder && left.links == right.links
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(columns)
        hasher.combine(predicate)
        hasher.combine(order)
        hasher.combine(relatedOrder)
        hasher.combine(links)
        hasher.combine(offset)
        hasher.combine(limit)
    }

    /// True if a row comes before another in the plan's order; cells by column number.
    public func precedes(_ left: UnsafePointer<Cell>, _ right: UnsafePointer<Cell>) -> Bool {
        for term in order {
            let storage = schema.storage(ofColumn: term.column)
            let order = left[term.column].order(to: right[term.column], storage: storage)
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }
}

extension RequestPlan: CustomStringConvertible {
    public var description: String { description(showingValues: true) }

    /// The plan with every constant shown as `?`, for logs.
    public var descriptionWithoutValues: String { description(showingValues: false) }

    private func description(showingValues: Bool) -> String {
        var text = schema.name
        if case .some(let columns) = columns {
            text += " select " + columns.map { schema.attributes[$0].name }.joined(separator: ", ")
        }
        if predicate != .always(true) {
            text += " where " + predicate.description(of: schema, showingValues: showingValues)
        }
        text += " order " + terms.map { $0.description(of: schema) }.joined(separator: ", ")
        if offset > 0 { text += " offset \(offset)" }
        if let limit { text += " limit \(limit)" }
        return text
    }
}

extension RowPredicate {
    /// The predicate as text, with the names of the attributes.
    public func description(of schema: EntitySchema, showingValues: Bool = true) -> String {
        func joined(_ parts: [RowPredicate], by word: String) -> String {
            let texts = parts.map { $0.description(of: schema, showingValues: showingValues) }
            return "(" + texts.joined(separator: word) + ")"
        }
        return switch self {
        case .always(let value): value ? "true" : "false"
        case .column(let column, let test):
            test.description(of: schema.attributes[column].name, showingValues: showingValues)
        case .all(let parts): joined(parts, by: " and ")
        case .any(let parts): joined(parts, by: " or ")
        case .related(let test): test.description(showingValues: showingValues)
        case .expression(let test): test.description(of: schema, showingValues: showingValues)
        }
    }
}
