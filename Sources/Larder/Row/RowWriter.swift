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
    @usableFromInline let cells: UnsafeMutablePointer<Cell>
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
            throw error.about(itemType: entity.name, attribute: entity.attributes[column].name)
        }
    }

    /// Takes the items that a relationship without a column was given, by its number.
    ///
    /// An item that was read from a store gives none.
    public mutating func set<Value: RelationshipValue>(_ value: Value, atRelationship number: Int) {
        guard let identifiers = value.assignedIdentifiers else { return }
        assigned.append(AssignedItems(relationship: number, targets: identifiers))
    }
}

/// The items that a value gives to one of its relationships.
@usableFromInline
struct AssignedItems {
    /// The number among the relationships that have no column.
    let relationship: Int
    let targets: [AnyItemID]
    /// The fate of the items that are there already.
    var mode = ImportedItems.replace
}

extension [AssignedItems] {
    /// True if there is nothing to link a new item with.
    var isEmptied: Bool { allSatisfy { $0.targets.isEmpty } }
}
