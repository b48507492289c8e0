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
