public import LarderKernel

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
        self.node = depth > FilterNode.maximumDepth ? .mistake(RequestMistake(depth: depth)) : node
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
            self.init(.mistake(RequestMistake(error.message)))
        }
    }
}

/// A value of a group, before it is lowered.
enum GroupValueNode: Sendable, Hashable {
    case key(AttributePlace)
    case aggregate(AggregateTerm)
}

/// A condition on groups, before it is lowered.
enum GroupFilterNode: Sendable, Hashable {
    /// Both sides have this storage.
    case compare(GroupValueNode, Comparison, Constant, AttributeType.Storage)
    case all([GroupFilterNode])
    case any([GroupFilterNode])
    indirect case not(GroupFilterNode)
    case mistake(RequestMistake)

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
    var keys: [AttributePlace]
    var filter: GroupFilterNode?
    var order: [GroupOrderTerm] = []
    var offset = 0
    var limit: Int?

    init(rows: RequestCore, keys: [AttributePlace]) {
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
    private let test: GroupTest?

    /// - Parameter terms: The aggregates that are asked for; the aggregates of the filter and the order come
    ///   after them.
    /// - Throws: `.invalidRequest`.
    init(
        _ core: GroupRequestCore, _ terms: [AggregateTerm], of schema: EntitySchema
    ) throws(DataStoreError) {
        if core.offset < 0 || core.limit ?? 0 < 0 {
            let part = core.offset < 0 ? "offset is \(core.offset)" : "limit is \(core.limit ?? 0)"
            throw DataStoreError(.invalidRequest, "The \(part).", itemType: schema.name)
        }
        self.core = core
        var grouping = GroupingCore(keys: core.keys, terms: terms)
        test = try core.filter?.test(of: schema, in: &grouping)
        var order: [(Int, Bool)] = []
        for term in core.order {
            order.append((try grouping.position(of: term.value, schema), term.isAscending))
        }
        // Keys differ, so that the order is total (contract rule 8).
        let isAscending = core.order.last?.isAscending ?? true
        self.order = order + core.keys.indices.map { ($0, isAscending) }
        self.grouping = grouping
    }

    /// The numbers of the groups that pass, in order, within the window.
    ///
    /// - Parameter storages: The storage of each value of a group.
    func select(from rows: GroupRows, _ storages: [AttributeType.Storage]) -> ArraySlice<Int> {
        var kept = Array(0..<rows.count)
        if let test { kept.removeAll { !test(rows, $0) } }
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
}

/// The test of a group, by its number.
private typealias GroupTest = (GroupRows, Int) -> Bool

extension GroupFilterNode {
    /// The filter as a test.
    ///
    /// - Parameter grouping: Given the values of the filter that it does not have.
    /// - Throws: `.invalidRequest` for a mistake that only shows at run time.
    fileprivate func test(
        of schema: EntitySchema, in grouping: inout GroupingCore
    ) throws(DataStoreError) -> GroupTest {
        switch self {
        case .compare(let value, let comparison, let constant, let storage):
            let position = try grouping.position(of: value, schema)
            return { $0.value(position, of: $1).compares(comparison, constant, storage: storage) }
        case .all(let parts):
            let tests = try Self.tests(parts, of: schema, in: &grouping)
            return { rows, group in tests.allSatisfy { $0(rows, group) } }
        case .any(let parts):
            let tests = try Self.tests(parts, of: schema, in: &grouping)
            return { rows, group in tests.contains { $0(rows, group) } }
        case .not(let inner):
            let test = try inner.test(of: schema, in: &grouping)
            return { !test($0, $1) }
        case .mistake(let mistake): throw mistake.error(in: "filter of the groups", of: schema)
        }
    }

    private static func tests(
        _ parts: [GroupFilterNode], of schema: EntitySchema, in grouping: inout GroupingCore
    ) throws(DataStoreError) -> [GroupTest] {
        var tests: [GroupTest] = []
        for part in parts { tests.append(try part.test(of: schema, in: &grouping)) }
        return tests
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
        case .key(let place):
            if let position = keys.firstIndex(of: place) { return position }
            throw DataStoreError(
                .invalidRequest, "The items are not grouped by this key.",
                advice: "Name the key in grouped(by:), with the same time zone.", itemType: schema.name,
                attribute: place.ownName(in: schema))
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

extension AttributePlace {
    /// The name of the attribute, if it is one of the item itself.
    func ownName(in schema: EntitySchema) -> String? {
        path.isEmpty ? schema.attributes[column].propertyName : nil
    }
}
