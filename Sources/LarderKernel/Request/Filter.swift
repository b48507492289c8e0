public import struct Foundation.URL
public import LarderPattern

/// A condition on the items of a request.
///
///     let good: Filter<Recipe> = \.rating > 4 && !(\.name == "Toast")
///     let cakes: Filter<Recipe> = .contains(\.name, "cake", .caseInsensitive)
///     let open: Filter<Shop> = \.isOpen && \.rating > 4         // a Boolean is a filter by itself
///     let sweet: Filter<Recipe> = \.kind.name == "Dessert" && .any(\.ingredients, \.name == "Sugar")
///
/// Built with `==`, `!=`, `<`, `<=`, `>`, `>=`, `&&`, `||`, `!` on attributes, and with the functions below.
/// Logic is two-valued, as in Swift: `nil != "a"` is true, `!(x == "a")` includes nil, an order compared with
/// nil is false. Text is compared by its UTF-8 bytes. An attribute after a reference that is nil is nil.
///
/// *Rule:* a value; may be kept and sent anywhere. A chain of `&&`, or of `||`, is one level, however long it
/// is; levels nest up to 200 deep. A deeper filter keeps only its depth, and requests with it throw
/// `.invalidRequest`.
public struct Filter<Item: DataStoreItem>: Sendable, Hashable {
    package let node: FilterNode
    /// The nesting depth of its lists and NOT, stored so that the operators need not compute it.
    let depth: Int

    package init(_ node: FilterNode) {
        self.init(node, depth: node.depth)
    }

    /// Creates a filter of a known depth; beyond the limit, it keeps only the depth.
    init(_ node: @autoclosure () -> FilterNode, depth: Int) {
        self.depth = depth
        self.node = depth > FilterNode.maximumDepth ? .mistake(RequestMistake(depth: depth)) : node()
    }

    /// A filter that every item passes (`true`) or no item (`false`).
    public static func always(_ value: Bool) -> Filter {
        Filter(.always(value))
    }

    /// Items whose value is one of these.
    ///
    ///     let two = Recipe.where(.isIn(\.slug, ["cake", "toast"]))
    public static func isIn<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ values: some Sequence<Compared.Value>
    ) -> Filter where Compared.Item == Item, Compared.Value: AttributeValue {
        let operand = Item.attributes[keyPath: attribute].operand
        return Filter(operand.through(operand.isIn(Array(values))))
    }

    /// Items whose value lies in a range, both ends included.
    ///
    ///     let fair = Recipe.where(.between(\.rating, 2...4))
    public static func between<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ range: ClosedRange<Compared.Value>
    ) -> Filter where Compared.Item == Item, Compared.Value: AttributeValue & Comparable {
        between(Item.attributes[keyPath: attribute].operand, range)
    }

    /// Items whose value is not nil and lies in a range, both ends included.
    public static func between<Compared: FilterableAttribute, Value: AttributeValue & Comparable>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ range: ClosedRange<Value>
    ) -> Filter where Compared.Item == Item, Compared.Value == Value? {
        between(Item.attributes[keyPath: attribute].operand, range)
    }

    private static func between<Value: AttributeValue & Comparable>(
        _ operand: FilterOperand, _ range: ClosedRange<Value>
    ) -> Filter {
        let ends = [
            operand.comparing(.greaterOrEqual, range.lowerBound),
            operand.comparing(.lessOrEqual, range.upperBound),
        ]
        return Filter(operand.through(.all(ends)))
    }

    /// Items whose text contains another.
    public static func contains<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ text: String, _ matching: TextMatching = .exact
    ) -> Filter where Compared.Item == Item, Compared.Value: TextAttributeValue {
        test(Item.attributes[keyPath: attribute].operand, .contains, text, matching)
    }

    /// Items whose text begins with another.
    ///
    ///     let cakes = Recipe.where(.hasPrefix(\.name, "cake", .caseInsensitive))
    ///
    /// *Cost:* an index that ignores the same gives the items, or `id` if nothing is ignored; otherwise each text is tested.
    public static func hasPrefix<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ text: String, _ matching: TextMatching = .exact
    ) -> Filter where Compared.Item == Item, Compared.Value: TextAttributeValue {
        test(Item.attributes[keyPath: attribute].operand, .hasPrefix, text, matching)
    }

    /// Items whose text ends with another.
    public static func hasSuffix<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ text: String, _ matching: TextMatching = .exact
    ) -> Filter where Compared.Item == Item, Compared.Value: TextAttributeValue {
        test(Item.attributes[keyPath: attribute].operand, .hasSuffix, text, matching)
    }

    /// Items whose text equals another, ignoring case or diacritics; `==` compares bytes.
    public static func equals<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ text: String, _ matching: TextMatching
    ) -> Filter where Compared.Item == Item, Compared.Value: TextAttributeValue {
        test(Item.attributes[keyPath: attribute].operand, .equals, text, matching)
    }

    private static func test(
        _ operand: FilterOperand, _ kind: TextTest.Kind, _ text: String, _ matching: TextMatching
    ) -> Filter {
        Filter(operand.through(operand.text(TextTest(kind, text, matching))))
    }
}

extension Filter: CustomStringConvertible {
    /// The filter as engines run it, in words; the error's message for a filter that cannot be used.
    ///
    /// The module LarderText has the text that can be read again: `filter.text`.
    public var description: String {
        do {
            let schema = try StoreSchema(reachableFrom: Item.self)
            return try RowPredicate(node, of: 0, in: schema).description(of: Item.schema)
        } catch {
            return "<\(error.message)>"
        }
    }
}

/// An attribute value that is text: `String`, `URL`, and their optionals.
public protocol TextAttributeValue: AttributeValue {}

extension String: TextAttributeValue {}
extension URL: TextAttributeValue {}
extension Optional: TextAttributeValue where Wrapped: TextAttributeValue {}
