/// A value in a plan, without its Swift type, as engines bind and compare it.
///
/// Text is equal, ordered and hashed by its UTF-8 bytes.
public enum Constant: Sendable {
    case null
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// The canonical text of a decimal number.
    case decimal(String)
}

extension Constant {
    /// The stored form of a value.
    ///
    /// - Throws: `.invalidValue` for a value that cannot be stored.
    public init<Value: AttributeStorable>(encoding value: Value) throws(DataStoreError) {
        // Nearly every constant is a text or a number; neither needs extra memory.
        if Value.self == String.self, let text = value as? String,
            text.utf8.count <= RowArena.maximumValueBytes
        {
            self = .text(text)
            return
        }
        let arena = RowArena(chunkBytes: 256)
        let cell = try value.encode(in: arena)
        self.init(cell, storage: Value.attributeType.storage)
        withExtendedLifetime(arena) {}
    }

    /// The value in a cell, copied.
    public init(_ cell: Cell, storage: AttributeType.Storage) {
        switch (cell.kind, storage) {
        case (.null, _): self = .null
        case (.integer, .unsigned): self = .unsigned(cell.bits)
        case (.integer, _): self = .integer(cell.integer)
        case (.real, _): self = .real(cell.real)
        case (.text, .decimal): self = .decimal(cell.string)
        case (.text, _): self = .text(cell.string)
        case (.blob, _): self = .blob(Array(cell.bytes))
        }
    }

    /// Calls the body with the value as a cell, which is valid only during the call.
    @inlinable
    public func withCell<Value, Failure: Error>(
        _ body: (Cell) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case .null: try body(.null)
        case .integer(let value): try body(.integer(value))
        case .unsigned(let value): try body(.unsigned(value))
        case .real(let value): try body(.real(value))
        case .text(let text), .decimal(let text):
            try text.withBytes { bytes throws(Failure) in try body(.text(bytes)) }
        case .blob(let bytes):
            try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
                try body(.blob(UnsafeRawBufferPointer(bytes)))
            }
        }
    }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension Constant: Hashable {
    public static func == (left: Constant, right: Constant) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)), (.decimal(let left), .decimal(let right)):
            UTF8Text.areEqual(left, right)
        case (.blob(let left), .blob(let right)): left == right
        case (.null, _), (.integer, _), (.unsigned, _), (.real, _), (.text, _), (.blob, _), (.decimal, _):
            false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .text(let text), .decimal(let text): UTF8Text.hash(text, into: &hasher)
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

extension Constant: CustomStringConvertible {
    public var description: String {
        switch self {
        case .null: "nil"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text.debugDescription
        case .decimal(let text): text
        case .blob(let bytes): "<\(bytes.count) bytes>"
        }
    }
}
