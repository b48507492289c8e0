import LarderText
import LarderKernel
import LarderEngine

/// Reads a copy back from its place, as the next process will, and compares it with the copied rows.
struct TransferVerification {
    let address: StoreAddress
    let tracker: TransferProgressTracker

    /// The maximum number of differences in an error.
    private static let listedDifferences = 10

    /// - Parameters:
    ///   - expected: The digests of the rows that were written, one for each item type.
    ///   - source: The store they came from, if it can still be read, to list the differences.
    ///   - checksUniqueness: True if the source may hold items that share a value which has to be unique.
    ///   - describe: Makes the error for a reference that leads nowhere.
    /// - Throws: `.transferMismatch`, `.uniqueViolation`, `.targetNotFound`, `.cancelled`; rethrows errors of
    ///   the engine.
    func run(
        _ expected: [EntityDigest], source: UntypedReader?, checksUniqueness: Bool,
        describing describe: (ReferenceFault, UntypedReader) throws(DataStoreError) -> DataStoreError = {
            fault, _ in fault.error
        }
    ) throws(DataStoreError) {
        let copy = try UntypedStore(reading: address, acceptsIncomplete: true)
        defer { try? copy.close() }
        let reader = UntypedReader(try copy.adapter.beginReading(), of: copy.schema)
        defer { reader.end() }
        tracker.begin(.verifying, total: expected.reduce(0) { $0 + $1.count })
        for expected in expected {
            let number = try copy.schema.number(ofEntityNamed: expected.entity)
            let found = try reader.digest(ofEntity: number) { () throws(DataStoreError) in
                try tracker.passItem()
            }
            if found != expected { throw try mismatch(found, expected, source, reader) }
            if checksUniqueness { try requireUnique(number, in: reader) }
        }
        for relationship in copy.schema.relationships.joined() {
            let fault = try ReferenceFault.first(
                in: relationship, copy.schema, reader.transaction, cancelledAs: "The transfer")
            if let fault { throw try describe(fault, reader) }
        }
        tracker.finishPhase()
    }

    private func requireUnique(_ number: Int, in reader: UntypedReader) throws(DataStoreError) {
        let entity = reader.entities[number]
        for index in entity.indexes where index.isUnique {
            let clash = try UniqueClash.first(
                in: index, of: number, entity, reader.transaction, cancelledAs: "The transfer")
            if let clash { throw clash.violation }
        }
    }

    private func mismatch(
        _ found: EntityDigest, _ expected: EntityDigest, _ source: UntypedReader?, _ copy: UntypedReader
    ) throws(DataStoreError) -> DataStoreError {
        var message = """
            The copy of \(expected.entity) has \(found.count) items with the digest \(found.digest), and \
            \(expected.count) with \(expected.digest) were read.
            """
        if let source {
            let differences = try StoreComparison(source, copy).first(Self.listedDifferences)
            message += " The first differences between source (left) and copy (right): "
            message += differences.map(\.description).joined(separator: "; ") + "."
        }
        return DataStoreError(
            .transferMismatch, message, itemType: expected.entity, path: address.location)
    }
}
