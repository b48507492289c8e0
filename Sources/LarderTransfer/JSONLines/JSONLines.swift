import Larder

/// The names in a JSON Lines file of Larder's; `Documentation/Transfer.md` describes the format.
enum JSONLines {
    static let format = "larder-items"
    static let version = 1

    /// What a store says its transfer came from when it was filled from such a file.
    static let source = StoreReference(engine: "JSON Lines")
}

extension JSONWriter {
    /// The first line: what the items are.
    mutating func append(headerOf entities: [EntitySchema], items: Int) {
        append(
            "{\"format\":\"\(JSONLines.format)\",\"version\":\(JSONLines.version),\"items\":\(items),\"entities\":"
        )
        append(list: entities) { $0.append($1) }
        append("}\n")
    }

    /// The last line: how many there were, and their digests.
    mutating func append(endWith digests: [EntityDigest]) {
        append("{\"end\":{\"items\":\(digests.reduce(0) { $0 + $1.count }),\"digests\":")
        append(list: digests) { writer, digest in
            writer.append("{\"entity\":")
            writer.append(text: digest.entity)
            writer.append(",\"count\":\(digest.count),\"digest\":\"\(digest.digest)\"}")
        }
        append("}}\n")
    }

    private mutating func append(_ entity: EntitySchema) {
        append("{\"name\":")
        append(text: entity.name)
        append(",\"attributes\":")
        append(list: entity.attributes) { writer, attribute in
            writer.append("{\"name\":")
            writer.append(text: attribute.name)
            writer.append(",\"type\":\"\(attribute.type.rawValue)\",\"isOptional\":\(attribute.isOptional)}")
        }
        append(",\"indexes\":")
        append(list: entity.indexes) { writer, index in
            writer.append("{\"attributes\":")
            writer.append(list: index.columns) { $0.append(text: entity.attributes[$1].name) }
            writer.append(",\"isUnique\":\(index.isUnique)}")
        }
        append("}")
    }

    private mutating func append<Element>(
        list elements: some Sequence<Element>, _ element: (inout JSONWriter, Element) -> Void
    ) {
        append("[")
        var isFirst = true
        for part in elements {
            if !isFirst { append(",") }
            isFirst = false
            element(&self, part)
        }
        append("]")
    }
}
