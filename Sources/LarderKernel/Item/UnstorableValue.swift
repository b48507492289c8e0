// Overloads for types that cannot be stored. They are chosen only if no other overload fits, and only the
// one of the attribute itself is an error, so each property is reported once, with a message that says what
// to do.

extension Attribute {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            this type cannot be stored. Conform it to AttributeValue (an enum with a raw value) or to \
            CodableAttribute (a Codable and Equatable type); refer to one item by a ToOne, to several by a ToMany
            """
    )
    public init(column: Int) {
        self.init(number: column)
    }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this enum cannot be stored yet. Conform it to AttributeValue: enum Name: String, AttributeValue"
    )
    public init(column: Int) where Value: RawRepresentable {
        self.init(number: column)
    }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "an item cannot be stored inside another. Refer to it: var name: ToOne<OtherItem>"
    )
    public init(column: Int) where Value: DataStoreItem {
        self.init(number: column)
    }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "items cannot be stored inside another. Show those that belong to it: var name: ToMany<OtherItem>"
    )
    public init(column: Int) where Value: Collection, Value.Element: DataStoreItem {
        self.init(number: column)
    }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            @StoredItem reads the source and cannot see what another name stands for. Spell the type as ToMany<…>, \
            OrderedToMany<…> or ToOneInverse<…>
            """
    )
    public init(column: Int) where Value: RelationshipValue {
        self.init(number: column)
    }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: """
            no index can hold this type. @Indexed, @Unique and the lists of @StoredItem need an AttributeValue; \
            a CodableAttribute is stored as JSON, so store the value to search for in a property of its own
            """
    )
    public init(indexedColumn: Int) {
        self.init(number: indexedColumn)
    }
}

extension RowReader {
    /// Replaces reading a value whose type ``Attribute`` reports.
    ///
    /// - Throws: `.invalidSchema`, always.
    @_disfavoredOverload
    public func value<Value>(
        at column: Int, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        throw .unstorable(type)
    }

    /// Replaces reading a value whose type ``Attribute`` reports.
    ///
    /// - Throws: `.invalidSchema`, always.
    @_disfavoredOverload
    public func value<Value>(
        at column: Int, fallback: @autoclosure () -> Value
    ) throws(DataStoreError) -> Value {
        throw .unstorable(Value.self)
    }
}

extension RowWriter {
    /// Replaces writing a value whose type ``Attribute`` reports.
    ///
    /// - Throws: `.invalidSchema`, always.
    @_disfavoredOverload
    public mutating func set<Value>(_ value: Value, at column: Int) throws(DataStoreError) {
        throw .unstorable(Value.self)
    }
}

extension AttributeSchema {
    /// Replaces describing an attribute whose type ``Attribute`` reports.
    ///
    /// *Rule:* a store refuses the item type with `.invalidSchema`.
    @_disfavoredOverload
    public static func attribute<Value>(
        _ name: String, _ type: Value.Type, property: String? = nil, originalName: String? = nil
    ) -> AttributeSchema {
        AttributeSchema(unstorable: name, type)
    }

    /// Replaces describing an attribute whose type ``Attribute`` reports.
    ///
    /// *Rule:* a store refuses the item type with `.invalidSchema`.
    @_disfavoredOverload
    public static func attribute<Value>(
        _ name: String, _ type: Value.Type, property: String? = nil, originalName: String? = nil,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> AttributeSchema {
        AttributeSchema(unstorable: name, type)
    }
}

extension DataStoreError {
    fileprivate static func unstorable(_ type: Any.Type) -> DataStoreError {
        DataStoreError(
            .invalidSchema, "Values of the type \(type) cannot be stored.",
            advice: "Conform the type to AttributeValue or CodableAttribute.")
    }
}
