/// A condition on groups, on their keys and aggregates.
///
///     Sale.all.grouped(by: \.product.name).having(.count > 3 && .key(\.product.name) != nil)
///
/// Built with `==`, `!=`, `<`, `<=`, `>`, `>=`, `&&`, `||` and `!`, with the two-valued logic of ``Filter``: an order
/// compared with nil, or with NaN, is false.
public struct GroupFilter<Item: DataStoreItem>: Sendable, Hashable {
    let node: GroupFilterNode
    /// The nesting depth of the operators; a chain of one operator is flat.
    private let depth: Int

    /// Replaces what is nested too deeply by a mistake, as code that reads a filter recurses once for each level.
    fileprivate init(_ node: GroupFilterNode, depth: Int = 0) {
        self.node = depth > FilterNode.maximumDepth ? .invalid(FilterNode.tooDeepMessage(depth)) : node
        self.depth = depth
    }

    fileprivate var depthInConjunction: Int { if case .all = node { depth } else { depth + 1 } }

    fileprivate var depthInDisjunction: Int { if case .any = node { depth } else { depth + 1 } }

    fileprivate var negated: GroupFilter { GroupFilter(.not(node), depth: depth + 1) }
}

public func == <Item, Value: AttributeValue>(
    term: GroupTerm<Item, Value>, value: Value
) -> GroupFilter<Item> { GroupFilter(term, .equal, value) }

public func != <Item, Value: AttributeValue>(
    term: GroupTerm<Item, Value>, value: Value
) -> GroupFilter<Item> { GroupFilter(term, .notEqual, value) }

public func < <Item, Value: AttributeValue>(
    term: GroupTerm<Item, Value>, value: Value
) -> GroupFilter<Item> { GroupFilter(term, .less, value) }

public func <= <Item, Value: AttributeValue>(
    term: GroupTerm<Item, Value>, value: Value
) -> GroupFilter<Item> { GroupFilter(term, .lessOrEqual, value) }

public func > <Item, Value: AttributeValue>(
    term: GroupTerm<Item, Value>, value: Value
) -> GroupFilter<Item> { GroupFilter(term, .greater, value) }

public func >= <Item, Value: AttributeValue>(
    term: GroupTerm<Item, Value>, value: Value
) -> GroupFilter<Item> { GroupFilter(term, .greaterOrEqual, value) }

public func && <Item>(left: GroupFilter<Item>, right: GroupFilter<Item>) -> GroupFilter<Item> {
    GroupFilter(left.node && right.node, depth: max(left.depthInConjunction, right.depthInConjunction))
}

public func || <Item>(left: GroupFilter<Item>, right: GroupFilter<Item>) -> GroupFilter<Item> {
    GroupFilter(left.node || right.node, depth: max(left.depthInDisjunction, right.depthInDisjunction))
}

public prefix func ! <Item>(filter: GroupFilter<Item>) -> GroupFilter<Item> {
    filter.negated
}

extension GroupFilter {
    fileprivate init<Value: AttributeValue>(
        _ term: GroupTerm<Item, Value>, _ comparison: Comparison, _ value: Value
    ) {
        do {
            self.init(
                .compare(term.node, comparison, try Constant(encoding: value), Value.attributeType.storage))
        } catch {
            self.init(.invalid(error.message))
        }
    }
}

/// A value of a group, before it is lowered.
enum GroupValueNode: Sendable, Hashable {
    case key(ValueSource)
    case aggregate(AggregateTerm)
}

/// A condition on groups, before it is lowered.
enum GroupFilterNode: Sendable, Hashable {
    /// The storage is that of both sides.
    case compare(GroupValueNode, Comparison, Constant, AttributeType.Storage)
    case all([GroupFilterNode])
    case any([GroupFilterNode])
    indirect case not(GroupFilterNode)
    /// A mistake that only shows at run time.
    case invalid(String)

    static func && (left: GroupFilterNode, right: GroupFilterNode) -> GroupFilterNode {
        .all(left.conditions + right.conditions)
    }

    static func || (left: GroupFilterNode, right: GroupFilterNode) -> GroupFilterNode {
        .any(left.alternatives + right.alternatives)
    }

    private var conditions: [GroupFilterNode] { if case .all(let parts) = self { parts } else { [self] } }

    private var alternatives: [GroupFilterNode] { if case .any(let parts) = self { parts } else { [self] } }
}

/// One term of the order of groups.
struct GroupOrderTerm: Sendable, Hashable {
    let value: GroupValueNode
    let isAscending: Bool
}

/// A request for groups, without its item type.
struct GroupRequestCore: Sendable, Hashable {
    var rows: RequestCore
    var keys: [ValueSource]
    var filter: GroupFilterNode?
    var order: [GroupOrderTerm] = []
    var offset = 0
    var limit: Int?

    init(rows: RequestCore, keys: [ValueSource]) {
        self.rows = rows
        self.keys = keys
    }
}

// MARK: Running

/// The filter, order and window of groups, over rows of their keys and aggregates.
struct GroupSelection {
    let grouping: GroupingCore
    private let core: GroupRequestCore
    private let order: [(position: Int, isAscending: Bool)]
    private let schema: EntitySchema

