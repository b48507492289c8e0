import Larder

/// One value four times: required and optional, each without and with an index.
struct Holder<Value: AttributeValue>: DataStoreItem {
    let id: Int64
    var plain: Value
    var optional: Value?
    var indexed: Value
    var optionalIndexed: Value?

    init(_ id: Int64, _ value: Value, optional: Value?) {
        self.id = id
        plain = value
        self.optional = optional
        indexed = value
        optionalIndexed = optional
    }

    struct Attributes: Sendable {
        let id = Attribute<Holder, Int64>(column: 0)
        let plain = Attribute<Holder, Value>(column: 1)
        let optional = Attribute<Holder, Value?>(column: 2)
        let indexed = Attribute<Holder, Value>(column: 3)
        let optionalIndexed = Attribute<Holder, Value?>(column: 4)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema { HolderSchemas.schema(of: Value.self) }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        plain = try row.value(at: 1)
        optional = try row.value(at: 2)
        indexed = try row.value(at: 3)
        optionalIndexed = try row.value(at: 4)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(plain, at: 1)
        try row.set(optional, at: 2)
        try row.set(indexed, at: 3)
        try row.set(optionalIndexed, at: 4)
    }
}

/// The schemas of holders; a generic type cannot keep its own.
private enum HolderSchemas {
    private static let known = Locked<[AttributeType: EntitySchema]>([:])

    static func schema<Value: AttributeValue>(of type: Value.Type) -> EntitySchema {
        known.withLock { known in
            if let schema = known[Value.attributeType] { return schema }
            let schema = makeSchema(of: type)
            known[Value.attributeType] = schema
            return schema
        }
    }

    private static func makeSchema<Value: AttributeValue>(of type: Value.Type) -> EntitySchema {
        EntitySchema(
            "Holder of \(Value.attributeType.rawValue)",
            attributes: [
                .attribute("id", Int64.self),
                .attribute("plain", Value.self),
                .attribute("optional", Value?.self),
                .attribute("indexed", Value.self),
                .attribute("optionalIndexed", Value?.self),
            ],
            indexes: Value.attributeType.isIndexable ? [.index("indexed"), .index("optionalIndexed")] : [])
    }
}
