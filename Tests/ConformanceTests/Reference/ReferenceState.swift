import Larder

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
            for index in entity.addedIndexes where index.isUnique {
                try Self.requireUnique(rows, index, of: entity.new)
            }
            copy.tables[entity.new.number] = rows
        }
        return (copy, evolution)
    }

    private static func requireUnique(
        _ rows: [[Constant]], _ index: StoredSchema.Index, of entity: StoredSchema.Entity
    ) throws(DataStoreError) {
        let columns = index.attributes.compactMap { name in entity.attributes.firstIndex { $0.name == name } }
        var seen: Set<[Constant]> = []
        for row in rows {
            let values = columns.map { row[$0] }
            if values.contains(where: \.isNull) || seen.insert(values).inserted { continue }
            throw DataStoreError(
                .schemaMismatch, "Two stored items have the same values.", itemType: entity.name,
                attribute: index.attributes.joined(separator: ", "))
        }
    }
}
