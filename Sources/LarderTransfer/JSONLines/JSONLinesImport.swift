public import Foundation
public import LarderKernel
import LarderEngine

/// Makes a new store of any engine from JSON Lines.
///
///     let input = FileHandle.standardInput
///     try JSONLinesImport(into: .lmdb(at: url)).run { try input.read(upToCount: 1 << 16) }
///
/// The store is marked incomplete until everything is in it and counts and digests agree with the last line;
/// opening it earlier throws `.incompleteTransfer`. An import that was cancelled, failed or killed is run
/// again with all lines; it deletes the items written so far and starts over, as lines may come in any order.
///
/// *Rule:* a value; may be run from any thread. *Cost:* reads the lines once and the store once; keeps one
/// batch in memory.
public struct JSONLinesImport: Sendable {
    public let destination: StoreAddress
    public var options: StoreTransferOptions

    /// An import into the store at an address, which it opens when it runs.
    ///
    /// - Parameter options: The size of batches, progress and cancellation.
    public init(into destination: StoreAddress, options: StoreTransferOptions = StoreTransferOptions()) {
        self.destination = destination
        self.options = options
    }

    /// Reads all lines, on the calling thread.
    ///
    /// - Parameter read: Gives one piece after the other, of any length, and nil or nothing at the end.
    /// - Throws: `.invalidText`, `.unknownItemType`, `.unknownAttribute`, `.wrongType`, `.invalidValue`,
    ///   `.identifierTooLong` and `.targetNotFound`, naming the line; `.duplicateIdentifier` and
    ///   `.uniqueViolation`, naming the item;
    ///   `.destinationExists`; `.incompleteTransfer` when half of a copy is in the place, `.sourceChanged`
    ///   when half of an import of other item types is; `.transferMismatch` when the digests differ from the
    ///   last line's; `.storeFull`; `.cancelled`; what `read` throws.
    public func run(from read: () throws -> Data?) throws -> StoreTransferReport {
        let tracker = TransferProgressTracker(options)
        var lines = LineReader()
        guard let first = try lines.next(from: read) else {
            throw DataStoreError(.invalidText, "The first line, which describes the items, is missing.")
        }
        let header = try JSONLinesHeader(first)
        let destination = TransferDestination(
            address: destination, schema: try header.schema(), source: JSONLines.source)
        let isBegun = try destination.isBegun()
        tracker.begin(.copying, total: header.items)
        let writer: ImportWriter
        do {
            writer = try fill(destination, isBegun: isBegun, from: &lines, read, tracker)
            try TransferVerification(address: destination.address, tracker: tracker).run(
                writer.digests, source: nil, checksUniqueness: true
            ) { fault, reader throws(DataStoreError) in
                try Self.error(for: fault, reader, writer)
            }
            try destination.complete(with: writer.digests)
        } catch let error as DataStoreError {
            throw error.repeatable
        }
        return StoreTransferReport(
            digests: writer.digests, of: destination.schema, isResumed: false, copiedItems: writer.items,
            UndecodableRows(.abort), duration: tracker.duration)
    }

    private func fill(
        _ destination: TransferDestination, isBegun: Bool, from lines: inout LineReader,
        _ read: () throws -> Data?, _ tracker: TransferProgressTracker
    ) throws -> ImportWriter {
        let adapter = try destination.open()
        let writer = ImportWriter(
            destination.schema, adapter, batchLimit: options.itemsPerBatch, tracker: tracker)
        do {
            if isBegun { try writer.startOver() }
            while let line = try lines.next(from: read) { try writer.take(line, number: lines.number) }
            try writer.finish(lines: lines.number)
        } catch {
            // The first error is the one that matters.
            try? adapter.close()
            throw error
        }
        try adapter.close()
        return writer
    }

    /// The error for a line that refers to an item that has no line.
    private static func error(
        for fault: ReferenceFault, _ reader: UntypedReader, _ writer: ImportWriter
    ) throws(DataStoreError) -> DataStoreError {
        let line = try writer.line(of: fault.item, ofEntity: fault.owner, in: reader.transaction)
        return fault.error(
            "\(line.map { "Line \($0): " } ?? "")\(fault.sentence)",
            advice: "Add the line of the missing item, or correct this one.")
    }
}

extension DataStoreError {
    /// The same error, with the advice that an import may be run again.
    fileprivate var repeatable: DataStoreError {
        switch code {
        case .storeFull: advising("Free some space and run the import again; it starts over by itself.")
        case .cancelled: advising("Run the import again; it starts over by itself.")
        default: self
        }
    }
}
