public import LarderKernel

/// A row of the old version in a ``SchemaStep``: its attributes by their stored names.
///
///     let name = try old["name", as: String.self]
///     let author = try old.reference("author")?["name"]
///
/// *Rule:* used inside the call it was given to, on its thread; later, it throws `.accessorExpired`. It only
/// reads. *Cost:* an attribute costs a search among the names, and the value a copy.
public struct SourceRow {
    let reader: SourceReader
    /// The number of the type in the schema of the reader.
    let entity: Int
    let cells: UnsafePointer<Cell>
    /// The call of a closure that the row was read for.
    let epoch: Int

    /// The stored name of its type.
    public var type: String { reader.schema.entities[entity].name }

    /// Its identifier.
    ///
    /// - Throws: `.accessorExpired`; `.undecodable` for a stored value that cannot identify items; `.damaged` for
    ///   nil.
    public var id: AnyItemID {
        get throws(DataStoreError) {
            try requireValid()
            guard let identifier = AnyItemID(cells[0], type: reader.types[entity][0]) else {
                throw unreadable(0)
            }
            return identifier
        }
    }

    /// The value of an attribute, as it is stored.
    ///
    /// - Throws: `.unknownAttribute`, `.accessorExpired`.
    public subscript(_ attribute: String) -> StoredValue {
        get throws(DataStoreError) {
            let column = try column(attribute)
            let type = reader.types[entity][column]
            return StoredValue(Constant(cells[column], storage: type.storage), type: type, isOld: true)
        }
    }

    /// The value of an attribute as a type of the app.
    ///
    /// - Throws: `.unknownAttribute`; `.wrongType` if the old version stores another type;
    ///   `.undecodable` for a stored value that the type does not know, such as nil of an optional attribute;
    ///   `.damaged` for nil of a required one; `.accessorExpired`.
    public subscript<Value: AttributeStorable>(
        _ attribute: String, as type: Value.Type
    ) -> Value {
        get throws(DataStoreError) {
            let column = try column(attribute)
            let stored = reader.types[entity][column]
            guard stored.isReadable(as: Value.attributeType) else {
                throw DataStoreError(
                    .wrongType,
                    """
                    Version \(reader.version) stores \(self.type).\(attribute) as \(stored.rawValue), and the \
                    step reads it as \(Value.attributeType.rawValue).
                    """, itemType: self.type, attribute: attribute, identifier: try id)
            }
            guard let value = Value.decode(cells[column]) else {
                throw unreadable(column)
            }
            return value
        }
    }

    /// The row that an attribute leads to; nil if it is nil, or leads to a row that does not exist.
    ///
    /// *Cost:* for the rows of a mapping, the first call of some hundred rows reads what the attribute of all of them leads
    /// to, up to 4 MB; else a look-up.
    ///
    /// - Throws: `.unknownAttribute`, even for an attribute that does not refer to a type; errors of the
    ///   engine.
    public func reference(_ attribute: String) throws(DataStoreError) -> SourceRow? {
        let column = try column(attribute)
        for relationship in reader.schema.relationships[entity] {
            if case .reference(column) = relationship.form {
                return try reader.row(of: relationship.target, at: column, of: self)
            }
        }
        throw DataStoreError(
            .unknownAttribute,
            "\(type).\(attribute) of version \(reader.version) is not a reference.",
            itemType: type, attribute: attribute)
    }

    /// The identifiers of the rows that a relationship without an attribute leads to, in their order.
    ///
    /// - Throws: `.unknownAttribute` for one that the type does not have; errors of the engine.
    public func identifiers(_ relationship: String) throws(DataStoreError) -> [AnyItemID] {
        try requireValid()
        return try reader.transaction.identifiers(
            related: relationship, to: cells[0], of: entity, in: reader.schema)
    }

    /// The rows that a relationship without an attribute leads to, in their order.
    ///
    /// - Throws: As ``identifiers(_:)``.
    public func related(_ relationship: String) throws(DataStoreError) -> [SourceRow] {
        let identifiers = try identifiers(relationship)
        let known = reader.schema.relationships[entity].first { UTF8Text.areEqual($0.name, relationship) }
        guard let known else { return [] }
        return try reader.rows(at: identifiers, of: known.target)
    }

    /// The other rows of the old version.
    public var source: SourceReader { reader }

    @inline(__always)
    private func requireValid() throws(DataStoreError) {
        if epoch != reader.epoch { throw Self.expired }
    }

    private static var expired: DataStoreError {
        DataStoreError(
            .accessorExpired, "A row of a schema step was used after the call it was given to.")
    }

    @inline(__always)
    private func column(_ attribute: String) throws(DataStoreError) -> Int {
        try requireValid()
        if let column = reader.columns[entity].position(of: attribute) { return column }
        throw unknown(attribute)
    }

    @inline(never)
    private func unreadable(_ column: Int) -> DataStoreError {
        let error = reader.schema.entities[entity].undecodable(cells[column], at: column, in: cells)
        reader.walks.lastUnreadable = error
        return error
    }

    @inline(never)
    private func unknown(_ attribute: String) -> DataStoreError {
        DataStoreError(
            .unknownAttribute, "Version \(reader.version) has no attribute \(type).\(attribute).",
            advice: "It has these: \(reader.columns[entity].texts.joined(separator: ", ")).", itemType: type,
            attribute: attribute)
    }
}
