/// The type of a stored attribute, as the store remembers it.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    case bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float, double, string, data, date
    case uuid, url, decimal
    /// An ``ItemID``: an `int64` with a text form of its own.
    case itemID
    /// A ``CodableAttribute``, stored as JSON.
    case json
}

extension AttributeType {
    /// The form in which values of a type are stored and compared; engines need to know no more of a type.
    public enum Storage: Sendable, Hashable {
        /// `Int64`, by its value.
        case integer
        /// `UInt64`, by its value; a cell holds its bit pattern.
        case unsigned
        /// `Double`, by its value; never NaN, never -0.0.
        case real
        /// UTF-8, by its bytes.
        case text
        /// By its bytes.
        case blob
        /// Canonical text of a decimal number, by the number.
        case decimal
        /// JSON text; has no order.
        case json
    }

    /// The storage form of values of the type.
    public var storage: Storage {
        switch self {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .itemID: .integer
        case .uint64: .unsigned
        case .float, .double, .date: .real
        case .string, .url: .text
        case .data, .uuid: .blob
        case .decimal: .decimal
        case .json: .json
        }
    }

    /// True if values can be compared, sorted and filtered by order.
    public var isOrdered: Bool { self != .json }

    /// True if the type can carry an index or be unique.
    public var isIndexable: Bool {
        switch self {
        case .decimal, .json, .data: false
        default: true
        }
    }

    /// True if every value of this type is also one of the other, so that a stored attribute may be widened.
    public func widens(to other: AttributeType) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.int8, .int16), (.int8, .int32), (.int8, .int64), (.int16, .int32), (.int16, .int64),
            (.int32, .int64), (.uint8, .uint16), (.uint8, .uint32), (.uint8, .uint64), (.uint16, .uint32),
            (.uint16, .uint64), (.uint32, .uint64), (.uint8, .int16), (.uint8, .int32), (.uint8, .int64),
            (.uint16, .int32), (.uint16, .int64), (.uint32, .int64), (.float, .double), (.url, .string):
            return true
        default:
            return false
        }
    }
}
