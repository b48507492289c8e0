import LarderEngine
import LarderKernel
import LarderVersions

/// The rows of all parts when their steps have run, of which nothing is committed yet.
final class UpgradedRows: RoutedReading, StorageWriting {
    /// - Parameter parts: The transactions of the parts, which others end.
    init(_ schema: RoutedSchema, _ parts: [any StorageReading]) {
        super.init(schema)
        self.parts = parts
    }

    override var isChanging: Bool { true }

    /// Refuses parts that are not of one commit.
    ///
    /// - Parameter belong: True for each part that was there before.
    /// - Throws: `.busy` when another process is committing.
    func requireFinished(belong: [Bool]) throws(DataStoreError) {
        for part in parts.indices.dropFirst() where belong[part] {
            if try hasCommit(part) { continue }
            throw DataStoreError(
                .busy, "Another process has committed to several parts, and not yet to all of them.",
                advice: "Repeat the call when it has ended; nothing was changed.")
        }
    }

    /// Does what no part can do alone in steps: removes links that lead to items which are gone, and checks what holds
    /// between parts.
    ///
    /// If a part is left out, references and links to items that it may have stay.
    ///
    /// - Throws: `.targetNotFound`, `.uniqueViolation`, `.duplicateIdentifier`, `.invalidValue`, naming the item.
    func finish() throws(DataStoreError) {
        let elsewhere = schema.entitiesElsewhere(try FirstPart(in: parts[0], schema).records())
        let crossing = schema.whole.relationships.joined().filter { relationship in
            let isInside =
                isInOnePart(relationship)
                && elsewhere.isDisjoint(with: [relationship.owner, relationship.target])
            return !relationship.isDerived && !isInside
        }
        try LinkSweep(of: schema.whole, in: self, elsewhere: elsewhere).run(crossing)
        for relationship in crossing {
            let fault = try ReferenceFault.first(
                in: relationship, schema.whole, self, cancelledAs: "The migration", elsewhere: elsewhere)
            if let fault {
                throw fault.error(
                    fault.sentence,
                    advice: """
                        Make that item in the steps, or give the other one another reference; nothing was changed.
                        """)
            }
        }
        try requirePartitions(all: true)
    }

    /// Refuses items that one store would not have, or that name no part, and forgets where they were placed: they
    /// are dealt out again when the store is open.
    ///
    /// - Parameter all: False for the types alone that ``RoutedAdapter/placeItems(_:)`` would check.
    func requirePartitions(all: Bool) throws(DataStoreError) {
        let record = schema.record(of: 0)
        for (entity, partition) in schema.partitions.enumerated() {
            guard let partition else { continue }
            let entitySchema = schema.whole.entities[entity]
            let name = RoutedAdapter.recordPrefix + entitySchema.name
            let placed = try PartRecord(of: name, in: parts[0], record)?.identity
            if !all, placed == partition.description(of: entitySchema) { continue }
            try requirePlaceable(entity)
            if let first = parts[0] as? any StorageWriting {
                try PartRecord.delete(name, in: first, record)
            }
        }
    }

    private func isInOnePart(_ relationship: StoreRelationship) -> Bool {
        let parts = [relationship.owner, relationship.target].map { schema.places[$0].map(\.part) }
        return parts[0] == parts[1] && parts[0].count == 1
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        for mutation in mutations {
            let place = schema.places[mutation.entity][0]
            guard let part = parts[place.part] as? any StorageWriting else {
                throw DataStoreError(
                    .busy, "Another process has changed the part \"\(schema.names[place.part])\".",
                    advice: "Repeat the call when it has ended; nothing was changed.")
            }
            touched.add(try part.apply(mutation.moved(to: place.entity)).count)
        }
        return touched
    }

    var conditionalInserting: (any ConditionalInserting)? { nil }

    // The parts' own openings commit, and nothing of these rows is undone alone.
    func setSavepoint() throws(DataStoreError) {}
    func releaseSavepoint() throws(DataStoreError) {}
    func rollBackToSavepoint() throws(DataStoreError) {}
    func commit() throws(DataStoreError) {}
}
