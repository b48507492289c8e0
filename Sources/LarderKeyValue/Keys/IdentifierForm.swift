import LarderKernel

/// The form of identifiers as keys: alone in the table of their entity, and complete at the end of index
/// keys.
///
/// | identifier | key of its own | at the end of an index key |
/// |---|---|---|
/// | `Int64`, `ItemID` | 8 bytes, native, sign bit flipped | the same, most significant first |
/// | `UInt64` | 8 bytes, native | the same, most significant first |
/// | `UUID`, text | its bytes | its bytes |
enum IdentifierForm: Sendable, Hashable {
    case integer, unsigned, text, uuid

    /// - Returns: nil for a type that cannot identify items.
    init?(_ type: AttributeType) {
        switch type.storage {
        case .integer: self = .integer
        case .unsigned: self = .unsigned
        case .text: self = .text
        case .blob:
            guard type == .uuid else { return nil }
            self = .uuid
        case .real, .decimal, .json: return nil
        }
    }

    /// The kind of keys in the entity's table.
    var keys: KeyKind {
        switch self {
        case .integer, .unsigned: .integer
        case .text, .uuid: .bytes
        }
    }

    /// The most bytes an identifier takes at the end of an index key.
    var maximumBytes: Int {
        switch self {
        case .integer, .unsigned: 8
        case .uuid: 16
        case .text: DataStoreLimits.identifierBytes
        }
    }

    /// True if an identifier can be a key; if not, it cannot be in the store either.
    func accepts(_ identifier: Cell) -> Bool {
        switch self {
        case .integer, .unsigned: identifier.kind == .integer
        case .text: identifier.kind == .text && 1...UInt32(maximumBytes) ~= identifier.length
        case .uuid: identifier.kind == .blob && identifier.length == 16
        }
    }

    /// Calls the body with the identifier as a key of its own, valid during the call.
    func withKey<Value>(
        _ identifier: Cell, _ body: (UnsafeRawBufferPointer) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        guard keys == .integer else { return try body(identifier.bytes) }
        var number = number(of: identifier)
        // reason: the address of a local variable is used during the call only.
        return try withUnsafePointer(to: &number) { pointer throws(DataStoreError) in
            try body(UnsafeRawBufferPointer(start: pointer, count: 8))
        }
    }

    /// The identifier in a key of its own; text and bytes point into the key.
    ///
    /// - Throws: `.damaged` when the key is not valid.
    @inline(__always)
    func identifier(inKey key: UnsafeRawBufferPointer) throws(DataStoreError) -> Cell {
        guard keys == .integer else { return try pointing(to: key) }
        guard key.count == 8 else { throw Self.damaged(key) }
        return identifier(ofKey: key.loadUnaligned(as: UInt64.self))
    }

    /// Appends the identifier to an index key.
    func append(_ identifier: Cell, to key: ByteBuffer) {
        if keys == .integer {
            key.append(bigEndian: number(of: identifier))
        } else {
            key.append(identifier.bytes)
        }
    }

    /// The identifier in what follows the values in an index key; text and bytes point into it.
    ///
    /// - Throws: `.damaged` when there is none.
    func identifier(inRest rest: UnsafeRawBufferPointer) throws(DataStoreError) -> Cell {
        guard keys == .integer else { return try pointing(to: rest) }
        return identifier(ofKey: try integerKey(inRest: rest))
    }

    /// The key that an integer has in the table of its entity, from what follows the values in an index key.
    ///
    /// - Throws: `.damaged` when there is none.
    @inline(__always)
    func integerKey(inRest rest: UnsafeRawBufferPointer) throws(DataStoreError) -> UInt64 {
        guard rest.count == 8 else { throw Self.damaged(rest) }
        return UInt64(bigEndian: rest.loadUnaligned(as: UInt64.self))
    }

    /// The integer that has this key in the table of its entity.
    @inline(__always)
    func identifier(ofKey number: UInt64) -> Cell {
        .unsigned(self == .integer ? number ^ KeyPart.sign : number)
    }

    private func pointing(to bytes: UnsafeRawBufferPointer) throws(DataStoreError) -> Cell {
        let identifier: Cell = self == .text ? .text(bytes) : .blob(bytes)
        guard accepts(identifier) else { throw Self.damaged(bytes) }
        return identifier
    }

    private func number(of identifier: Cell) -> UInt64 {
        self == .integer ? identifier.bits ^ KeyPart.sign : identifier.bits
    }

    private static func damaged(_ key: UnsafeRawBufferPointer) -> DataStoreError {
        DataStoreError(.damaged, "A stored key of \(key.count) bytes holds no identifier.")
    }
}
