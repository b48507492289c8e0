import LarderText
public import LarderImport
public import LarderKernel

// MARK: Maps of records

extension ImportMap where Source == ImportRecord {
    /// Finds items by a unique attribute, or by `id`, whose value is under a key of each record.
    ///
    /// - Parameters:
    ///   - key: The key, or a path of keys. A record in which the value is missing or null is skipped.
    ///   - fallbacks: Further keys; the first that a record has counts.
    public init<Key: AttributeValue>(
        by attribute: AttributePath<Item, Key>, key: String, _ fallbacks: String...,
        format: ImportFormat = .standard,
        @ImportBuilder<Item, ImportRecord> _ fields: () -> [Import<Item, ImportRecord>] = { [] }
    ) {
        let column = Item.attributes[keyPath: attribute].column
        let values = RecordValues([key] + fallbacks, Item.schema.attributes[column], format, Key.self)
        self.init(
            keys: [ImportKeyColumn(column) { record, arena in try values.keyCell(in: record, arena) }],
            keyName: key, fields())
    }

    /// Finds the items of an owner by an attribute that is unique together with the reference to it.
    ///
    ///     ImportMap<Ingredient, ImportRecord>(by: \.name, within: \.recipe, key: "name")
    ///
    /// *Rule:* for the nested records of a relationship whose other side is the reference; an import throws
    /// `.invalidRequest` anywhere else.
    ///
    /// - Parameters:
    ///   - key: The key of the attribute, or a path of keys. A record without a value is skipped.
    ///   - fallbacks: Further keys; the first that a record has counts.
    public init<Key: AttributeValue, Owner: ItemReference>(
        by attribute: AttributePath<Item, Key>, within owner: AttributePath<Item, Owner>, key: String,
        _ fallbacks: String..., format: ImportFormat = .standard,
        @ImportBuilder<Item, ImportRecord> _ fields: () -> [Import<Item, ImportRecord>] = { [] }
    ) {
        let column = Item.attributes[keyPath: attribute].column
        let values = RecordValues([key] + fallbacks, Item.schema.attributes[column], format, Key.self)
        self.init(
            keys: [
                ImportKeyColumn(column) { record, arena in try values.keyCell(in: record, arena) },
                ImportKeyColumn(Item.attributes[keyPath: owner].column, nil),
            ], keyName: key, fields())
    }
}

extension Import where Source == ImportRecord {
    /// Takes the value of an attribute from under a key of a record.
    ///
    /// *Rule:* an import throws `.wrongType` for a value that is not one of the attribute, and `.invalidValue` for
    /// null if the attribute must not be nil.
    ///
    /// - Parameters:
    ///   - key: The key, or a path of keys through nested objects.
    ///   - fallbacks: Further keys; the first that a record has counts.
    public init<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, key: String, _ fallbacks: String...,
        format: ImportFormat = .standard
    ) {
        let column = Item.attributes[keyPath: attribute].column
        let values = RecordValues([key] + fallbacks, Item.schema.attributes[column], format, Value.self)
        self.init(
            ImportField(column: column, name: key) { record, arena in try values.cell(in: record, arena) })
    }

    /// Imports the nested object under a key of a record, and refers to its item; null sets the reference to nil.
    ///
    /// *Rule:* any other value than an object counts as the key of one. An import throws `.wrongType` for a list.
    public init<Reference: ItemReference>(
        _ reference: AttributePath<Item, Reference>, key: String, _ fallbacks: String...,
        using map: ImportMap<Reference.Target, ImportRecord>
    ) {
        let nested = NestedRecords([key] + fallbacks, of: map.core.keyName, isOne: true)
        self.init(
            ImportField(
                reference: Item.attributes[keyPath: reference].column, name: key, using: map.core
            ) { try nested.records(in: $0) })
    }

    /// Imports the list of nested objects under a key of a record, and relates their items; null empties the
    /// relationship.
    ///
    /// *Rule:* any other value than an object counts as the key of one, and a single value as a list. An import
    /// throws `.wrongType` for a list, and for several keys in one text, if the relationship is a `ToOneInverse`.
    ///
    /// - Parameter format: `.list(separator:)` for keys in one text.
    public init<Value: RelationshipValue>(
        _ relationship: RelationshipPath<Item, Value>, key: String, _ fallbacks: String...,
        format: ImportFormat = .standard, using map: ImportMap<Value.Target, ImportRecord>,
        _ items: ImportedItems = .replace
    ) {
        let nested = NestedRecords(
            [key] + fallbacks, of: map.core.keyName, format, isOne: Value.kind == .toOneInverse)
        self.init(
            ImportField(
                relationship: Item.attributes[keyPath: relationship].relationshipNumber, items, name: key,
                using: map.core
            ) { try nested.records(in: $0) })
    }
}

/// The values of an attribute in records.
struct RecordValues: Sendable {
    private let keys: [ImportKey]
    private let attribute: AttributeSchema
    private let format: ImportFormat
    /// The reason why the attribute's Swift type refuses a cell, as the end of a sentence; nil if it does not.
    private let problem: @Sendable (Cell) -> String?

