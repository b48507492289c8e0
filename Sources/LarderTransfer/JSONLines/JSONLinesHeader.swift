import Larder

/// The first line of JSON Lines: what the items are.
struct JSONLinesHeader {
    let schema: StoreSchema
    /// How many items there should be.
    let items: Int

    /// - Throws: `.invalidText`, `.newerFormat`, `.invalidSchema`.
    init(_ line: ArraySlice<UInt8>) throws(DataStoreError) {
        let value = try JSONValue(line: line, number: 1)
        guard value["format"]?.text == JSONLines.format, let version = value["version"]?.integer else {
            throw Self.invalid("describes no items: it has no \"format\":\"\(JSONLines.format)\"")
        }
        guard version <= JSONLines.version else {
            throw DataStoreError(
                .newerFormat,
                "Line 1 has version \(version) of the format, and \(JSONLines.version) is known.",
                advice: "Update the app or tool that reads them.")
        }
        guard let entities = value["entities"]?.list else { throw Self.invalid("lists no entities") }
        var stored: [StoredSchema.Entity] = []
        for entity in entities { stored.append(try Self.entity(entity, number: stored.count + 1)) }
        items = value["items"]?.integer ?? 0
        guard items >= 0 else { throw Self.invalid("counts \(items) items") }
        let described = StoredSchema(
            generation: 1, entities: stored, nextEntityNumber: stored.count + 1)
        if let problem = described.problem { throw Self.invalid("describes no items: \(problem)") }
        schema = try StoreSchema(of: described)
    }

    private static func entity(
        _ value: JSONValue, number: Int
    ) throws(DataStoreError) -> StoredSchema.Entity {
        guard let name = value["name"]?.text, let attributes = value["attributes"]?.list else {
            throw invalid("has an entity without name or attributes")
        }
        var stored: [StoredSchema.Attribute] = []
        for attribute in attributes {
            guard let name = attribute["name"]?.text, let typeName = attribute["type"]?.text,
                let isOptional = attribute["isOptional"]?.flag
            else { throw invalid("has an attribute of \(name) without name, type or isOptional") }
            guard let type = AttributeType(rawValue: typeName) else {
                throw invalid("has an attribute of the unknown type \"\(typeName)\"")
            }
            // Only a store has names of its own for what it keeps; here they only have to differ.
            stored.append(
                StoredSchema.Attribute(
                    name: name, storageName: "\(name)~\(stored.count)", type: type, isOptional: isOptional))
        }
        var indexes: [StoredSchema.Index] = []
        for index in value["indexes"]?.list ?? [] {
            guard let list = index["attributes"]?.list, let isUnique = index["isUnique"]?.flag,
                case let names = list.compactMap(\.text), names.count == list.count
            else { throw invalid("has an index of \(name) without attributes or isUnique") }
            indexes.append(StoredSchema.Index(attributes: names, isUnique: isUnique))
        }
        return StoredSchema.Entity(
            number: number, name: name, storageName: "\(name)~\(number)", attributes: stored,
            indexes: indexes)
    }

    private static func invalid(_ what: String) -> DataStoreError {
        DataStoreError(.invalidText, "Line 1 \(what).", advice: "Give lines that export has written.")
    }
}

extension JSONValue {
    /// The value in a line.
    ///
    /// - Throws: `.invalidText`, naming the line.
    init(line: ArraySlice<UInt8>, number: Int) throws(DataStoreError) {
        do {
            self = try line.withUnsafeBufferPointer { bytes throws(JSONReader.Failure) in
                try JSONReader.value(in: UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw DataStoreError(
                .invalidText, "Line \(number) \(error.message).", advice: "Correct the line, or export again."
            )
        }
    }
}
