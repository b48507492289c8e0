public import LarderKernel

extension DataStoreItem {
    /// The value of an attribute by its name, or nil if it is nil.
    ///
    ///     let rating = try recipe.value(forKey: "rating") as? Double
    ///
    /// Values have the type of the declaration, with these exceptions: enums are their raw values, values
    /// stored as JSON are the JSON text, and integers of any width are `Int64` (`UInt64` for `UInt64` and
    /// `UInt`). A `Duration` is its seconds, a `Decimal`. An ``ItemID`` is its number. A ``ToOne`` is the
    /// identifier of its item: a number, a `UUID` or a text.
    ///
    /// - Throws: `.unknownAttribute`; `.invalidValue` when the item could not be stored.
    public func value(forKey name: String) throws(DataStoreError) -> (any AttributeStorable)? {
        let column = try Self.column(named: name)
        let arena = RowArena(chunkBytes: 1024)
        let cells = try encoded(in: arena)
        let value = cells[column].value(of: Self.schema.attributes[column].type)
        withExtendedLifetime(arena) {}
        return value
    }

    /// The item with another value for an attribute, by its name.
    ///
    /// - Throws: `.unknownAttribute`; `.wrongType` when the value does not have the attribute's type.
    fileprivate func replacing(_ name: String, by value: (any AttributeStorable)?) throws(DataStoreError)
        -> Self
    {
        let column = try Self.column(named: name)
        let attribute = Self.schema.attributes[column]
        guard column > 0 else {
            throw DataStoreError(
                .invalidValue, "The identifier of an item cannot be changed.", itemType: Self.schema.name,
                attribute: name)
        }
        let arena = RowArena(chunkBytes: 1024)
        let cells = try encoded(in: arena)
        do {
            cells[column] = try attribute.cell(for: value, in: arena)
            return try Self(row: RowReader(cells: cells, of: Self.schema))
        } catch  where error.code == .undecodable {
            throw attribute.wrongType(value).about(itemType: Self.schema.name)
        } catch {
            throw error.about(itemType: Self.schema.name, attribute: name)
        }
    }

    /// - Throws: `.unknownAttribute`.
    static func column(named name: String) throws(DataStoreError) -> Int {
        if let column = schema.column(ofProperty: name) { return column }
        throw DataStoreError(
            .unknownAttribute, "\(schema.name) has no attribute \"\(name)\".", itemType: schema.name,
            attribute: name)
    }
}

extension Mutable {
    /// Sets an attribute by its name.
    ///
    /// *Rule:* the item is made again from its row, so that properties that are not stored have their defaults.
    ///
    /// - Throws: `.unknownAttribute`; `.wrongType`, even if the attribute has a fallback; `.invalidValue`;
    ///   `.accessorExpired`, `.itemNotFound`.
    public func setValue(_ value: (any AttributeStorable)?, forKey name: String) throws(DataStoreError) {
        try change { item throws(DataStoreError) in try item.replacing(name, by: value) }
    }

    /// The value of an attribute by its name; see ``DataStoreItem/value(forKey:)``.
    ///
    /// - Throws: As ``DataStoreItem/value(forKey:)``.
    public func value(forKey name: String) throws(DataStoreError) -> (any AttributeStorable)? {
        try item.value(forKey: name)
    }
}
