import Larder
import LarderEngine

/// All that a reference store holds: a value, so that a copy is a snapshot.
struct ReferenceState: Sendable {
    var schema = StoredSchema.empty
    /// The rows of each item type, by its stored number; sorted by identifier.
    var tables: [Int: [[Constant]]] = [:]
}

/// The place where reference stores keep their data.
final class ReferenceMedium: Sendable {
    let state = Locked(ReferenceState())
    let isOpen = Locked(false)
}

extension ReferenceState {
    /// The same data under the schema an app declares.
    func evolved(to schema: StoreSchema) throws(DataStoreError) -> (ReferenceState, SchemaEvolution) {
        let evolution = try SchemaEvolution(from: self.schema, to: schema)
        var copy = self
        copy.schema = evolution.target
        for entity in evolution.entities {
            let rows = (tables[entity.new.number] ?? []).map { row in
                zip(entity.columns, entity.new.attributes).map { source, attribute in
                    switch source {
                    case .constant(let value): value
                    // Widening may change how the same bits are stored.
                    case .stored(let column):
                        row[column].withCell { Constant($0, storage: attribute.type.storage) }
                    }
                }
            }
            copy.tables[entity.new.number] = rows
        }
        for links in evolution.removedLinks { copy.tables[links.number] = nil }
        try copy.requireUnique(evolution, schema)
        return (copy, evolution)
    }

    /// Looks at what becomes unique, and at what becomes a reference.
    private func requireUnique(
        _ evolution: SchemaEvolution, _ schema: StoreSchema
    ) throws(DataStoreError) {
        let reading = ReferenceTransaction(
            medium: ReferenceMedium(), state: self, schema: schema,
            numbers: evolution.entities.map(\.new.number))
        for change in evolution.entities where change.addedIndexes.contains(where: \.isUnique) {
            let entity = schema.entities[change.entity]
            for index in entity.indexes where index.isUnique {
                let clash = try UniqueClash.first(in: index, of: change.entity, entity, reading)
                if let clash { throw clash.violation }
            }
        }
        try evolution.requireRelationships(of: schema, in: reading)
    }
}
