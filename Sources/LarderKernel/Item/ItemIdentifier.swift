public import struct Foundation.UUID

/// A type that can identify items: ``ItemID``, `UUID`, `Int64`, `Int` or `String`.
///
/// *Rule:* at most 200 bytes in stored form, on every engine; text must not be empty.
public protocol ItemIdentifier: AttributeValue, Hashable {
    /// The identifier without its Swift type.
    var anyItemID: AnyItemID { get }

    /// The typed identifier, or nil if the other is of another kind.
    init?(_ identifier: AnyItemID)
}

extension Int64: ItemIdentifier {
    @inlinable public var anyItemID: AnyItemID { .integer(self) }

    public init?(_ identifier: AnyItemID) {
        guard let value = identifier.number else { return nil }
        self = value
    }
}

extension Int: ItemIdentifier {
    @inlinable public var anyItemID: AnyItemID { .integer(Int64(self)) }

    public init?(_ identifier: AnyItemID) {
        guard let value = identifier.number else { return nil }
        self.init(exactly: value)
    }
}

extension UUID: ItemIdentifier {
    @inlinable public var anyItemID: AnyItemID { .uuid(self) }

    public init?(_ identifier: AnyItemID) {
        guard case .uuid(let value) = identifier else { return nil }
        self = value
    }
}

extension String: ItemIdentifier {
    @inlinable public var anyItemID: AnyItemID { .string(self) }

    public init?(_ identifier: AnyItemID) {
        guard case .string(let value) = identifier else { return nil }
        self = value
    }
}

extension AnyItemID {
    /// The number, or nil if the identifier is not a number.
    var number: Int64? {
        switch self {
        case .itemID(let value), .integer(let value): value
        case .uuid, .string: nil
        }
    }

    /// The identifier in a cell, or nil if the cell does not hold one.
    package init?(_ cell: Cell, type: AttributeType) {
        switch (cell.kind, type) {
        case (.integer, .itemID): self = .itemID(cell.integer)
        case (.integer, _): self = .integer(cell.integer)
        case (.text, _): self = .string(cell.string)
        case (.blob, .uuid):
            guard let value = UUID.decode(cell) else { return nil }
            self = .uuid(value)
        default: return nil
        }
    }

    /// The identifier as a cell; text is copied to the arena.
    package func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        switch self {
        case .itemID(let value), .integer(let value): .integer(value)
        case .uuid(let value): try value.encode(in: arena)
        case .string(let value): try value.encode(in: arena)
        }
    }
}
