import struct Foundation.Data
import Larder

/// One version of an item type, as the schema that one app declared.
protocol ItemVersion: Sendable {
    static var schema: EntitySchema { get }
}

/// An item with the attributes of its version, in stored form.
///
///     Versioned<MenuTwo>(1, .text("Lunch"), .integer(12))
struct Versioned<Version: ItemVersion>: DataStoreItem, Equatable {
    let id: Int64
    /// One value for each attribute except the identifier.
    var values: [Constant]

    init(_ id: Int64, _ values: Constant...) {
        self.id = id
        self.values = values
    }

    init(_ id: Int64, values: [Constant]) {
        self.id = id
        self.values = values
    }

    struct Attributes: Sendable {
        let id = Attribute<Versioned, Int64>(column: 0)
        let first = Attribute<Versioned, StoredValue>(column: 1)
    }

    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema { Version.schema }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        values = []
        for column in Self.schema.declaredAttributes.indices.dropFirst() {
            let value = try row.value(at: column, as: StoredValue.self)
            values.append(value.constant.adapted(to: Self.schema.storage(ofColumn: column)))
        }
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        for (position, value) in values.enumerated() {
            try row.set(StoredValue(constant: value), at: position + 1)
        }
    }
}

/// A value in stored form, independent of the attribute's type.
struct StoredValue: AttributeStorable {
    let constant: Constant

    static var attributeType: AttributeType { .json }
    static var isOptionalAttribute: Bool { true }

    static func decode(_ cell: Cell) -> StoredValue? {
        StoredValue(constant: Constant(cell, storage: .json))
    }

    func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        switch constant {
        case .null: .null
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let value): .real(value)
        case .text(let text), .decimal(let text): try text.encode(in: arena)
        case .blob(let bytes): try Data(bytes).encode(in: arena)
        }
    }
}

extension Constant {
    /// The value as a cell for columns with this storage.
    fileprivate func adapted(to storage: AttributeType.Storage) -> Constant {
        switch (self, storage) {
        case (.integer(let value), .unsigned): .unsigned(UInt64(bitPattern: value))
        case (.text(let text), .decimal): .decimal(text)
        default: self
        }
    }
}
