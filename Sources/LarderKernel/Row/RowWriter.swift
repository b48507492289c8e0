/// Takes the values of one item, column by column, on their way into an engine.
///
///     func encode(to row: inout RowWriter) throws(DataStoreError) {
///         try row.set(id, at: 0)
///         try row.set(name, at: 1)
///     }
///
/// *Rule:* valid only during the call it is passed to. *Cost:* text and bytes are copied once, into the
/// writer's ``RowArena``; nothing is allocated in the steady state.
public struct RowWriter: ~Copyable {
    @usableFromInline package let cells: UnsafeMutablePointer<Cell>
    @usableFromInline let arena: RowArena
    @usableFromInline let entity: EntitySchema
    /// The items that were given to the relationships without a column.
    @usableFromInline var assigned: [AssignedItems] = []

    /// Writes to cells, one for each attribute of the entity, which live as long as the arena is not reset.
    @inlinable
    public init(cells: UnsafeMutablePointer<Cell>, arena: RowArena, of entity: EntitySchema) {
        self.cells = cells
        self.arena = arena
        self.entity = entity
    }

    /// Sets the value of an attribute, by its column number.
    ///
    /// - Throws: `.invalidValue` for what cannot be stored (NaN, a relative URL), `.valueTooLarge`.
    @inlinable
    public mutating func set<Value: AttributeStorable>(
        _ value: Value, at column: Int
    ) throws(DataStoreError) {
        do {
            cells[column] = try value.encode(in: arena)
        } catch {
            throw error.about(itemType: entity.name, attribute: entity.attributes[column].propertyName)
        }
    }

    /// Takes the items that a relationship without a column was given, by its number, after the identifier.
    ///
    /// An item that was read from a store gives none, unless it was given what another item showed.
    ///
    /// - Throws: `.invalidValue` if that was not read with its items.
    public mutating func set<Value: RelationshipValue>(
        _ value: Value, atRelationship number: Int
    ) throws(DataStoreError) {
        if let identifiers = value.assignedIdentifiers {
            assigned.append(AssignedItems(relationship: number, targets: identifiers))
        } else if let source = value.source, !isOwn(source, number) {
            guard let shown = source.prefetched as? PrefetchedItems<Value.Target> else {
                throw taken(from: source, number)
            }
            let identifiers = shown.items.map { $0.id.anyItemID }
            assigned.append(AssignedItems(relationship: number, targets: identifiers))
        }
    }

    private func isOwn(_ source: RelationshipSource, _ number: Int) -> Bool {
        source.number == number && source.owner == AnyItemID(cells[0], type: entity.attributes[0].type)
            && UTF8Text.areEqual(source.ownerType.schema.name, entity.name)
    }

    private func taken(from source: RelationshipSource, _ number: Int) -> DataStoreError {
        // Relationships without a column come first.
        let relationship = entity.relationships.dropFirst(number).first?.propertyName ?? ""
        return DataStoreError(
            .invalidValue,
            "\(entity.name).\(relationship) was given the items of \(source.ownerType.schema.name) "
                + "\(source.owner), which were not read with it.",
            advice: "Prefetch them, give it a ToMany of the items, or set it through a handle.",
            itemType: entity.name, attribute: relationship,
            identifier: AnyItemID(cells[0], type: entity.attributes[0].type))
    }
}

/// The items that a value gives to one of its relationships.
@usableFromInline
package struct AssignedItems {
    /// The number among the relationships that have no column.
    package let relationship: Int
    package let targets: [AnyItemID]
    /// True if the items that are there already stay.
    package let keepsOthers: Bool

    package init(relationship: Int, targets: [AnyItemID], keepsOthers: Bool = false) {
        self.relationship = relationship
        self.targets = targets
        self.keepsOthers = keepsOthers
    }
}
