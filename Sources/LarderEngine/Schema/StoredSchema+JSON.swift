package import LarderKernel
import LarderPattern

/// The JSON of a stored schema, in stores and in the first line of JSON Lines.
///
/// Each type lists its properties here, and nowhere else. A property that JSON Lines leaves out is a
/// `storeField`.
extension StoredSchema: JSONObject {
    package static var blank: StoredSchema { .empty }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("generation", &generation)
        try fields.field("identity", &identity)
        try fields.field("version", &version)
        try fields.field("nextEntityNumber", &nextEntityNumber)
        try fields.field("entities", &entities)
        try fields.field("transfer", &transfer)
    }
}

extension StoredSchema.Entity: JSONObject {
    package static var blank: StoredSchema.Entity {
        StoredSchema.Entity(number: 0, name: "", storageName: "", attributes: [], indexes: [])
    }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.storeField("number", &number)
        try fields.field("name", &name)
        try fields.storeField("storageName", &storageName)
        try fields.field("attributes", &attributes)
        try fields.field("indexes", &indexes)
        // Left out if there are none, so that such a store stays as earlier versions write it.
        var (optionalRelationships, optionalFlag) = (
            relationships.isEmpty ? nil : relationships, isLink ? true : nil
        )
        try fields.field("relationships", &optionalRelationships)
        try fields.field("isLink", &optionalFlag)
        (relationships, isLink) = (optionalRelationships ?? [], optionalFlag ?? false)
    }
}

extension StoredSchema.Relationship: JSONObject {
    package static var blank: StoredSchema.Relationship {
        StoredSchema.Relationship(name: "", kind: .toOne, target: "", deleteRule: .nullify)
    }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("name", &name)
        try fields.field("kind", &kind)
        try fields.field("target", &target)
        try fields.field("inverse", &inverse)
        try fields.field("deleteRule", &deleteRule)
    }
}

extension StoredSchema.Attribute: JSONObject {
    package static var blank: StoredSchema.Attribute {
        StoredSchema.Attribute(name: "", storageName: "", type: .json, isOptional: false)
    }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("name", &name)
        try fields.storeField("storageName", &storageName)
        try fields.field("type", &type)
        try fields.field("isOptional", &isOptional)
        try fields.field("folding", &folding)
    }
}

extension StoredSchema.Folding: JSONObject {
    package static var blank: StoredSchema.Folding { StoredSchema.Folding(text: "", matching: .exact) }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        var (ignoresCase, ignoresDiacritics) = (
            matching.contains(.caseInsensitive), matching.contains(.diacriticInsensitive)
        )
        try fields.field("text", &text)
        try fields.field("ignoresCase", &ignoresCase)
        try fields.field("ignoresDiacritics", &ignoresDiacritics)
        try fields.storeField("tables", &tables)
        matching = TextMatching(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics)
    }
}

extension StoredSchema.Index: JSONObject {
    package static var blank: StoredSchema.Index { StoredSchema.Index(attributes: [], isUnique: false) }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("attributes", &attributes)
        try fields.field("isUnique", &isUnique)
    }
}

extension StoredSchema.Transfer: JSONObject {
    package static var blank: StoredSchema.Transfer {
        StoredSchema.Transfer(source: .blank, isComplete: false, digests: [])
    }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("source", &source)
        try fields.field("isComplete", &isComplete)
        try fields.field("digests", &digests)
    }
}

extension StoreReference: JSONObject {
    package static var blank: StoreReference { StoreReference(engine: "") }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("engine", &engine)
        try fields.field("identity", &identity)
        try fields.field("location", &location)
    }
}

extension EntityDigest: JSONObject {
    package static var blank: EntityDigest { EntityDigest(entity: "") }

    package mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("entity", &entity)
        try fields.field("count", &count)
        try fields.field("digest", &digest)
    }
}

extension RowDigest: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(text: description) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        guard let digest = RowDigest(try reader.text()) else {
            throw JSONReader.Failure(message: "is not a digest")
        }
        self = digest
    }
}

extension AttributeType: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(text: rawValue) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = try reader.word("a type of attributes")
    }
}

extension RelationshipSchema.Kind: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(text: rawValue) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = try reader.word("a kind of relationships")
    }
}

extension DeleteRule: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(text: rawValue) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = try reader.word("a delete rule")
    }
}

extension JSONReader {
    /// One of the words that a type knows.
    fileprivate mutating func word<Value: RawRepresentable<String>>(
        _ title: String
    ) throws(JSONReader.Failure) -> Value {
        let name = try text()
        guard let value = Value(rawValue: name) else {
            throw JSONReader.Failure(message: "is \"\(name)\", which is not \(title)")
        }
        return value
    }
}
