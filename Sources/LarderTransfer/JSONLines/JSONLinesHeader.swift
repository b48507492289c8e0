import LarderVersions
import LarderKernel
import LarderEngine

/// The first line of JSON Lines: the item types.
struct JSONLinesHeader {
    private var format = JSONLines.format
    private var version = JSONLines.version
    /// The expected number of items, only for progress.
    private(set) var items: Int?
    private(set) var entities: [StoredSchema.Entity]
    /// The name of the version of the store's schema; nil for a store without one.
    private(set) var schemaVersion: String?

    /// The line for the item types of a schema; links are not among them.
    init(of schema: StoreSchema, items: Int?) {
        entities = schema.entities.indices.filter { !schema.entities[$0].isLink }.map { number in
            StoredSchema.Entity(
                schema.entities[number], relationships: schema.relationships[number], in: schema)
        }
        version = entities.contains { !$0.relationships.isEmpty } ? JSONLines.version : 1
        self.items = items
        schemaVersion = schema.version
    }

    private init() {
        entities = []
    }

    /// - Throws: `.invalidText`, `.newerFormat`.
    init(_ line: ArraySlice<UInt8>) throws(DataStoreError) {
        let value = try JSONValue(line: line, number: 1)
        guard value["format"]?.text == JSONLines.format, let version = value["version"]?.integer else {
            throw Self.invalid("describes no items: it has no \"format\":\"\(JSONLines.format)\"")
        }
        guard version <= JSONLines.version else {
            throw DataStoreError(
                .newerFormat,
                "Line 1 has version \(version) of the format; this version of Larder knows "
                    + "\(JSONLines.version).",
                advice: "Update the app or tool that reads them.")
        }
        let header = line.withUnsafeBytes { bytes in
            Result { () throws(JSONReader.Failure) in
                try JSONReader.read(JSONLinesHeader.self, in: bytes, isPortable: true)
            }
        }
        do {
            self = try header.get()
        } catch {
            throw Self.invalid("cannot be read: \(error)")
        }
        if let items, items < 0 { throw Self.invalid("counts \(items) items") }
        if let problem = schemaVersion.flatMap(SchemaVersion.problem) {
            throw Self.invalid("has a \"schemaVersion\" that \(problem)")
        }
        // Only a store has numbers and names of its own for what it keeps; here they only have to differ.
        for index in entities.indices { entities[index].number(as: index + 1) }
    }

    /// The schema of the items.
    ///
    /// - Throws: `.invalidText`, `.invalidSchema`.
    func schema() throws(DataStoreError) -> StoreSchema {
        var described = StoredSchema(
            generation: 1, entities: entities, nextEntityNumber: entities.count + 1)
        described.version = schemaVersion
        if let problem = described.problem { throw Self.invalid("describes no items: \(problem)") }
        return try StoreSchema(of: described)
    }

    private static func invalid(_ what: String) -> DataStoreError {
        DataStoreError(.invalidText, "Line 1 \(what).", advice: "Import lines that an export has written.")
    }
}

extension JSONLinesHeader: JSONObject {
    static var blank: JSONLinesHeader { JSONLinesHeader() }

    mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("format", &format)
        try fields.field("version", &version)
        try fields.field("schemaVersion", &schemaVersion)
        try fields.field("items", &items)
        try fields.field("entities", &entities)
    }
}

extension StoredSchema.Entity {
    /// The item type without what a store adds: its number and its names there.
    init(_ entity: EntitySchema, relationships: [StoreRelationship] = [], in schema: StoreSchema) {
        let attributes = entity.attributes.enumerated().map { column, attribute in
            StoredSchema.Attribute(
                name: attribute.name, storageName: "", type: attribute.type, isOptional: attribute.isOptional,
                folding: entity.folding(at: column))
        }
        let indexes = entity.indexes.map { index in
            StoredSchema.Index(
                attributes: index.columns.map { entity.attributes[$0].name }, isUnique: index.isUnique)
        }
        self.init(
            number: 0, name: entity.name, storageName: "", attributes: attributes, indexes: indexes,
            relationships: relationships.map { StoredSchema.Relationship($0, in: schema) })
    }

    fileprivate mutating func number(as number: Int) {
        self.number = number
        storageName = "\(name)~\(number)"
        for index in attributes.indices {
            attributes[index].storageName = "\(attributes[index].name)~\(index)"
        }
    }
}
