import LarderKernel
import LarderValues

/// Reads JSON from bytes, as one ``JSONValue`` or piece by piece into a ``JSONCodable``.
///
/// *Rule:* the bytes stay where they are while it is used.
package struct JSONReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0
    /// True if the JSON leaves out what means something inside one store only.
    let isPortable: Bool

    /// The reason why JSON cannot be read, as the end of a sentence.
    package struct Failure: Error, CustomStringConvertible {
        let message: String
        /// The keys that lead to the place, with points between them; nil for the whole.
        private var path: String?

        init(message: String) {
            self.message = message
        }

        package var description: String { path.map { "\($0) \(message)" } ?? message }

        /// The same failure, of a value that is under a key.
        func inside(_ key: StaticString) -> Failure {
            var failure = self
            failure.path = path.map { "\(key).\($0)" } ?? "\(key)"
            return failure
        }
    }

    private static let maximumDepth = 100

    /// The value that is the whole of the bytes.
    package static func value(in bytes: UnsafeRawBufferPointer) throws(Failure) -> JSONValue {
        var reader = JSONReader(bytes: bytes, isPortable: false)
        let value = try reader.value()
        try reader.requireEnd()
        return value
    }

    /// The value of a type that is the whole of the bytes.
    package static func read<Value: JSONCodable>(
        _ type: Value.Type, in bytes: UnsafeRawBufferPointer, isPortable: Bool = false
    ) throws(Failure) -> Value {
        var reader = JSONReader(bytes: bytes, isPortable: isPortable)
        let value = try Value(from: &reader)
        try reader.requireEnd()
        return value
    }

    private init(bytes: UnsafeRawBufferPointer, isPortable: Bool) {
        self.bytes = bytes
        self.isPortable = isPortable
    }

    private mutating func requireEnd() throws(Failure) {
        skipSpace()
        guard position == bytes.count else { throw unexpected() }
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipSpace()
        guard position < bytes.count else { throw Failure(message: "ends in the middle of a value") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try nested { reader throws(Failure) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Failure) in try reader.list() }
        case UInt8(ascii: "\""): return .text(try quotedText())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default:
            if skip("null") { return .null }
            if skip("true") { return .bool(true) }
            if skip("false") { return .bool(false) }
            throw unexpected()
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else { throw Failure(message: "nests too deep") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try body(&self)
    }

    private mutating func object() throws(Failure) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        if isNext("}") { return .object(members) }
        var keys = JSONKeys()
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try quotedText()
            guard keys.insert(key, besides: members) else {
                throw Failure(message: "has the key \"\(key)\" twice in one object")
            }
            guard isNext(":") else { throw unexpected() }
            members.append((key, try value()))
        } while isNext(",")
        guard isNext("}") else { throw unexpected() }
        return .object(members)
    }

    private mutating func list() throws(Failure) -> JSONValue {
        var values: [JSONValue] = []
        if isNext("]") { return .list(values) }
        repeat { values.append(try value()) } while isNext(",")
        guard isNext("]") else { throw unexpected() }
        return .list(values)
    }

    /// The number as it is written.
    private mutating func number() throws(Failure) -> String {
        guard let end = JSONText.endOfNumber(in: bytes, at: position) else {
            throw Failure(message: "is not JSON at byte \(position + 1)")
        }
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }
}

// MARK: Piece by piece

