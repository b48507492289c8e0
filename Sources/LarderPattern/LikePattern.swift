/// A pattern in which `*` stands for any scalars and `?` for one; a backslash makes the sign after it ordinary.
///
/// *Cost:* at most the length of the text times the length of the pattern.
struct LikePattern: Sendable {
    /// The text between two `*`; nil stands for one scalar.
    typealias Part = [UInt8?]

    /// The parts before, between and after the `*`; one part if there is none.
    let parts: [Part]

    /// - Throws: A ``PatternError`` for a backslash at the end.
    init(_ pattern: String, folding: TextFolding) throws(PatternError) {
        let scalars = Array(pattern.unicodeScalars)
        if scalars.count > PatternLimits.length { throw .tooLong(scalars.count) }
        var parts: [Part] = [[]]
        var literal = ""
        func end() {
            parts[parts.count - 1] += folding.folded(literal).utf8.map { $0 }
            literal = ""
        }
        var position = 0
        while position < scalars.count {
            let scalar = scalars[position]
            switch scalar {
            case "*":
                end()
                parts.append([])
            case "?":
                end()
                parts[parts.count - 1].append(nil)
            case "\\":
                position += 1
                guard position < scalars.count else {
                    throw PatternError(
                        "The pattern ends with a single backslash", at: position - 1, in: pattern)
                }
                literal.unicodeScalars.append(scalars[position])
            default: literal.unicodeScalars.append(scalar)
            }
            position += 1
        }
        end()
        self.parts = parts
    }

    /// The text of a part that stands for itself; nil if it has a `?`.
    static func literal(_ part: Part) -> String? {
        let bytes = part.compactMap { $0 }
        return bytes.count == part.count ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The text that every match begins with.
    var prefix: String {
        String(decoding: (parts.first ?? []).prefix { $0 != nil }.compactMap { $0 }, as: UTF8.self)
    }

    /// True if the pattern describes the whole of a text, which is folded.
    ///
    /// The first place for each part between two `*` is right, as it leaves most to those after it.
    func matches(_ text: UnsafeRawBufferPointer, steps: inout Int) -> Bool {
        guard let first = parts.first, var start = Self.end(of: first, in: text, from: 0, &steps) else {
            return false
        }
        if parts.count == 1 { return start == text.count }
        for part in parts[1..<(parts.count - 1)] {
            var place = start
            while true {
                if let end = Self.end(of: part, in: text, from: place, &steps) {
                    start = end
                    break
                }
                guard place < text.count else { return false }
                place = Self.next(place, in: text)
            }
        }
        guard let last = parts.last else { return true }
        // The last part is as many scalars long as it has signs, counted from the end.
        var place = text.count
        for sign in last.reversed() {
            steps += 1
            if let sign {
                guard place > start, text[place - 1] == sign else { return false }
                place -= 1
            } else {
                guard place > start else { return false }
                repeat { place -= 1 } while place > start && text[place] & 0xC0 == 0x80
            }
        }
        return true
    }

    /// The place after a part that begins at a place; nil if the text differs.
    private static func end(
        of part: Part, in text: UnsafeRawBufferPointer, from start: Int, _ steps: inout Int
    ) -> Int? {
        var place = start
        for sign in part {
            steps += 1
            guard place < text.count else { return nil }
            if let sign {
                if text[place] != sign { return nil }
                place += 1
            } else {
                place = next(place, in: text)
            }
        }
        return place
    }

    /// The place of the next scalar.
    private static func next(_ place: Int, in text: UnsafeRawBufferPointer) -> Int {
        var place = place + 1
        while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
        return place
    }
}
