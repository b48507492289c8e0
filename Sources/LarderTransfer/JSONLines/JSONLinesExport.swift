public import Foundation
import LarderKernel
import LarderEngine

/// Writes everything a store holds as JSON Lines: a line for the schema, one for each item, one for the end.
///
///     let store = try UntypedStore(reading: .sqlite(at: url))
///     try store.read { try JSONLinesExport(of: $0).run { try output.write(contentsOf: $0) } }
///
/// Values are exact, whatever reads them: 64-bit numbers are texts. The items of each type are in the order
/// of their identifiers. `Documentation/Transfer.md` describes the format.
///
/// *Rule:* used inside the block of its reader. *Cost:* reads everything once; keeps some 64 KiB in memory.
public struct JSONLinesExport {
    private let reader: UntypedReader
    private let options: StoreTransferOptions
    private static let pieceBytes = 64 << 10

    /// An export of all that a reader shows.
    ///
    /// - Parameter options: The handling of rows that cannot be decoded, progress and cancellation.
    public init(of reader: UntypedReader, options: StoreTransferOptions = StoreTransferOptions()) {
        self.reader = reader
        self.options = options
    }

    /// Writes all lines.
    ///
    /// - Parameter write: Takes one piece after the other.
    /// - Throws: `.unsupported` for links whose relationship the store does not describe, as in a part of a routed
    ///   store; `.undecodable` or `.damaged` for a row that cannot be decoded; `.cancelled`; rethrows errors of `write`.
    public func run(to write: (Data) throws -> Void) throws -> StoreTransferReport {
        try requireDescribedLinks()
        let tracker = TransferProgressTracker(options, verifies: false)
        let undecodable = UndecodableRows(options.undecodableRows)
        if options.undecodableRows == .skip {
            undecodable.skippedItems = try SkippedItems(in: reader, passItem: tracker.requireNotCancelled)
        }
        let total = try reader.countAll(withLinks: false)
        tracker.begin(.copying, total: total)
        var lines = JSONWriter(isPortable: true)
        JSONLinesHeader(of: reader.schema, items: total).write(to: &lines)
        lines.append("\n")
        var digests: [EntityDigest] = []
        for (number, entity) in reader.entities.enumerated() where !entity.isLink {
            let rows = try reader.rows(ofEntity: number, undecodable)
            let links = try reader.linkWalks(from: rows, ofEntity: number, undecodable)
            defer {
                rows.close()
                for links in links { links.close() }
            }
            digests.append(try append(rows, links, to: &lines, write, tracker))
        }
        let items = digests.reduce(0) { $0 + $1.count }
        for (number, entity) in reader.entities.enumerated() where entity.isLink {
            let skipping = UndecodableRows(.skip, skipping: undecodable.skippedItems)
            digests.append(try reader.digest(ofEntity: number, skipping))
        }
        lines.append(endWith: digests, items: items)
        try flush(&lines, to: write)
        tracker.finishPhase()
        return StoreTransferReport(
            digests: digests, of: reader.schema, isResumed: false, copiedItems: items, undecodable,
            duration: tracker.duration)
    }

    /// Lines have links as values of their relationships only.
    private func requireDescribedLinks() throws(DataStoreError) {
        for number in reader.schema.linksOnTheirOwn {
            let entity = reader.entities[number]
            let links = try reader.transaction.count(for: RequestPlan(entity: number, schema: entity))
            if links == 0 { continue }
            throw DataStoreError(
                .unsupported,
                "The links of \(entity.name) cannot be exported: the store does not describe their "
                    + "relationship, as it is a part of several stores.",
                advice: "Make a backup of the store, which has the links.", itemType: entity.name)
        }
    }

    private func append(
        _ rows: RowWalk, _ links: [LinkWalk], to lines: inout JSONWriter, _ write: (Data) throws -> Void,
        _ tracker: TransferProgressTracker
    ) throws -> EntityDigest {
        let line = JSONLinesRow(of: rows.entity, links.map(\.relationship))
        let hasher = RowHasher(of: rows.entity)
        var digest = EntityDigest(entity: rows.entity.name)
        while let cells = try rows.next() {
            digest.add(hasher.digest(of: cells))
            var targets: [[Constant]] = []
            for links in links { targets.append(try links.targets(of: cells[0])) }
            line.write(cells, linkedWith: targets, to: &lines)
            if lines.bytes.count >= Self.pieceBytes { try flush(&lines, to: write) }
            try tracker.passItem()
        }
        for links in links { try links.finish() }
        return digest
    }

    private func flush(_ lines: inout JSONWriter, to write: (Data) throws -> Void) throws {
        try write(Data(lines.bytes))
        lines.removeAll()
    }
}
