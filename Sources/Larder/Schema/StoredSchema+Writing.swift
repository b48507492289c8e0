import Foundation

/// Writes a stored schema as the JSON that `JSONEncoder` would write, with sorted keys.
///
/// A new store waits for it, and `JSONEncoder` takes longer than everything else that opening one in memory does. What
/// needs escapes, and a store that a transfer has filled, is left to `JSONEncoder`.
struct StoredSchemaWriter {
    private var bytes: [UInt8] = []
    private var isPlain = true

    /// The JSON of a schema; nil where it is left to `JSONEncoder`.
    static func json(of schema: StoredSchema) -> [UInt8]? {
        if schema.transfer != nil { return nil }
        var writer = StoredSchemaWriter()
        writer.bytes.reserveCapacity(1024)
        writer.write(schema)
        return writer.isPlain ? writer.bytes : nil
    }

    private mutating func write(_ schema: StoredSchema) {
        append("{\"entities\":")
        list(schema.entities) { $0.write($1) }
        append(",\"generation\":")
        append(schema.generation)
        if let identity = schema.identity {
            append(",\"identity\":")
            write(identity.uuidString)
        }
        append(",\"nextEntityNumber\":")
        append(schema.nextEntityNumber)
        append("}")
    }

    private mutating func write(_ entity: StoredSchema.Entity) {
        append("{\"attributes\":")
        list(entity.attributes) { $0.write($1) }
        append(",\"indexes\":")
        list(entity.indexes) { $0.write($1) }
        append(",\"name\":")
        write(entity.name)
        append(",\"number\":")
        append(entity.number)
        append(",\"storageName\":")
        write(entity.storageName)
        append("}")
    }

    private mutating func write(_ attribute: StoredSchema.Attribute) {
        append("{\"isOptional\":")
        append(attribute.isOptional)
        append(",\"name\":")
        write(attribute.name)
        append(",\"storageName\":")
        write(attribute.storageName)
        append(",\"type\":")
        write(attribute.type.rawValue)
        append("}")
    }

    private mutating func write(_ index: StoredSchema.Index) {
        append("{\"attributes\":")
        list(index.attributes) { $0.write($1) }
        append(",\"isUnique\":")
        append(index.isUnique)
        append("}")
    }

    private mutating func write(_ name: String) {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        bytes.append(quote)
        for byte in name.utf8 {
            if byte == quote || byte == backslash || byte < 0x20 || byte == 0x7F { isPlain = false }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    private mutating func list<Element>(
        _ elements: [Element], _ write: (inout StoredSchemaWriter, Element) -> Void
    ) {
        append("[")
        for (position, element) in elements.enumerated() {
            if position > 0 { append(",") }
            write(&self, element)
        }
        append("]")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ number: Int) {
        bytes.append(contentsOf: String(number).utf8)
    }

    private mutating func append(_ value: Bool) {
        append(value ? "true" : "false")
    }
}
