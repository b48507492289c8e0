/// Writes JSON, byte by byte, into a buffer that is handed on in pieces.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// True if what means something inside one store only is left out.
    let isPortable: Bool

    package init(isPortable: Bool = false, capacity: Int = 0) {
        self.isPortable = isPortable
        bytes.reserveCapacity(capacity)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends JSON that needs no escapes.
    package mutating func append(_ json: String) {
        bytes += json.utf8
    }

    /// Appends a sign or a word of JSON.
    mutating func append(literal json: StaticString) {
        bytes += UnsafeRawBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount)
    }

    /// Appends bytes that are JSON already.
    package mutating func append(json: [UInt8]) {
        bytes += json
    }

    /// Appends a text in quotes.
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(text: UnsafeRawBufferPointer($0)) }
    }

    /// Appends the UTF-8 of a text in quotes.
    package mutating func append(text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        if text.contains(where: Self.needsEscape) {
            for byte in text { append(escaping: byte) }
        } else {
            bytes += text
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case UInt8(ascii: "\n"): append("\\n")
        case UInt8(ascii: "\r"): append("\\r")
        case UInt8(ascii: "\t"): append("\\t")
        case 0..<0x20:
            append("\\u00")
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
