import LarderText
public import Foundation
import LarderImport
public import LarderKernel
import LarderEngine

/// A mapping of records to items as JSON, for tools that do not have the app's types.
///
/// ```json
/// {
///   "entity": "Recipe",
///   "key": {"slug": "slug"},
///   "values": {
///     "name": ["title", "name"],
///     "rating": {"from": "stats.stars", "default": 0},
///     "cookedAt": {"from": "cooked", "format": "epochSeconds"},
///     "bakedAt": {"from": "baked", "format": {"date": "dd.MM.yyyy", "timeZone": "Europe/Zurich"}},
///     "kind": {"from": "category", "key": {"name": "title"}, "values": {}},
///     "tags": {"from": "tags", "separator": ";", "key": {"name": "name"}, "items": "add"},
///     "ingredients": {"from": "lines", "key": {"name": "name"}, "within": "recipe", "values": {},
///                     "items": "replaceDeleting"}
///   }
/// }
/// ```
///
/// `key` is the unique attribute that items are found by, and the key of a record with its value, or several
/// attributes that are unique together; without it, each record inserts an item. Texts of keys are compared as the unique
/// values are, without regard to case if these are so. The names in `values` are
/// attributes and relationships; each has the key of a record, a list of keys of which the first that is there
/// counts, or an object: `from` is the key or keys, `format` is `epochSeconds`, `epochMilliseconds`, a date
/// pattern, or `{"decimal": ",", "grouping": "."}`, and `default` the value of a new item if the record has none.
/// The relationships of nested objects have a `key` and `values` of their own; one that leads to one item takes no list.
/// `within` names the reference at the other end if the items are unique only together with it. `items` is `replace`,
/// `add` or `replaceDeleting`.
public struct ImportMapping: Sendable {
    private let json: JSONValue

    /// Reads a mapping from its JSON; each import checks it against the store.
    ///
    /// - Throws: `.invalidText` for text that is not a JSON object.
    public init(json data: Data) throws(DataStoreError) {
        json = try JSONValue(line: ByteOrderMark.dropped(from: Array(data)[...]), number: 1)
        guard case .object = json else { throw Self.invalid("is not an object") }
    }

    /// The import that the mapping describes, in a store.
    ///
    /// - Throws: `.invalidText`, `.unknownItemType`, `.unknownAttribute`, `.invalidRequest`.
    func core(in schema: StoreSchema) throws(DataStoreError) -> ImportCore<ImportRecord> {
        guard let name = json["entity"]?.text else { throw Self.invalid("names no \"entity\"") }
        try Self.require(json, has: ["entity", "key", "values"], at: name)
        let number = try schema.number(ofEntityNamed: name)
        if schema.entities[number].isLink {
            throw DataStoreError(
                .invalidText, "The mapping names \(name) as its \"entity\", which is a relationship.",
                advice: "Name the item type that it starts from, with the relationship among its \"values\".",
                itemType: name)
        }
        return try Self.core(json, number, schema)
    }

    /// True if items are deleted that no record gives to an owner any more.
    var deletesLeftOverItems: Bool { Self.deletesLeftOverItems(json) }

    private static func deletesLeftOverItems(_ json: JSONValue) -> Bool {
        guard case .object(let members) = json else { return false }
        return json["items"]?.text == "replaceDeleting" || members.contains { deletesLeftOverItems($0.value) }
    }

    private static func core(
        _ json: JSONValue, _ number: Int, _ schema: StoreSchema, owner: Int? = nil
    ) throws(DataStoreError) -> ImportCore<ImportRecord> {
        let entity = schema.entities[number]
        var fields: [ImportField<ImportRecord>] = []
        var defaults: [Int: @Sendable (RowArena) throws -> Cell] = [:]
        guard case .object(let values) = json["values"] ?? .object([]) else {
            throw invalid("has \"values\" of \(entity.name) that are not an object")
        }
        for (name, value) in values {
            let source = try Source(value, name)
            if let column = entity.column(named: name), !schema.refers(number, column) || source.key == nil {
                guard source.key == nil else {
                    throw invalid("has a \"key\" of \(name), which is not a relationship")
                }
                try refuse(
                    ["items", "values", "separator"], of: value, name,
                    since: "only a relationship with a \"key\" can have")
                let attribute = entity.attributes[column]
                let reading = RecordValues(source.keys, attribute, source.format)
                if let key = source.keys.first {
                    fields.append(
                        ImportField(column: column, name: key) { record, arena in
                            try reading.cell(in: record, arena)
                        })
                }
                if let value = source.defaultValue {
                    let given = RecordValues(["default"], attribute, source.format)
                    let record = ImportRecord(["default": ImportValue(value)])
                    let cell = try? given.cell(in: record, RowArena())
                    guard let cell, attribute.isOptional || !cell.isNull else {
                        throw invalid("has a \"default\" of \(name) that is not a valid value of it")
                    }
                    defaults[column] = { arena in
                        try given.cell(in: record, arena) ?? .null
                    }
                }
            } else {
                fields.append(try related(name, source, value, number, schema))
            }
        }
        let key = try key(json["key"], of: entity, owner)
        var core = ImportCore(
            entity, keys: key.columns, keyName: key.name, fields: fields
        ) { _ throws(DataStoreError) in number }
        core.defaults = defaults
        try core.requireUniqueKey()
        return core
    }

