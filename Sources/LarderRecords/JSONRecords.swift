import LarderText
public import struct Foundation.Data
public import LarderImport
import LarderKernel
import LarderEngine

/// The objects of a JSON array, or of JSON Lines, one after the other.
///
///     let records = JSONRecords { try file.read(upToCount: 65_536) }
///     try store.writeSync { try $0.importItems(from: records, using: recipes) }
///
/// *Rule:* can be walked once. It never throws: if the text is not JSON, or a value not an object, comes a last
/// record of which an import throws `.invalidText`, naming the line, or the error of `read`. *Cost:* memory for one
/// object and one piece.
public struct JSONRecords: Sequence, IteratorProtocol, StreamedSources {
    private var pieces: ByteReader
    private var isInArray = false
    private var hasBegun = false
    private var hasEnded = false

    /// The records in text that comes in pieces.
    ///
    /// - Parameter read: Returns the next piece, of any length; nil or no bytes at the end.
    public init(reading read: @escaping () throws -> Data?) {
        pieces = ByteReader(read)
    }

    /// The records in a text.
    public init(_ json: Data) {
        var rest: Data? = json
        pieces = ByteReader {
            defer { rest = nil }
            return rest
        }
    }

    public mutating func next() -> ImportRecord? {
        if hasEnded { return nil }
        do {
            if let record = try read() { return record }
            hasEnded = true
            return nil
        } catch {
            hasEnded = true
            return ImportRecord(failed: Self.unreadable(error))
        }
    }

    package var byteCount: Int { pieces.count }

    static func unreadable(_ error: any Error) -> DataStoreError {
        error as? DataStoreError
            ?? DataStoreError(.inputOutput, "The source of an import cannot be read: \(error).")
    }

    private mutating func read() throws -> ImportRecord? {
        var byte = try pieces.nextVisible()
        let isFirst = !hasBegun
        if !hasBegun {
            hasBegun = true
            if byte == UInt8(ascii: "[") {
                isInArray = true
                byte = try pieces.nextVisible()
                if byte == UInt8(ascii: "]") { return try end() }
            }
        } else if isInArray {
            if byte == UInt8(ascii: "]") { return try end() }
            guard byte == UInt8(ascii: ",") || byte == nil else {
                throw invalid("is not an array: a comma or ] is missing")
            }
            byte = try pieces.nextVisible()
        }
        guard let byte else {
            if isInArray { throw invalid("ends before the array does") }
            return nil
        }
        guard byte == UInt8(ascii: "{") else { throw invalid("has a value that is not an object") }
        let line = pieces.line
        let object = try pieces.object()
        guard case .object(let members) = try JSONValue(line: object[...], number: line) else {
            throw invalid("has a value that is not an object")
        }
        let record = isFirst && !isInArray ? ImportRecord(first: members) : ImportRecord(members)
        return record.withPositions
    }

    private mutating func end() throws -> ImportRecord? {
        if try pieces.nextVisible() != nil { throw invalid("continues after the array") }
        return nil
    }

    private func invalid(_ what: String) -> DataStoreError {
        DataStoreError(
            .invalidText, "Line \(pieces.line) \(what).",
            advice: "Give an array of objects, or one object after the other.")
    }
}

/// Bytes that come in pieces, without a mark of the byte order at the beginning.
struct ByteReader {
    private let read: () throws -> Data?
    private var piece: [UInt8] = []
    private var position = 0
    /// The bytes of the pieces before.
    private var passedCount = 0
    private var isAtEnd = false
    private var hasBegun = false
    /// The number of the line of the next byte, from 1; lines end with LF, CR, or both.
    private(set) var line = 1
    /// The byte before the next one.
    private var last: UInt8 = 0

    init(_ read: @escaping () throws -> Data?) {
        self.read = read
    }

    /// The bytes that were taken so far.
    var count: Int { passedCount + position }

    /// The next byte; nil at the end.
    @inline(__always)
    mutating func next() throws -> UInt8? {
        if position == piece.count, try !readPiece() { return nil }
        let byte = piece[position]
        position += 1
        if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && last != UInt8(ascii: "\r") {
            line += 1
        }
        last = byte
        return byte
    }

    /// The byte after the last one, which stays the next one.
    mutating func peek() throws -> UInt8? {
        if position == piece.count, try !readPiece() { return nil }
        return piece[position]
    }

    /// The next byte that is not white space.
    mutating func nextVisible() throws -> UInt8? {
        while let byte = try next() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: return byte
            }
        }
        return nil
    }

    /// The bytes of a JSON object whose first one has been read; up to the end if it has none.
    mutating func object() throws -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        var depth = 1
        var isInText = false
        while depth > 0, let byte = try next() {
            bytes.append(byte)
            if isInText {
                if byte == UInt8(ascii: "\\") {
                    if let escaped = try next() { bytes.append(escaped) }
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return bytes
    }

    private mutating func readPiece() throws -> Bool {
        let isFirst = !hasBegun
        hasBegun = true
        passedCount += piece.count
        piece.removeAll(keepingCapacity: true)
        position = 0
        repeat {
            if isAtEnd { break }
            let next = try read() ?? Data()
            isAtEnd = next.isEmpty
            piece += next
        } while isFirst && piece.count < ByteOrderMark.bytes.count
        if isFirst, piece.starts(with: ByteOrderMark.bytes) { position = ByteOrderMark.bytes.count }
        return try position < piece.count || (!isAtEnd && readPiece())
    }
}