    init<Value: AttributeStorable>(
        _ keys: [String], _ attribute: AttributeSchema, _ format: ImportFormat, _ type: Value.Type
    ) {
        self.init(keys, attribute, format) { cell in
            if Value.decode(cell) != nil { return nil }
            return UndecodableJSON.problem(of: cell, as: Value.self) ?? ""
        }
    }

    init(
        _ keys: [String], _ attribute: AttributeSchema, _ format: ImportFormat,
        problem: @escaping @Sendable (Cell) -> String? = { _ in nil }
    ) {
        self.keys = keys.map(ImportKey.init)
        self.attribute = attribute
        self.format = format
        self.problem = problem
    }

    /// The value of a record; nil if it is missing.
    ///
    /// - Parameter isKey: True if the record is found by it, and has none if the field is empty.
    /// - Throws: `.wrongType`, `.invalidValue`, `.valueTooLarge`.
    func cell(
        in record: ImportRecord, _ arena: RowArena, isKey: Bool = false
    ) throws(DataStoreError) -> Cell? {
        guard case (let key, var value)? = try value(in: record) else { return nil }
        if case .null = value, record.isLine, !isKey, attribute.type == .string, !attribute.isOptional {
            value = .text("")
        }
        let cell = try value.cell(of: attribute, format, in: arena)
        var reason = ""
        if let cell {
            guard !cell.isNull, let problem = problem(cell) else { return cell }
            reason = problem
        }
        throw DataStoreError(
            .wrongType,
            "The value \(value.shown) of \"\(key.path)\" is not a valid value of \(attribute.propertyName)\(reason).",
            advice: "Correct it: it should be \(attribute.type.importForm); or give the import a format.",
            attribute: attribute.propertyName)
    }

    /// The cell of the key that a record is found by; null if the record has none.
    ///
    /// An empty field beside other parts of a key stands for empty text, unless all of them are empty.
    ///
    /// - Parameter parts: All values that are the key together; none for a key of one.
    /// - Throws: As ``cell(in:_:isKey:)``; `.invalidText` for an object around a list of records.
    func keyCell(
        in record: ImportRecord, _ arena: RowArena, of parts: [RecordValues] = []
    ) throws(DataStoreError) -> Cell {
        var isKey = true
        for part in parts where try !part.isEmpty(in: record) { isKey = false }
        if let cell = try cell(in: record, arena, isKey: isKey) { return cell }
        try record.requireNoWrappedList(of: keys)
        return .null
    }

    /// True if a record has no value, or null.
    private func isEmpty(in record: ImportRecord) throws(DataStoreError) -> Bool {
        guard let (_, value) = try value(in: record) else { return true }
        return if case .null = value { true } else { false }
    }

    /// The value of the first of the keys that a record has, with the key; nil if it has none of them.
    private func value(in record: ImportRecord) throws(DataStoreError) -> (ImportKey, ImportValue)? {
        for key in keys {
            if let value = try record.value(at: key) { return (key, value) }
        }
        return nil
    }
}

/// The nested objects of records.
struct NestedRecords: Sendable {
    private let keys: [ImportKey]
    /// The key of a nested object, for a value that is one.
    private let keyName: String?
    private let format: ImportFormat
    /// True if the relationship has one item at most.
    private let isOne: Bool

    init(_ keys: [String], of keyName: String?, _ format: ImportFormat = .standard, isOne: Bool = false) {
        self.keys = keys.map(ImportKey.init)
        self.keyName = keyName
        self.format = format
        self.isOne = isOne
    }

    /// The objects in a record; nil if they are missing.
    ///
    /// - Throws: `.wrongType` for a value without a key, and for a list if there is one item at most.
    func records(in record: ImportRecord) throws(DataStoreError) -> [ImportRecord]? {
        for key in keys {
            guard let value = try record.value(at: key) else { continue }
            let parts = parts(of: value)
            let isList = if case .list = value { true } else { parts.count > 1 }
            if isOne, isList {
                throw DataStoreError(
                    .wrongType,
                    "The value of \"\(key.path)\" is a list, and the relationship takes one item.",
                    advice: "Give an object or a key, and not a list: no item of it is guessed.")
            }
            var records: [ImportRecord] = []
            for value in parts { records.append(try nested(value, key)) }
            return records
        }
        return nil
    }

    private func parts(of value: ImportValue) -> [ImportValue] {
        switch (value, format.kind) {
        case (.null, _): []
        case (.list(let values), _): values
        case (.text(let text), .list(let separator)):
            text.split(separator: separator).map(\.trimmingSpaces).filter { !$0.isEmpty }.map { .text($0) }
        default: [value]
        }
    }

    private func nested(_ value: ImportValue, _ key: ImportKey) throws(DataStoreError) -> ImportRecord {
        if case .record(let record) = value { return record.withPositions }
        if let keyName { return ImportRecord([keyName: value]) }
        throw DataStoreError(
            .wrongType, "The value \(value.shown) of \"\(key.path)\" is not an object.",
            advice: "Give its map a key of one attribute, of which such a value then is one.")
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmingSpaces: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
