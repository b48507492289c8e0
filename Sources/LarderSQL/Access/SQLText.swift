public import LarderKernel

/// A statement of SQL, in which interpolated values are parameters.
///
///     let least = 4.0
///     let statement: SQLText = """
///         SELECT \(\.name, of: Recipe.self) FROM \(Recipe.self) WHERE \(\.rating, of: Recipe.self) > \(least)
///         """
///
/// An item type stands for its table, and an attribute for its column, by the names that the store has given them. A
/// value goes to the engine beside the text, so no value can change what the statement means.
///
/// *Rule:* a value; may be kept and sent anywhere. It is written in the dialect of the engine.
public struct SQLText: Sendable, ExpressibleByStringInterpolation {
    enum Part: Sendable {
        case text(String)
        case value(any AttributeStorable)
        case table(any DataStoreItem.Type)
        case column(Int, any DataStoreItem.Type)
    }

    let parts: [Part]

    /// The statement with this text.
    public init(stringLiteral text: String) {
        parts = [.text(text)]
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// The parts of a statement while it is made.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        public mutating func appendLiteral(_ text: String) {
            if !text.isEmpty { parts.append(.text(text)) }
        }

        /// Appends a parameter with a value, in the form in which an attribute of its type is stored.
        ///
        /// PostgreSQL stores a `UInt64` or a `UInt` with its highest bit flipped. Such a value can be compared with a column of
        /// these types, and be stored there. Write `Int64(…)` for a number that is used in any other way.
        public mutating func appendInterpolation(_ value: some AttributeValue) {
            parts.append(.value(value))
        }

        /// Appends a parameter for each value, with commas between them, as `IN (…)` takes them; `NULL` for no value.
        public mutating func appendInterpolation(list values: some Sequence<some AttributeValue>) {
            var isFirst = true
            for value in values {
                if !isFirst { parts.append(.text(", ")) }
                parts.append(.value(value))
                isFirst = false
            }
            if isFirst { parts.append(.text("NULL")) }
        }

        /// Appends the table of an item type.
        public mutating func appendInterpolation<Item: DataStoreItem>(_ type: Item.Type) {
            parts.append(.table(type))
        }

        /// Appends the column of an attribute.
        public mutating func appendInterpolation<Item: DataStoreItem, Value>(
            _ attribute: AttributePath<Item, Value>, of type: Item.Type
        ) {
            parts.append(.column(Item.attributes[keyPath: attribute].column, type))
        }

        /// Appends text of the statement, such as a name that the app has chosen; never text from outside the app.
        public mutating func appendInterpolation(raw text: String) {
            parts.append(.text(text))
        }
    }
}

extension SQLText: CustomStringConvertible {
    /// The text with `?` for each value, and with the names of item types and attributes in Swift.
    public var description: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .value: "?"
            case .table(let type): type.schema.name
            case .column(let column, let type): type.schema.attributes[column].name
            }
        }.joined()
    }
}
