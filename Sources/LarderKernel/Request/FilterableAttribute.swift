/// A value that filters compare: an ``Attribute``, a ``RelatedAttribute`` or a ``RelatedCount``.
///
/// The operators and the functions of ``Filter`` are written once for all of them.
public protocol FilterableAttribute<Item, Value>: Sendable {
    associatedtype Item: DataStoreItem
    associatedtype Value

    /// The place of the value, seen from the item.
    var place: AttributePlace { get }
}

/// A value that orders sort by: an ``Attribute`` or a ``RelatedAttribute``.
public protocol SortableAttribute<Item, Value>: FilterableAttribute {}

/// The place of a value that filters compare.
public struct AttributePlace: Sendable {
    /// The references that lead to the item with the value; none for the item itself.
    package let path: [RelationshipReference]
    package let value: Value

    package enum Value: Sendable {
        case column(Int)
        case count(RelationshipReference)
    }
}

extension Attribute: FilterableAttribute where Value: AttributeValue {
    public var place: AttributePlace { AttributePlace(path: [], value: .column(column)) }
}

extension RelatedAttribute: FilterableAttribute where Value: AttributeValue {
    public var place: AttributePlace { AttributePlace(path: path, value: .column(column)) }
}

extension Attribute: SortableAttribute where Value: AttributeValue {}

extension RelatedAttribute: SortableAttribute where Value: AttributeValue {}

extension RelatedCount: FilterableAttribute {
    public typealias Value = Int

    public var place: AttributePlace { AttributePlace(path: path, value: .count(relationship)) }
}

extension AttributePlace {
    /// The test of one value, for the item that the path leads to.
    func comparing<Compared: AttributeStorable>(
        _ comparison: Comparison, _ constant: Compared
    ) -> FilterNode {
        switch value {
        case .column(let column): .compare(column, comparison, with: constant)
        case .count(let relationship): .relatedCount(relationship, comparison, constant as? Int ?? 0)
        }
    }

    func isIn<Compared: AttributeStorable>(_ constants: [Compared]) -> FilterNode {
        switch value {
        case .column(let column): .isIn(column, constants)
        case .count: .any(constants.map { comparing(.equal, $0) })
        }
    }

    func text(_ test: TextTest) -> FilterNode {
        switch value {
        case .column(let column): .text(column: column, test)
        // A number has no text; the compiler refuses to ask.
        case .count: .always(false)
        }
    }

    /// The test, for the item that a request is about.
    func through(_ test: FilterNode) -> FilterNode { .through(path, test) }
}

extension FilterNode {
    /// A test at the end of a path of references.
    package static func through(_ path: [RelationshipReference], _ test: FilterNode) -> FilterNode {
        path.reversed().reduce(test) { .related($1, .reference, $0) }
    }
}
