/// An operator that calculates with two numbers.
public enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"
}

/// The kind of a value in a calculation: which values it can be compared and calculated with.
package enum ValueKind: String, Sendable, Hashable {
    /// `Int64` and the narrower integers.
    case integer
    /// `UInt64` and `UInt`.
    case unsigned
    case float
    case real
    case decimal
    case bool, date, text, uuid, data, itemID, json
}

extension ValueKind {
    package init(_ type: AttributeType) {
        self =
            switch type {
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
            case .uint64: .unsigned
            case .float: .float
            case .double: .real
            case .decimal: .decimal
            case .bool: .bool
            case .date: .date
            case .string, .url: .text
            case .uuid: .uuid
            case .data: .data
            case .itemID: .itemID
            case .json: .json
            }
    }

    package var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .float, .real, .decimal: true
        case .bool, .date, .text, .uuid, .data, .itemID, .json: false
        }
    }

    /// True if values of both kinds can be compared.
    package func isComparable(to other: ValueKind) -> Bool {
        if self == other { return self != .json }
        if isNumber && other.isNumber { return calculated(with: other) != nil }
        return self == .itemID && other == .integer || self == .integer && other == .itemID
    }

    /// The kind of the result of calculating with both; nil if that is not possible without losses.
    package func calculated(with other: ValueKind) -> ValueKind? {
        switch (self, other) {
        case (.float, .float): .float
        case (.integer, .integer): .integer
        case (.unsigned, .unsigned): .unsigned
        case (.integer, .unsigned), (.unsigned, .integer): .integer
        case (.decimal, .decimal), (.decimal, .integer), (.decimal, .unsigned), (.integer, .decimal),
            (.unsigned, .decimal):
            .decimal
        case (.real, .real), (.real, .float), (.float, .real), (.real, .integer), (.real, .unsigned),
            (.integer, .real), (.unsigned, .real), (.float, .integer), (.float, .unsigned),
            (.integer, .float), (.unsigned, .float):
            .real
        case (_, _): nil
        }
    }
}
