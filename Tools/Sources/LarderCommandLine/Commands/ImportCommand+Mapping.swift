import ArgumentParser
import Foundation
import Larder
import LarderRecords
import LarderTransfer

/// The forms of the records that a mapping is for.
enum RecordForm: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// An array of objects, or one object after the other, as in JSON Lines.
    case json
    case csv
}

extension ImportCommand {
    /// Imports records into a store that exists, as a mapping says.
    func importRecords(by mapping: String, in session: Session) throws -> ExitStatus {
        let engine = try StoreEngine(ofStoreAt: store)
        let rules = try ImportMapping(json: try bytes(ofFileAt: mapping, session))
        let records = try self.records(from: try InputFile(file, interruption: session.interruption))
        let progress = session.makeProgress()
        defer { try? progress.end() }
        let counts: ImportCounts
        var hasCommitted = false
        do {
            counts = try UntypedImport(into: try engine.address(of: store), committingEvery: batch.batch)
                .run(records, by: rules) { figures in
                    hasCommitted = true
                    // A message that cannot be shown must not stop the work.
                    try? progress.show(ProgressFigures(figures, "importing"))
                }
        } catch let error as DataStoreError {
            var failure = Self.failure(of: error)
            // The library's own words say how many records are stored: to run the command again may insert them twice.
            if hasCommitted { failure.advice = error.advice }
            throw failure
        }
        try session.output.write(form.json ? counts.record.jsonText + "\n" : "\(counts)\n")
        return .success
    }

    private func records(from input: InputFile) throws(CommandFailure) -> AnySequence<ImportRecord> {
        let isCSV = ["csv", "tsv"].contains(URL(fileURLWithPath: file).pathExtension.lowercased())
        switch records ?? (isCSV ? .csv : .json) {
        case .json: return AnySequence(JSONRecords { try Self.piece(of: input) })
        case .csv:
            let standard = file.lowercased().hasSuffix(".tsv") ? "\t" : ","
            let given = separator.map { $0 == "\\t" ? "\t" : $0 } ?? standard
            guard let sign = given.unicodeScalars.first, given.unicodeScalars.count == 1, sign.isASCII else {
                throw CommandFailure(
                    .usage, "The separator is not one ASCII character.", advice: "Use , or ; or \\t.")
            }
            return AnySequence(CSVRecords(separator: sign) { try Self.piece(of: input) })
        }
    }

    /// The next piece of the records; a failure is an error of the library, which records pass on unchanged.
    private static func piece(of input: InputFile) throws(DataStoreError) -> Data? {
        do {
            return try input.read()
        } catch {
            let code: DataStoreError.Code = error.status == .interrupted ? .cancelled : .inputOutput
            throw DataStoreError(code, error.message, advice: error.advice)
        }
    }

    private func bytes(ofFileAt path: String, _ session: Session) throws -> Data {
        let input = try InputFile(path, interruption: session.interruption)
        var bytes = Data()
        while let piece = try input.read() { bytes += piece }
        return bytes
    }

    /// The failure for an error in a record, or of the mapping.
    private static func failure(of error: DataStoreError) -> CommandFailure {
        var failure = CommandFailure(error)
        // The general advice names options of other commands.
        switch error.code {
        case .invalidRequest where error.importPlace == nil:
            failure.advice =
                "Use a unique attribute as the key, or several that are unique together; "
                + "larder info STORE TYPE shows them."
        case .invalidRequest: failure.advice = error.advice
        case .valueTooLarge: failure.advice = "Shorten the value, or leave the record out."
        // An item without its required owner is found at the end of all records, and names none of them.
        case .invalidValue: failure.status = .badData
        default: break
        }
        guard let place = error.importPlace, error.code != .cancelled else { return failure }
        // An error that would be one of the command line elsewhere is one of the records here.
        if failure.status == .usage { failure.status = .badData }
        failure.message = "Record \(place.position + 1): \(failure.message)"
        return failure
    }
}

extension ImportCounts {
    /// The counts as a record to print.
    fileprivate var record: OutputValue {
        .record([
            .init("inserted", .count(inserted)), .init("updated", .count(updated)),
            .init("unchanged", .count(unchanged)), .init("skipped", .count(skipped)),
        ])
    }
}
