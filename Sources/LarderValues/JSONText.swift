/// Text that has to be JSON, checked without making values of it.
package enum JSONText {
    /// True if the bytes are one JSON value (RFC 8259), with or without white space around it.
    ///
    /// *Cost:* one pass; memory of one bit for each level of nesting.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var scan = JSONScan(bytes: bytes)
        return scan.isValue()
    }

    /// The end of the number that begins at a position; nil if none does.
    package static func endOfNumber(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var scan = JSONScan(bytes: bytes, position: start)
        return scan.skipsNumber() ? scan.position : nil
    }

    /// The number that four hexadecimal digits at a position write; nil if they are not there.
    package static func codeUnit(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt16? {
        guard bytes.count - start >= 4 else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[start..<start + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// True if a text is a JSON number and nothing else.
    package static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { endOfNumber(in: UnsafeRawBufferPointer($0), at: 0) == $0.count }
    }
}

/// A pass over JSON, without recursion: a stored text may nest as deep as it likes.
private struct JSONScan {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    /// For each open list or object true for an object, the innermost last.
    private var isObject: [Bool] = []

    init(bytes: UnsafeRawBufferPointer, position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func isValue() -> Bool {
        repeat {
            skipSpace()
            guard let isClosed = beginsValue() else { return false }
            if !isClosed { continue }
            guard goesOn() else { return false }
        } while position < bytes.count || !isObject.isEmpty
        return true
    }

    /// Reads a value up to its end, or the beginning of a list or object that has parts.
    ///
    /// - Returns: True if the value has ended; nil if none is there.
    private mutating func beginsValue() -> Bool? {
        switch next {
        case UInt8(ascii: "{"):
            position += 1
            skipSpace()
            if skips(UInt8(ascii: "}")) { return true }
            isObject.append(true)
            return skipsKey() ? false : nil
        case UInt8(ascii: "["):
            position += 1
            skipSpace()
            if skips(UInt8(ascii: "]")) { return true }
            isObject.append(false)
            return false
        case UInt8(ascii: "\""): return skipsText() ? true : nil
        case UInt8(ascii: "t"): return skips("true") ? true : nil
        case UInt8(ascii: "f"): return skips("false") ? true : nil
        case UInt8(ascii: "n"): return skips("null") ? true : nil
        default: return skipsNumber() ? true : nil
        }
    }

    /// Continues after a value: to the next one, or to the end of everything.
    private mutating func goesOn() -> Bool {
        while true {
            skipSpace()
            guard let inObject = isObject.last else { return position == bytes.count }
            if skips(UInt8(ascii: ",")) {
                skipSpace()
                return inObject ? skipsKey() : true
            }
            guard skips(inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
            isObject.removeLast()
        }
    }

    private mutating func skipsKey() -> Bool {
        guard next == UInt8(ascii: "\""), skipsText() else { return false }
        skipSpace()
        return skips(UInt8(ascii: ":"))
    }

    mutating func skipsNumber() -> Bool {
        _ = skips(UInt8(ascii: "-"))
        if !skips(UInt8(ascii: "0")), !skipsDigits() { return false }
        if skips(UInt8(ascii: ".")), !skipsDigits() { return false }
        if skips(UInt8(ascii: "e")) || skips(UInt8(ascii: "E")) {
            if !skips(UInt8(ascii: "+")) { _ = skips(UInt8(ascii: "-")) }
            return skipsDigits()
        }
        return true
    }

    private mutating func skipsDigits() -> Bool {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skipsText() -> Bool {
        position += 1
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"): if !skipsEscape() { return false }
            default: continue
            }
        }
        return false
    }

    private mutating func skipsEscape() -> Bool {
        guard let letter = next else { return false }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return false }
            if 0xDC00..<0xE000 ~= unit { return false }
            if !(0xD800..<0xDC00 ~= unit) { return true }
            guard skips("\\u"), let low = codeUnit() else { return false }
            return 0xDC00..<0xE000 ~= low
        default: return false
        }
    }

    private mutating func codeUnit() -> UInt16? {
        guard let unit = JSONText.codeUnit(in: bytes, at: position) else { return nil }
        position += 4
        return unit
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func skips(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skips(_ word: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }
}
