import Foundation

/// Reads the JSON of a stored schema.
///
/// Opening a store waits for it, and `JSONDecoder` takes longer than everything else that opening does. Only
/// what ``StoredSchema/encoded()`` writes is understood: anything else is left to `JSONDecoder`.
struct StoredSchemaParser {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// The text is not in the form that is written.
    private struct UnknownForm: Error {}

    /// The schema in the bytes; nil when they are in another form.
    static func schema(in bytes: UnsafeRawBufferPointer) -> StoredSchema? {
        var parser = StoredSchemaParser(bytes: bytes)
        return try? parser.schema()
    }

    private init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    private mutating func schema() throws(UnknownForm) -> StoredSchema {
        try expect("{\"entities\":")
        let entities = try list { parser throws(UnknownForm) in try parser.entity() }
        try expect(",\"generation\":")
        let generation = try number()
        let identity = skip(",\"identity\":") ? try identity() : nil
        try expect(",\"nextEntityNumber\":")
        let next = try number()
        let transfer = skip(",\"transfer\":") ? try transfer() : nil
        try expect("}")
        guard position == bytes.count else { throw UnknownForm() }
        return StoredSchema(
            generation: generation, entities: entities, nextEntityNumber: next, identity: identity,
            transfer: transfer)
    }

    private mutating func transfer() throws(UnknownForm) -> StoredSchema.Transfer {
        try expect("{\"digests\":")
        let digests = try list { parser throws(UnknownForm) in try parser.digest() }
        try expect(",\"isComplete\":")
        let isComplete = try flag()
        try expect(",\"source\":")
        let source = try reference()
        try expect("}")
        return StoredSchema.Transfer(source: source, isComplete: isComplete, digests: digests)
    }

    private mutating func reference() throws(UnknownForm) -> StoreReference {
        try expect("{\"engine\":")
        let engine = try text()
        let identity = skip(",\"identity\":") ? try identity() : nil
        let location = skip(",\"location\":") ? try text() : nil
        try expect("}")
        return StoreReference(engine: engine, identity: identity, location: location)
    }

    private mutating func identity() throws(UnknownForm) -> UUID {
        guard let identity = UUID(uuidString: try text()) else { throw UnknownForm() }
        return identity
    }

    private mutating func digest() throws(UnknownForm) -> EntityDigest {
        try expect("{\"count\":")
        let count = try number()
        try expect(",\"digest\":")
        guard let digest = RowDigest(try text()) else { throw UnknownForm() }
        try expect(",\"entity\":")
        let entity = try text()
        try expect("}")
        return EntityDigest(entity: entity, count: count, digest: digest)
    }

    private mutating func entity() throws(UnknownForm) -> StoredSchema.Entity {
        try expect("{\"attributes\":")
        let attributes = try list { parser throws(UnknownForm) in try parser.attribute() }
        try expect(",\"indexes\":")
        let indexes = try list { parser throws(UnknownForm) in try parser.index() }
        try expect(",\"name\":")
        let name = try text()
        try expect(",\"number\":")
        let number = try number()
        try expect(",\"storageName\":")
        let storageName = try text()
        try expect("}")
        return StoredSchema.Entity(
            number: number, name: name, storageName: storageName, attributes: attributes, indexes: indexes)
    }

    private mutating func attribute() throws(UnknownForm) -> StoredSchema.Attribute {
        try expect("{\"isOptional\":")
        let isOptional = try flag()
        try expect(",\"name\":")
        let name = try text()
        try expect(",\"storageName\":")
        let storageName = try text()
        try expect(",\"type\":")
        guard let type = AttributeType(rawValue: try text()) else { throw UnknownForm() }
        try expect("}")
        return StoredSchema.Attribute(
            name: name, storageName: storageName, type: type, isOptional: isOptional)
    }

    private mutating func index() throws(UnknownForm) -> StoredSchema.Index {
        try expect("{\"attributes\":")
        let attributes = try list { parser throws(UnknownForm) in try parser.text() }
        try expect(",\"isUnique\":")
        let isUnique = try flag()
        try expect("}")
        return StoredSchema.Index(attributes: attributes, isUnique: isUnique)
    }
}

extension StoredSchemaParser {
    private mutating func list<Element>(
        _ element: (inout StoredSchemaParser) throws(UnknownForm) -> Element
    ) throws(UnknownForm) -> [Element] {
        try expect("[")
        if skip("]") { return [] }
        var elements = [try element(&self)]
        while !skip("]") {
            try expect(",")
            elements.append(try element(&self))
        }
        return elements
    }

    /// Text without escapes.
    private mutating func text() throws(UnknownForm) -> String {
        try expect("\"")
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") { throw UnknownForm() }
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        try expect("\"")
        return text
    }

    private mutating func number() throws(UnknownForm) -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        guard let number = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw UnknownForm()
        }
        return number
    }

    private mutating func flag() throws(UnknownForm) -> Bool {
        if skip("true") { return true }
        try expect("false")
        return false
    }

    private mutating func expect(_ literal: StaticString) throws(UnknownForm) {
        if !skip(literal) { throw UnknownForm() }
    }

    private mutating func skip(_ literal: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }
}
