package import Foundation

// Arrays, sets and dictionaries of storable values are attributes without a wrapper type.

extension Array: AttributeStorable where Element: AttributeStorable & Codable {}
extension Array: CodableAttribute where Element: AttributeStorable & Codable {}

extension Set: AttributeStorable where Element: AttributeStorable & Codable {}
extension Set: CodableAttribute where Element: AttributeStorable & Codable {}

extension Dictionary: AttributeStorable
where Key: AttributeStorable & Codable, Value: AttributeStorable & Codable {}
extension Dictionary: CodableAttribute
where Key: AttributeStorable & Codable, Value: AttributeStorable & Codable {}

/// JSON with the same bytes for equal values, although the order of a set differs from run to run.
package struct CanonicalJSON {
    private let encoder: JSONEncoder

    package init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    package func encode<Value: Encodable>(_ value: Value) throws -> Data {
        if let value = value as? any ValueInJSON { return try value.json(by: self) }
        return try encoder.encode(value)
    }

    /// The value as Swift encodes it, for a collection whose order is always the same.
    fileprivate func plain<Value: Encodable>(_ value: Value) throws -> Data {
        try encoder.encode(value)
    }

    fileprivate func list(_ elements: [Data]) -> Data {
        Data("[".utf8) + elements.joined(separator: Data(",".utf8)) + Data("]".utf8)
    }

    fileprivate func object(_ members: [(key: String, value: Data)]) throws -> Data {
        let members = try members.sorted { UTF8Text.precedes($0.key, $1.key) }
            .map { try encoder.encode($0.key) + Data(":".utf8) + $0.value }
        return Data("{".utf8) + members.joined(separator: Data(",".utf8)) + Data("}".utf8)
    }
}

/// A value that an encoder does not write as the store needs it, or that may contain such values: a collection, whose
/// order may be any, and a URL, which may lose its base.
private protocol ValueInJSON {
    func json(by encoder: CanonicalJSON) throws -> Data
}

extension Array: ValueInJSON where Element: Encodable {
    fileprivate func json(by encoder: CanonicalJSON) throws -> Data {
        guard Element.self is any ValueInJSON.Type else { return try encoder.plain(self) }
        return encoder.list(try map { try encoder.encode($0) })
    }
}

extension Set: ValueInJSON where Element: Encodable {
    fileprivate func json(by encoder: CanonicalJSON) throws -> Data {
        encoder.list(try map { try encoder.encode($0) }.sorted { $0.lexicographicallyPrecedes($1) })
    }
}

extension Dictionary: ValueInJSON where Key: Encodable, Value: Encodable {
    /// The form that Swift decodes: an object if the keys can be names (texts and integers), otherwise a
    /// list.
    fileprivate func json(by encoder: CanonicalJSON) throws -> Data {
        guard Key.self is any CodingKeyRepresentable.Type else {
            let pairs = try map { (key: try encoder.encode($0), value: try encoder.encode($1)) }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return encoder.list(pairs.flatMap { [$0.key, $0.value] })
        }
        return try encoder.object(
            try compactMap { key, value in
                guard let key = key as? any CodingKeyRepresentable else { return nil }
                return (key.codingKey.stringValue, try encoder.encode(value))
            })
    }
}

extension Optional: ValueInJSON where Wrapped: Encodable {
    fileprivate func json(by encoder: CanonicalJSON) throws -> Data {
        guard let self else { return Data("null".utf8) }
        return try encoder.encode(self)
    }
}

extension URL: ValueInJSON {
    /// The text, as Swift encodes it.
    fileprivate func json(by encoder: CanonicalJSON) throws -> Data {
        try requireSameAsText()
        return try encoder.plain(absoluteString)
    }
}
