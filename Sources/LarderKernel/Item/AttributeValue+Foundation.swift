public import Foundation
import LarderValues

extension Data: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .data }

    @inlinable
    public static func decode(_ cell: Cell) -> Data? { cell.kind == .blob ? Data(cell.bytes) : nil }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try arena.reserve(count)
        return withUnsafeBytes { .blob(arena.append($0)) }
    }
}

extension Date: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .date }

    // Seconds since the reference date: a conversion to 1970 changes the last bit of half of the dates of our
    // time.
    @inlinable
    public static func decode(_ cell: Cell) -> Date? {
        cell.kind == .real ? Date(timeIntervalSinceReferenceDate: cell.real) : nil
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try timeIntervalSinceReferenceDate.encode(in: arena)
    }
}

extension UUID: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .uuid }

    @inlinable
    public static func decode(_ cell: Cell) -> UUID? {
        guard cell.kind == .blob, cell.length == 16 else { return nil }
        return UUID(uuid: cell.bytes.loadUnaligned(as: uuid_t.self))
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try arena.reserve(16)
        return withUnsafeBytes(of: uuid) { .blob(arena.append($0)) }
    }
}

extension URL: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .url }

    public static func decode(_ cell: Cell) -> URL? {
        cell.kind == .text ? URL(string: cell.string) : nil
    }

    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        try requireSameAsText()
        return try absoluteString.encode(in: arena)
    }

    /// Refuses a URL that would not come back from its text.
    func requireSameAsText() throws(DataStoreError) {
        guard baseURL == nil else {
            throw DataStoreError(
                .invalidValue, "The URL \(relativeString) is relative to a base, which would be lost.",
                advice: "Store its absoluteURL.")
        }
        guard URL(string: absoluteString) == self else {
            throw DataStoreError(
                .invalidValue, "The URL \(absoluteString) changes when it is read back from its text.")
        }
    }
}

extension Decimal: AttributeValue {
    @inlinable
    public static var attributeType: AttributeType { .decimal }

    public static func decode(_ cell: Cell) -> Decimal? {
        cell.kind == .text ? DecimalText.decimal(cell.string) : nil
    }

    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        if isNaN { throw .notANumber }
        return try DecimalText.canonical(self).encode(in: arena)
    }
}

extension CodableAttribute {
    public static var attributeType: AttributeType { .json }

    public static func decode(_ cell: Cell) -> Self? {
        guard cell.kind == .text else { return nil }
        return try? JSONDecoder().decode(Self.self, from: Data(cell.bytes))
    }

    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        let json: Data
        do {
            json = try CanonicalJSON().encode(self)
        } catch let error as DataStoreError {
            throw error
        } catch {
            throw DataStoreError(.invalidValue, "The value cannot be encoded as JSON: \(error)")
        }
        // Foundation refuses NaN in a Double, and writes it for a Decimal.
        guard json.withUnsafeBytes({ JSONText.isValid($0) }) else { throw .notANumber }
        try arena.reserve(json.count)
        return json.withUnsafeBytes { .text(arena.append($0)) }
    }
}
