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

/// The state of a store whose schema changes.
final class ReferenceChange: SchemaTransaction {
    private(set) var state: ReferenceState

    init(_ state: ReferenceState) {
        self.state = state
    }

    func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError) {
        for entity in evolution.removed { state.tables[entity.number] = nil }
        for entity in evolution.entities {
            let rows = (state.tables[entity.new.number] ?? []).map { row in
                var values: [Constant] = []
                for (source, attribute) in zip(entity.columns, entity.new.attributes) {
                    switch source {
                    case .constant(let value): values.append(value)
                    // Widening may change how the same bits are stored.
                    case .stored(let column):
                        values.append(
                            row[column].withCell { Constant($0, storage: attribute.type.storage) })
                    case .folded(let folded):
                        guard case .text(let text) = values[folded.source] else {
                            values.append(.null)
                            continue
                        }
                        values.append(.text(folded.matching.folding.folded(text)))
                    }
                }
                return values
            }
            state.tables[entity.new.number] = rows
        }
        for change in evolution.entities {
            let entity = schema.entities[change.entity]
            let indexes = change.addedUniqueIndexes(in: entity)
            if indexes.isEmpty { continue }
            let reading = transaction(schema, evolution.entities.map(\.new))
            for index in indexes {
                let clash = try UniqueClash.first(in: index, of: change.entity, entity, reading)
                if let clash { throw clash.violation }
            }
        }
    }

    func withRows(
        of schema: StoreSchema, as entities: [StoredSchema.Entity],
        _ body: (any StorageWriting) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let writing = transaction(schema, entities)
        try body(writing)
        state = writing.state
    }

    private func transaction(
        _ schema: StoreSchema, _ entities: [StoredSchema.Entity]
    ) -> ReferenceTransaction {
        ReferenceTransaction(
            medium: ReferenceMedium(), state: state, schema: schema, numbers: entities.map(\.number))
    }
}
