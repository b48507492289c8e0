/// The number of terminal columns that a text takes.
///
/// Terminals differ in rare cases; this follows what most of them do: two for what Unicode calls wide and for
/// emoji, none for what joins the character before it.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let base = scalars.first(where: { !joins($0) }) else { return 0 }
        if base.properties.isEmojiPresentation || isWide(base) { return 2 }
        // U+FE0F requests the colored form of a character that is a letter or sign otherwise.
        return scalars.contains("\u{FE0F}") && base.properties.isEmoji ? 2 : 1
    }

    /// The beginning of a text that fits a width, with an ellipsis if it was cut.
    static func cut(_ text: String, to width: Int) -> String {
        if of(text) <= width { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += of(character)
            if used > width { break }
            kept.append(character)
        }
        return width > 0 ? kept + "…" : ""
    }

    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x1100 && wideRanges.contains { $0.contains(scalar.value) }
    }

    /// The ranges that Unicode's EastAsianWidth.txt calls W or F, without emoji, with unassigned places
    /// filled.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