    /// The columns by which items are found, and the key of a record for a value that is the only one of them.
    ///
    /// - Parameter owner: The column that refers to the item that nested ones belong to; nil for none.
    private static func key(
        _ json: JSONValue?, of entity: EntitySchema, _ owner: Int?
    ) throws(DataStoreError) -> (columns: [ImportKeyColumn<ImportRecord>], name: String?) {
        guard let json else { return ([], nil) }
        guard case .object(let members) = json, !members.isEmpty else {
            throw invalid("has a \"key\" of \(entity.name) that is not an object with one or more attributes")
        }
        var parts: [(column: Int, reading: RecordValues)] = []
        var name: String?
        for member in members {
            guard let column = entity.column(named: member.key) else {
                throw unknown(member.key, of: entity)
            }
            if column == owner {
                throw invalid("has \(member.key) in the \"key\" of \(entity.name) and as \"within\"")
            }
            if case .object = member.value {
                try require(member.value, has: ["from", "format"], at: member.key)
            }
            let source = try Source(member.value, member.key)
            parts.append((column, RecordValues(source.keys, entity.attributes[column], source.format)))
            name = members.count == 1 ? source.keys.first : nil
        }
        let readings = parts.map(\.reading)
        var columns = parts.map { column, reading in
            ImportKeyColumn<ImportRecord>(column) { record, arena in
                try reading.keyCell(in: record, arena, of: readings)
            }
        }
        if let owner { columns.append(ImportKeyColumn(owner, nil)) }
        return (columns, name)
    }

    /// A relationship with nested objects.
    private static func related(
        _ name: String, _ source: Source, _ json: JSONValue, _ number: Int, _ schema: StoreSchema
    ) throws(DataStoreError) -> ImportField<ImportRecord> {
        let entity = schema.entities[number]
        guard
            let relationship = schema.relationships[number].first(where: { UTF8Text.areEqual($0.name, name) })
        else { throw unknown(name, of: entity) }
        guard source.key != nil, let key = source.keys.first else {
            throw invalid("has the relationship \(name) without \"from\" or without the \"key\" of its items")
        }
        try refuse(["format", "default"], of: json, name, since: "only an attribute can have")
        let owner = try owner(source, name, relationship)
        let core = try core(json, relationship.target, schema, owner: owner)
        if case .reference(let column) = relationship.form {
            try refuse(["items", "separator"], of: json, name, since: "refers to one item")
            let nested = NestedRecords(source.keys, of: core.keyName, isOne: true)
            return ImportField(reference: column, name: key, using: core) { try nested.records(in: $0) }
        }
        let windows = schema.relationships[number].filter {
            if case .reference = $0.form { false } else { true }
        }
        guard let position = windows.firstIndex(of: relationship) else { throw unknown(name, of: entity) }
        let isOne = relationship.kind == .toOneInverse
        if isOne { try refuse(["separator"], of: json, name, since: "leads to one item") }
        let nested = NestedRecords(source.keys, of: core.keyName, source.format, isOne: isOne)
        return ImportField(relationship: position, source.items ?? .replace, name: key, using: core) {
            try nested.records(in: $0)
        }
    }

    /// The column that refers to the item that nested ones belong to; nil if the mapping names none.
    private static func owner(
        _ source: Source, _ name: String, _ relationship: StoreRelationship
    ) throws(DataStoreError) -> Int? {
        guard let within = source.within else { return nil }
        if case .referrers(let column) = relationship.form,
            relationship.targetSchema.column(named: within) == column
        {
            return column
        }
        throw invalid("has a \"within\" of \(name) that is not the reference at its other end")
    }

    /// The keys that a value comes from, and its form.
    private struct Source {
        var keys: [String] = []
        var format = ImportFormat.standard
        var items: ImportedItems?
        var key: JSONValue?
        /// The name of the reference to the item that nested ones belong to.
        var within: String?
        var defaultValue: JSONValue?

