/// The common requirements of stored attributes; conform to ``AttributeValue`` or ``CodableAttribute``
/// instead.
public protocol AttributeStorable: Equatable, Sendable {
    /// The type of the stored values.
    static var attributeType: AttributeType { get }

    /// True if the attribute may be nil.
    static var isOptionalAttribute: Bool { get }

    /// The value in a cell, or nil if the cell does not hold a value of this type.
    static func decode(_ cell: Cell) -> Self?

    /// The value in a column of a row, or nil if the cell does not hold a value of this type.
    ///
    /// Only references to items differ from ``decode(_:)``: a request may have read the items too.
    static func decode(_ row: borrowing RowReader, at column: Int) -> Self?

    /// The value as a cell; text and bytes are copied to the arena.
    ///
    /// - Throws: `.invalidValue` for a value that cannot be stored, `.valueTooLarge`.
    func encode(in arena: RowArena) throws(DataStoreError) -> Cell
}

extension AttributeStorable {
    @inlinable
    public static var isOptionalAttribute: Bool { false }

    @inlinable
    @inline(__always)
    public static func decode(_ row: borrowing RowReader, at column: Int) -> Self? {
        decode(row.cells[column])
    }
}

/// A value that can be stored, compared and sorted as an attribute.
///
/// The standard library's and Foundation's values conform. An enum with a raw value only has to name the
/// protocol:
///
///     enum Course: String, AttributeValue { case starter, main, dessert }
///
/// Arrays, sets and dictionaries of values are attributes too; each is a ``CodableAttribute``.
public protocol AttributeValue: AttributeStorable, Codable {
    /// The type of values that are not nil: the type itself, and for an optional the type that it wraps.
    associatedtype Unwrapped: AttributeValue = Self
}

/// A value stored as JSON, as a whole: it cannot be indexed, compared or sorted.
///
///     struct Nutrition: CodableAttribute { var energy: Int; var protein: Double }
///
/// Arrays, sets and dictionaries conform if their elements can be stored: `[String]`, `Set<Course>`,
/// `[String: Int]`. Store bytes as `Data` and not as `[UInt8]`, which is stored as a list of numbers.
///
/// *Rule:* the stored bytes stay as long as the value equals their decoded value. *Cost:* a JSON encoding for
/// each write, a decoding for each read.
public protocol CodableAttribute: AttributeStorable, Codable {}

extension Optional: AttributeStorable where Wrapped: AttributeStorable {
    @inlinable
    public static var attributeType: AttributeType { Wrapped.attributeType }

    @inlinable
    public static var isOptionalAttribute: Bool { true }

    @inlinable
    public static func decode(_ cell: Cell) -> Wrapped?? {
        if cell.isNull { return .some(nil) }
        guard let value = Wrapped.decode(cell) else { return nil }
        return .some(value)
    }

    @inlinable
    @inline(__always)
    public static func decode(_ row: borrowing RowReader, at column: Int) -> Wrapped?? {
        if row.cells[column].isNull { return .some(nil) }
        guard let value = Wrapped.decode(row, at: column) else { return nil }
        return .some(value)
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        guard let value = self else { return .null }
        return try value.encode(in: arena)
    }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    public typealias Unwrapped = Wrapped.Unwrapped
}

extension RawRepresentable where Self: AttributeValue, RawValue: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { RawValue.attributeType }

    @inlinable
    public static func decode(_ cell: Cell) -> Self? {
        RawValue.decode(cell).flatMap(Self.init(rawValue:))
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try rawValue.encode(in: arena)
    }
}