    /// - Parameter terms: The aggregates that are asked for; those of the filter and the order come after them.
    /// - Throws: `.invalidRequest`.
    init(
        _ core: GroupRequestCore, _ terms: [AggregateTerm], of schema: EntitySchema
    ) throws(DataStoreError) {
        if core.offset < 0 || core.limit ?? 0 < 0 {
            let part = core.offset < 0 ? "offset is \(core.offset)" : "limit is \(core.limit ?? 0)"
            throw DataStoreError(.invalidRequest, "The \(part).", itemType: schema.name)
        }
        self.core = core
        self.schema = schema
        var grouping = GroupingCore(keys: core.keys, terms: terms)
        try core.filter?.forEachValue(of: schema) { value throws(DataStoreError) in
            _ = try grouping.position(of: value, schema)
        }
        var order: [(Int, Bool)] = []
        for term in core.order {
            order.append((try grouping.position(of: term.value, schema), term.isAscending))
        }
        // Keys differ, so that the order is total (contract rule 8).
        let isAscending = core.order.last?.isAscending ?? true
        self.order = order + core.keys.indices.map { ($0, isAscending) }
        self.grouping = grouping
    }

    /// The numbers of the groups that pass, in order, as far as they are in the window.
    ///
    /// - Parameter storages: The storage of each value of a group.
    func select(
        from rows: GroupRows, _ storages: [AttributeType.Storage]
    ) throws(DataStoreError) -> ArraySlice<Int> {
        var kept = Array(0..<rows.count)
        if let filter = core.filter {
            var passing: [Int] = []
            for group in kept where try passes(group, of: rows, filter) { passing.append(group) }
            kept = passing
        }
        if rows.areInOrder, core.order.isEmpty {
            return kept.dropFirst(core.offset).prefix(core.limit ?? .max)
        }
        if !isSorted(kept, of: rows, storages) {
            kept.sort { precedes($0, $1, of: rows, storages) }
        }
        return kept.dropFirst(core.offset).prefix(core.limit ?? .max)
    }

    private func isSorted(_ groups: [Int], of rows: GroupRows, _ storages: [AttributeType.Storage]) -> Bool {
        for position in groups.indices.dropFirst()
        where precedes(groups[position], groups[position - 1], of: rows, storages) {
            return false
        }
        return true
    }

    private func precedes(
        _ left: Int, _ right: Int, of rows: GroupRows, _ storages: [AttributeType.Storage]
    ) -> Bool {
        for term in order {
            let order = rows.value(term.position, of: left).groupOrder(
                to: rows.value(term.position, of: right), storage: storages[term.position])
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }

    private func passes(
        _ group: Int, of rows: GroupRows, _ filter: GroupFilterNode
    ) throws(DataStoreError) -> Bool {
        switch filter {
        case .compare(let value, let comparison, let constant, let storage):
            var grouping = grouping
            let position = try grouping.position(of: value, schema)
            return rows.value(position, of: group).compares(comparison, constant, storage: storage)
        case .all(let parts):
            for part in parts where try !passes(group, of: rows, part) { return false }
            return true
        case .any(let parts):
            for part in parts where try passes(group, of: rows, part) { return true }
            return false
        case .not(let inner): return try !passes(group, of: rows, inner)
        // Thrown when the selection was made.
        case .invalid: return false
        }
    }
}

extension GroupFilterNode {
    /// - Throws: `.invalidRequest` for a mistake that only shows at run time.
    fileprivate func forEachValue(
        of schema: EntitySchema, _ body: (GroupValueNode) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        switch self {
        case .compare(let value, _, _, _): try body(value)
        case .all(let parts), .any(let parts): for part in parts { try part.forEachValue(of: schema, body) }
        case .not(let inner): try inner.forEachValue(of: schema, body)
        case .invalid(let message):
            throw DataStoreError(
                .invalidRequest, "The filter of the groups cannot be used. \(message)", itemType: schema.name)
        }
    }
}

extension GroupingCore {
    /// The position of a value in the rows of groups; an aggregate that is new is added.
    ///
    /// - Throws: `.invalidRequest` for a key that the groups do not have.
    fileprivate mutating func position(
        of value: GroupValueNode, _ schema: EntitySchema
    ) throws(DataStoreError) -> Int {
        switch value {
        case .key(let source):
            if let position = keys.firstIndex(of: source) { return position }
            throw DataStoreError(
                .invalidRequest, "The items are not grouped by this key.",
                advice: "Name the key in grouped(by:), with the same time zone.", itemType: schema.name,
                attribute: source.path.isEmpty ? schema.attributes[source.column].name : nil)
        case .aggregate(let term):
            if let position = terms.firstIndex(of: term) { return keys.count + position }
            terms.append(term)
            return keys.count + terms.count - 1
        }
    }
}

extension Constant {
    private var isNaN: Bool {
        if case .real(let value) = self { value.isNaN } else { false }
    }

    /// As `order`, with NaN between nil and the numbers.
    fileprivate func groupOrder(to other: Constant, storage: AttributeType.Storage) -> Int {
        if !isNull, !other.isNull, isNaN || other.isNaN { return (isNaN ? 0 : 1) - (other.isNaN ? 0 : 1) }
        return order(to: other, storage: storage)
    }

    fileprivate func compares(
        _ comparison: Comparison, _ other: Constant, storage: AttributeType.Storage
    ) -> Bool {
        if isNull || other.isNull || isNaN {
            switch comparison {
            case .equal: return isNull && other.isNull
            case .notEqual: return isNull != other.isNull || isNaN
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return false
            }
        }
        return comparison.holds(order(to: other, storage: storage), 0)
    }
}