        init(_ json: JSONValue, _ name: String) throws(DataStoreError) {
            if case .object = json {
                try ImportMapping.require(
                    json,
                    has: ["from", "format", "separator", "items", "key", "within", "values", "default"],
                    at: name)
                if let from = json["from"] { keys = try Self.keys(from, name) }
                if let format = json["format"] { self.format = try ImportMapping.format(format, name) }
                if let separator = try ImportMapping.sign("separator", of: json, name) {
                    format = .list(separator: separator)
                }
                if let items = json["items"] { self.items = try Self.items(items, name) }
                key = json["key"]
                if let within = json["within"] {
                    guard let text = within.text, key != nil else {
                        throw ImportMapping.invalid(
                            "has a \"within\" of \(name) that is not a text beside a \"key\"")
                    }
                    self.within = text
                }
                defaultValue = json["default"]
            } else {
                keys = try Self.keys(json, name)
            }
            if keys.isEmpty, defaultValue == nil {
                throw ImportMapping.invalid("does not say from which key \(name) comes")
            }
        }

        private static func keys(_ json: JSONValue, _ name: String) throws(DataStoreError) -> [String] {
            if let key = json.text { return [key] }
            guard let list = json.list, list.allSatisfy({ $0.text != nil }) else {
                throw ImportMapping.invalid("has keys of \(name) that are neither a text nor a list of texts")
            }
            return list.compactMap(\.text)
        }

        private static func items(_ json: JSONValue, _ name: String) throws(DataStoreError) -> ImportedItems {
            switch json {
            case .text("replace"): return .replace
            case .text("add"): return .add
            case .text("replaceDeleting"): return .replaceDeleting
            default:
                throw ImportMapping.invalid(
                    "has \"items\" of \(name) that are neither \"replace\", \"add\" nor \"replaceDeleting\"")
            }
        }
    }

    /// The sign under a name; nil if there is none.
    private static func sign(
        _ key: String, of json: JSONValue, _ name: String
    ) throws(DataStoreError) -> Character? {
        guard let value = json[key] else { return nil }
        guard let text = value.text, text.count == 1 else {
            throw invalid("has a \"\(key)\" of \(name) that is not a single sign")
        }
        return text.first
    }

    private static func format(_ json: JSONValue, _ name: String) throws(DataStoreError) -> ImportFormat {
        switch json {
        case .text("epochSeconds"): return .epochSeconds
        case .text("epochMilliseconds"): return .epochMilliseconds
        case .text("iso8601"): return .standard
        case .text(let pattern): return try date(pattern, .gmt, name)
        case .object:
            if let pattern = json["date"]?.text {
                try require(json, has: ["date", "timeZone"], at: name)
                guard let value = json["timeZone"] else { return try date(pattern, .gmt, name) }
                guard let zone = value.text, let timeZone = TimeZone(identifier: zone) else {
                    throw invalid("has an unknown time zone for \(name)")
                }
                return try date(pattern, timeZone, name)
            }
            if let decimal = try sign("decimal", of: json, name) {
                try require(json, has: ["decimal", "grouping"], at: name)
                return .number(decimal: decimal, grouping: try sign("grouping", of: json, name))
            }
            throw invalid("has a \"format\" of \(name) that is unknown")
        case .null, .bool, .number, .list: throw invalid("has a \"format\" of \(name) that is unknown")
        }
    }

    private static func date(
        _ text: String, _ timeZone: TimeZone, _ name: String
    ) throws(DataStoreError) -> ImportFormat {
        let pattern = DatePattern(text, timeZone)
        guard let problem = pattern.problem else { return ImportFormat(kind: .date(pattern)) }
        throw invalid("has the \"format\" \"\(text)\" of \(name) with \(problem)")
    }

    /// Refuses names that would mean nothing here, and do for another kind of value.
    private static func refuse(
        _ names: [String], of json: JSONValue, _ place: String, since reason: String
    ) throws(DataStoreError) {
        for name in names where json[name] != nil {
            throw invalid("has \"\(name)\" of \(place), which \(reason)")
        }
    }

    /// Refuses names that mean nothing, which are most likely misspelled.
    private static func require(
        _ json: JSONValue, has names: Set<String>, at place: String
    ) throws(DataStoreError) {
        guard case .object(let members) = json else { return }
        if let unknown = members.first(where: { !names.contains($0.key) }) {
            throw invalid("has the unknown name \"\(unknown.key)\" at \(place)")
        }
    }

    private static func unknown(_ name: String, of entity: EntitySchema) -> DataStoreError {
        DataStoreError(
            .unknownAttribute, "\(entity.name) has no attribute or relationship \"\(name)\".",
            itemType: entity.name, attribute: name)
    }

    fileprivate static func invalid(_ what: String) -> DataStoreError {
        DataStoreError(.invalidText, "The mapping \(what).", advice: "Correct the mapping.")
    }
}

extension StoreSchema {
    /// True if a column refers to items.
    fileprivate func refers(_ entity: Int, _ column: Int) -> Bool {
        relationships[entity].contains { $0.form == .reference(column: column) }
    }
}
