/// Writes a stored schema as the JSON that `JSONEncoder` would write, with sorted keys.
///
/// A new store waits for it, and `JSONEncoder` takes longer than everything else that opening one in memory does. What
/// needs escapes, and a store that a transfer has filled, is left to `JSONEncoder`.
struct StoredSchemaWriter {
    private var text = ""
    private var isPlain = true

    /// The JSON of a schema; nil where it is left to `JSONEncoder`.
    static func text(of schema: StoredSchema) -> String? {
        if schema.transfer != nil { return nil }
        var writer = StoredSchemaWriter()
        writer.write(schema)
        return writer.isPlain ? writer.text : nil
    }

    private mutating func write(_ schema: StoredSchema) {
        text += "{\"entities\":"
        list(schema.entities) { $0.write($1) }
        text += ",\"generation\":\(schema.generation),\"nextEntityNumber\":\(schema.nextEntityNumber)}"
    }

    private mutating func write(_ entity: StoredSchema.Entity) {
        text += "{\"attributes\":"
        list(entity.attributes) { $0.write($1) }
        text += ",\"indexes\":"
        list(entity.indexes) { $0.write($1) }
        text += ",\"name\":"
        write(entity.name)
        text += ",\"number\":\(entity.number),\"storageName\":"
        write(entity.storageName)
        text += "}"
    }

    private mutating func write(_ attribute: StoredSchema.Attribute) {
        text += "{\"isOptional\":\(attribute.isOptional),\"name\":"
        write(attribute.name)
        text += ",\"storageName\":"
        write(attribute.storageName)
        text += ",\"type\":"
        write(attribute.type.rawValue)
        text += "}"
    }

    private mutating func write(_ index: StoredSchema.Index) {
        text += "{\"attributes\":"
        list(index.attributes) { $0.write($1) }
        text += ",\"isUnique\":\(index.isUnique)}"
    }

    private mutating func write(_ name: String) {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        if name.utf8.contains(where: { $0 == quote || $0 == backslash || $0 < 0x20 || $0 == 0x7F }) {
            isPlain = false
        }
        text += "\""
        text += name
        text += "\""
    }

    private mutating func list<Element>(
        _ elements: [Element], _ write: (inout StoredSchemaWriter, Element) -> Void
    ) {
        text += "["
        for (position, element) in elements.enumerated() {
            if position > 0 { text += "," }
            write(&self, element)
        }
        text += "]"
    }
}
