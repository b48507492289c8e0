public import struct Foundation.UUID

/// An identifier of an item of any type.
///
///     change.identifier == AnyItemID.integer(42)
///
/// *Rule:* two text identifiers are equal when their UTF-8 bytes are; "é" composed and decomposed differ.
public enum AnyItemID: Sendable {
    /// The number of an ``ItemID``; equal to the same `integer`, and prints as its 13 characters.
    case itemID(Int64)
    case integer(Int64)
    case uuid(UUID)
    case string(String)
}

extension AnyItemID: Hashable {
    public static func == (left: AnyItemID, right: AnyItemID) -> Bool {
        switch (left, right) {
        case (.itemID(let left), .itemID(let right)), (.integer(let left), .integer(let right)),
            (.itemID(let left), .integer(let right)), (.integer(let left), .itemID(let right)):
            left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.string(let left), .string(let right)): UTF8Text.areEqual(left, right)
        case (.itemID, _), (.integer, _), (.uuid, _), (.string, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .itemID(let value), .integer(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .string(let value): UTF8Text.hash(value, into: &hasher)
        }
    }
}

extension AnyItemID {
    /// The identifier with this description; nil if an `id` of this type does not have it.
    package init?(text: String, type: AttributeType) {
        switch type {
        case .itemID:
            guard let value = ItemIDText.value(of: text) else { return nil }
            self = .itemID(value)
        case .int64:
            guard let value = Int64(text) else { return nil }
            self = .integer(value)
        case .uuid:
            guard let value = UUID(uuidString: text) else { return nil }
            self = .uuid(value)
        case .string: self = .string(text)
        case .bool, .int8, .int16, .int32, .uint8, .uint16, .uint32, .uint64, .float, .double, .data, .date,
            .url, .decimal, .json:
            return nil
        }
    }
}

extension AnyItemID: CustomStringConvertible {
    public var description: String {
        switch self {
        case .itemID(let value): ItemIDText.text(of: value)
        case .integer(let value): String(value)
        case .uuid(let value): value.uuidString
        case .string(let value): value
        }
    }
}
