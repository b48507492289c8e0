/// A value that filters compare: an ``Attribute``, a ``RelatedAttribute`` or a ``RelatedCount``.
///
/// The operators and the functions of ``Filter`` are written once for all of them.
public protocol FilterableAttribute<Item, Value>: Sendable {
    associatedtype Item: DataStoreItem
    associatedtype Value

    /// The value as filters compare it.
    var operand: FilterOperand { get }
}

/// A value that orders sort by: an ``Attribute`` or a ``RelatedAttribute``.
public protocol SortableAttribute: FilterableAttribute {
    /// The place of the value, seen from the item.
    var place: AttributePlace { get }
}

extension SortableAttribute {
    public var operand: FilterOperand { FilterOperand(path: place.path, value: .column(place.column)) }
}

/// The place of a value: an attribute of an item, or of one that its references lead to.
///
/// Orders, groups, aggregates, sections of lists and calculations name their values by it.
public struct AttributePlace: Sendable, Hashable {
    /// The references that lead to the item with the value; none for the item itself.
    package let path: [RelationshipReference]
    package let column: Int
    /// The part of the date that is meant; nil for the value itself.
    package let part: ZonedDatePart?

    /// Creates the place of a column; the identifier after a reference is the reference's own column.
    package init(_ path: [RelationshipReference] = [], column: Int) {
        self.init(path, column: column, part: nil)
    }

    init(_ path: [RelationshipReference], column: Int, part: ZonedDatePart?) {
        self.part = part
        if column == 0, case .column(let reference)? = path.last {
            self.path = path.dropLast()
            self.column = reference
        } else {
            self.path = path
            self.column = column
        }
    }
}

/// A value that filters compare: the one at a place, or a number of related items.
public struct FilterOperand: Sendable {
    /// The references that lead to the item with the value; none for the item itself.
    let path: [RelationshipReference]
    let value: Value

    enum Value: Sendable {
        case column(Int)
        case count(RelationshipReference)
    }
}

extension Attribute: FilterableAttribute, SortableAttribute where Value: AttributeValue {
    public var place: AttributePlace { AttributePlace(column: column) }

    // Without a place, which the compiler would ask for by another dynamic call.
    public var operand: FilterOperand { FilterOperand(path: [], value: .column(column)) }
}

extension RelatedAttribute: FilterableAttribute, SortableAttribute where Value: AttributeValue {
    public var place: AttributePlace { AttributePlace(path, column: column) }
}

extension RelatedCount: FilterableAttribute {
    public typealias Value = Int

    public var operand: FilterOperand { FilterOperand(path: path, value: .count(relationship)) }
}

extension FilterOperand {
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
