import LarderKernel
import LarderEngine

/// Checks a whole store: its metadata, every row as it is read, and every index against its rows.
///
/// The app's item types are read as the app reads them, the others by the schema the store keeps.
struct StoreCheck {
    private let snapshot: any KeyValueSnapshot
    private let catalog: Catalog
    private(set) var problems: [String] = []

    init(of snapshot: any KeyValueSnapshot, _ catalog: Catalog) {
        self.snapshot = snapshot
        self.catalog = catalog
    }

    /// - Throws: Errors that prevent further reading; damage goes to ``problems``.
    mutating func run() throws(DataStoreError) {
        try check(catalog)
        var own = StoreInvariants(of: catalog.schema, in: SnapshotReader(snapshot, catalog))
        do throws(DataStoreError) {
            let stored = try StoredTables(in: snapshot)
            if let problem = problem(of: stored.schema) { own.note(problem) }
            for entity in stored.schema.entities where !knows(entity) {
                let table = try stored.table(of: entity, in: snapshot)
                try check(Catalog(of: table))
            }
        } catch {
            try own.note(error)
        }
        problems = Array((problems + own.problems).prefix(StoreInvariants.limit))
    }

    /// The sentence about a kept schema that is not the one the store was opened with; nil if it is.
    ///
    /// The opening has not read it if the declaration beside it was the app's, so that even one that no app
    /// could open the store with is damage.
    private func problem(of stored: StoredSchema) -> String? {
        let sentence = "The schema kept in the store is not the one it was opened with"
        do throws(DataStoreError) {
            let evolution = try SchemaEvolution(from: stored, to: catalog.schema.opened(for: .inspection))
            return evolution.isNeeded ? sentence + "." : nil
        } catch {
            let differences = error.differences.map(\.message).joined(separator: "; ")
            return sentence + ": " + (differences.isEmpty ? error.message : differences + ".")
        }
    }

    private func knows(_ entity: StoredSchema.Entity) -> Bool {
        catalog.schema.entities.contains { UTF8Text.areEqual($0.name, entity.name) }
    }

    private mutating func check(_ catalog: Catalog) throws(DataStoreError) {
        var invariants = StoreInvariants(of: catalog.schema, in: SnapshotReader(snapshot, catalog))
        let key = ByteBuffer()
        try invariants.check { (number, cells) throws(DataStoreError) in
            try missingEntry(of: cells, in: catalog.entities[number], key)
        }
        for entity in catalog.entities {
            let count = try snapshot.count(of: entity.rows)
            for index in entity.indexes {
                let entries = try snapshot.count(of: index.entries)
                if entries == count { continue }
                invariants.note("The index \(index.name) has \(entries) entries for \(count) items.")
            }
        }
        problems += invariants.problems
    }

    /// The sentence for a row that an index lacks; nil if all have it.
    private func missingEntry(
        of cells: UnsafePointer<Cell>, in entity: EntityTable, _ key: ByteBuffer
    ) throws(DataStoreError) -> String? {
        for index in entity.indexes {
            key.truncate()
            index.form.append(cells, to: key)
            if try snapshot.value(at: key.bytes, in: index.entries) == nil {
                let item = AnyItemID(cells[0], type: entity.schema.attributes[0].type)
                return "The index \(index.name) lacks the item \(item?.description ?? "")."
            }
        }
        return nil
    }
}