extension JSONReader {
    /// Reads a text.
    package mutating func text() throws(Failure) -> String {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw wrong("text") }
        return try quotedText()
    }

    /// Reads a whole number.
    package mutating func integer() throws(Failure) -> Int {
        skipSpace()
        guard JSONText.endOfNumber(in: bytes, at: position) != nil, let value = Int(try number()) else {
            throw wrong("a whole number")
        }
        return value
    }

    /// Reads true or false.
    package mutating func flag() throws(Failure) -> Bool {
        skipSpace()
        if skip("true") { return true }
        guard skip("false") else { throw wrong("true or false") }
        return false
    }

    /// Skips null, if it comes next.
    mutating func skipNull() -> Bool { isNext("null") }

    /// Skips a value of any kind.
    mutating func skipValue() throws(Failure) { _ = try value() }

    /// Moves to the next element of a list; false after the last one.
    mutating func nextElement(isFirst: Bool) throws(Failure) -> Bool {
        if isFirst {
            guard isNext("[") else { throw wrong("a list") }
            return !isNext("]")
        }
        if isNext("]") { return false }
        guard isNext(",") else { throw unexpected() }
        return true
    }

    /// Moves to the next member of an object, and returns its key; nil after the last one.
    mutating func key(isFirst: Bool) throws(Failure) -> JSONKey? {
        if isFirst, !isNext("{") { throw wrong("an object") }
        if isNext("}") { return nil }
        if !isFirst, !isNext(",") { throw unexpected() }
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw unexpected() }
        let start = position + 1
        var end = start
        while end < bytes.count, !Self.isSpecial(bytes[end]) { end += 1 }
        let key: JSONKey
        if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
            key = .plain(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            position = end + 1
        } else {
            key = .escaped(Array(try quotedText().utf8))
        }
        guard isNext(":") else { throw unexpected() }
        return key
    }

    private func wrong(_ expected: StaticString) -> Failure {
        guard position < bytes.count else { return unexpected() }
        return Failure(message: "is not \(expected)")
    }
}

// MARK: Text

extension JSONReader {
    private mutating func quotedText() throws(Failure) -> String {
        position += 1
        let first = position
        while position < bytes.count, !Self.isSpecial(bytes[position]) { position += 1 }
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try Self.string(bytes[first..<position])
        }
        position = first
        var text: [UInt8] = []
        while position < bytes.count {
            let start = position
            while position < bytes.count, !Self.isSpecial(bytes[position]) { position += 1 }
            text += bytes[start..<position]
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return try Self.string(text) }
            guard byte == UInt8(ascii: "\\") else { throw Failure(message: "holds a control character") }
            text += try escape()
        }
        throw Failure(message: "ends in the middle of a text")
    }

    private static func string(_ bytes: some Collection<UInt8>) throws(Failure) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw Failure(message: "is not UTF-8") }
        return text
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    private mutating func escape() throws(Failure) -> [UInt8] {
        guard position < bytes.count else { throw Failure(message: "ends in the middle of a text") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"): return try escapedScalar()
        default: throw Failure(message: "holds an unknown escape")
        }
    }

    private mutating func escapedScalar() throws(Failure) -> [UInt8] {
        var value = UInt32(try codeUnit())
        if 0xD800..<0xDC00 ~= value {
            guard skip("\\u") else { throw Failure(message: "holds half a surrogate pair") }
            let low = UInt32(try codeUnit())
            guard 0xDC00..<0xE000 ~= low else { throw Failure(message: "holds half a surrogate pair") }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw Failure(message: "holds half a surrogate pair")
        }
        return Array(String(scalar).utf8)
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        guard let unit = JSONText.codeUnit(in: bytes, at: position) else {
            throw Failure(message: "holds a broken escape")
        }
        position += 4
        return unit
    }
}

// MARK: Moving on

extension JSONReader {
    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Goes over a mark, if it comes next.
    private mutating func isNext(_ mark: StaticString) -> Bool {
        skipSpace()
        return skip(mark)
    }

    private mutating func skip(_ literal: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    private func unexpected() -> Failure {
        guard position < bytes.count else { return Failure(message: "ends in the middle of a value") }
        return Failure(message: "is not JSON at byte \(position + 1)")
    }
}

/// The key of a member of an object.
enum JSONKey {
    /// The bytes as they are written.
    case plain(UnsafeRawBufferPointer)
    /// The bytes that are meant by one with escapes.
    case escaped([UInt8])

    func isEqual(to expected: StaticString) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount)
        return switch self {
        case .plain(let key): key.elementsEqual(bytes)
        case .escaped(let key): key.elementsEqual(bytes)
        }
    }
}

/// The keys of one object, to find one that it has twice.
private struct JSONKeys {
    /// A table once a search would take longer.
    private var known: Set<UTF8Key>?

    /// False for a key that one of the members has.
    mutating func insert(_ key: String, besides members: [(key: String, value: JSONValue)]) -> Bool {
        if known == nil, members.count < 16 {
            return !members.contains { UTF8Text.areEqual($0.key, key) }
        }
        if known == nil { known = Set(members.map { UTF8Key($0.key) }) }
        return known?.insert(UTF8Key(key)).inserted ?? true
    }
}
