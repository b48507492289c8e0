public import struct Foundation.Data
public import LarderImport
import LarderKernel

/// The lines of a CSV text (RFC 4180), one after the other, by the names in its first line.
///
///     let records = CSVRecords { try file.read(upToCount: 65_536) }
///     try store.writeSync { try $0.importItems(from: records, using: recipes) }
///
/// Fields may be in quotes, and hold separators, line breaks and doubled quotes then. An empty field is null, or
/// empty text if the attribute must not be nil; one in quotes is empty text. A line with nothing but empty fields for its
/// key is skipped.
///
/// *Rule:* can be walked once. It never throws: for a line that cannot be read comes a last record of which an import
/// throws `.invalidText`, naming the line, or the error of `read`. If two columns have one name, it is `.invalidText`
/// when its value is asked for. *Cost:* memory for one line and one piece.
public struct CSVRecords: Sequence, IteratorProtocol, StreamedSources {
    private var pieces: ByteReader
    private let separator: UInt8
    private var header: CSVHeader?
    private var hasEnded = false
    /// A mistake of the caller's, for the first record.
    private let mistake: DataStoreError?

    /// The records in text that comes in pieces.
    ///
    /// - Parameters:
    ///   - separator: The sign between two fields, one of ASCII: `;` and tabulators are used too. With another one,
    ///     an import throws `.invalidRequest`.
    ///   - names: The names of the columns, for text whose first line does not have them.
    ///   - read: Returns the next piece, of any length; nil or no bytes at the end.
    public init(
        separator: Unicode.Scalar = ",", names: [String]? = nil, reading read: @escaping () throws -> Data?
    ) {
        pieces = ByteReader(read)
        self.separator = UInt8(truncatingIfNeeded: separator.value)
        let isUsable = separator.isASCII && !["\"", "\n", "\r"].contains(separator)
        mistake =
            isUsable
            ? nil
            : DataStoreError(
                .invalidRequest, "The separator \(separator.debugDescription) of CSV cannot be used.",
                advice: "Use a sign of ASCII that is neither a quote nor a line break.")
        header = names.map(CSVHeader.init)
    }

    /// The records in a text.
    public init(_ csv: Data, separator: Unicode.Scalar = ",", names: [String]? = nil) {
        var rest: Data? = csv
        self.init(separator: separator, names: names) {
            defer { rest = nil }
            return rest
        }
    }

    public mutating func next() -> ImportRecord? {
        if hasEnded { return nil }
        do {
            if let mistake { throw mistake }
            if header == nil {
                guard let (names, _) = try readLine() else {
                    hasEnded = true
                    return nil
                }
                header = CSVHeader(names.map { $0 ?? "" })
            }
            if let header, let (fields, line) = try readLine() {
                guard fields.count == header.names.count else {
                    throw invalid(
                        line, "has \(fields.count) fields, but there are \(header.names.count) columns")
                }
                return ImportRecord(header, fields)
            }
            hasEnded = true
            return nil
        } catch {
            hasEnded = true
            return ImportRecord(failed: JSONRecords.unreadable(error))
        }
    }

    package var byteCount: Int { pieces.count }

    /// The fields of the next line that is not empty, nil for each that is, and its number; nil at the end.
    private mutating func readLine() throws -> (fields: [String?], line: Int)? {
        var fields: [String?] = []
        var field: [UInt8] = []
        var start = pieces.line
        while true {
            let line = pieces.line
            if fields.isEmpty { start = line }
            var byte = try pieces.next()
            field.removeAll(keepingCapacity: true)
            let isQuoted = byte == UInt8(ascii: "\"")
            if isQuoted {
                byte = try readQuoted(into: &field, line)
            } else {
                while let next = byte, next != separator, next != UInt8(ascii: "\n"),
                    next != UInt8(ascii: "\r")
                {
                    if next == UInt8(ascii: "\"") {
                        throw invalid(line, "has a quote inside a field without quotes")
                    }
                    field.append(next)
                    byte = try pieces.next()
                }
            }
            if byte == nil, fields.isEmpty, field.isEmpty, !isQuoted { return nil }
            if byte == UInt8(ascii: "\r"), try pieces.peek() == UInt8(ascii: "\n") {
                byte = try pieces.next()
            }
            let text = String(decoding: field, as: UTF8.self)
            guard text.utf8.elementsEqual(field) else { throw invalid(line, "is not UTF-8") }
            let isEmptyLine = byte != separator && fields.isEmpty && field.isEmpty && !isQuoted
            if isEmptyLine { continue }
            fields.append(text.isEmpty && !isQuoted ? nil : text)
            if byte != separator { return (fields, start) }
        }
    }

    /// Reads a field up to its quote at the end; returns the byte after that.
    private mutating func readQuoted(into field: inout [UInt8], _ line: Int) throws -> UInt8? {
        while let byte = try pieces.next() {
            if byte != UInt8(ascii: "\"") {
                field.append(byte)
                continue
            }
            let next = try pieces.next()
            guard next == UInt8(ascii: "\"") else {
                if next == nil || next == separator || next == 0x0A || next == 0x0D { return next }
                throw invalid(line, "continues after the quote that ends a field")
            }
            field.append(byte)
        }
        throw invalid(line, "has a quote that does not end")
    }

    private func invalid(_ line: Int, _ what: String) -> DataStoreError {
        DataStoreError(.invalidText, "Line \(line) \(what).", advice: "Correct the line.")
    }
}

/// The names of the columns of CSV.
final class CSVHeader: Sendable {
    let names: [String]
    /// The column of each name, and -1 for one that several have.
    private let positions: [UTF8Key: Int]

    init(_ names: [String]) {
        self.names = names
        positions = Dictionary(names.enumerated().map { (UTF8Key($1), $0) }) { _, _ in -1 }
    }

    /// - Throws: `.invalidText` for a name that several columns have.
    func position(of name: String) throws(DataStoreError) -> Int? {
        guard let position = positions[UTF8Key(name)] else { return nil }
        if position >= 0 { return position }
        throw DataStoreError(
            .invalidText, "Several columns are called \"\(name)\".",
            advice: "Give the columns of the first line different names.")
    }
}
