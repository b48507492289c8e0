public import LarderKernel

extension DataStoreItem {
    /// The value of an attribute by the name of its property, in the type that the caller names.
    ///
    ///     let rating = try recipe.value(of: "rating", as: Double.self)
    ///     let note = try recipe.value(of: "note", as: String?.self)
    ///
    /// The type is the declared one, or another one of the same stored form: an enum or its raw value, an
    /// identifier or the ``ToOne`` that holds it, an integer that is as wide or wider.
    ///
    /// *Cost:* encodes the item.
    ///
    /// - Throws: `.unknownAttribute`; `.wrongType` if the attribute has another type, or is nil and the type is not
    ///   optional; `.invalidValue` when the item could not be stored.
    public func value<Value: AttributeStorable>(
        of name: String, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        let column = try Self.column(named: name)
        let stored = Self.schema.attributes[column].type
        guard stored == Value.attributeType || stored.widens(to: Value.attributeType) else {
            throw wrongType(Value.self, of: name, stored)
        }
        do {
            return try value(at: column, as: Value.self)
        } catch  where error.code == .undecodable || error.code == .damaged {
            throw wrongType(Value.self, of: name, stored)
        }
    }

    private func wrongType<Value>(
        _ type: Value.Type, of name: String, _ stored: AttributeType
    ) -> DataStoreError {
        DataStoreError(
            .wrongType,
            "The attribute \"\(name)\" is stored as \(stored.rawValue), and its value is not a \(type).",
            advice: "Ask for the type of the declaration, an optional one if the value may be nil.",
            itemType: Self.schema.name, attribute: name, identifier: id.anyItemID)
    }
}

extension Mutable {
    /// The value of an attribute by the name of its property; see ``DataStoreItem/value(of:as:)``.
    ///
    /// - Throws: As ``DataStoreItem/value(of:as:)``.
    public func value<Value: AttributeStorable>(
        of name: String, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        try item.value(of: name, as: type)
    }
}
