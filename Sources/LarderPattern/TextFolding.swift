import Foundation

/// The folding of text for tests that ignore case, diacritics, or both: the same Swift code on every engine
/// (contract rule 7).
///
/// Case is folded first, by ``CaseFolding``. Then each scalar is replaced by its canonical decomposition without
/// the marks of the five blocks of combining diacritical marks, so that "é", "e" with an accent, and "e" meet.
/// Letters without a decomposition stay, as "ø" and "ł"; so do the marks of scripts whose marks are letters.
package struct TextFolding: Sendable, Hashable {
    package var ignoresCase: Bool
    package let ignoresDiacritics: Bool

    package init(ignoringCase ignoresCase: Bool, ignoringDiacritics ignoresDiacritics: Bool) {
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
    }

    /// No folding: texts are compared by their bytes.
    static let exact = TextFolding(ignoringCase: false, ignoringDiacritics: false)

    package var isExact: Bool { !ignoresCase && !ignoresDiacritics }

    /// The flags as texts write them: `[cd]`.
    package var flags: String {
        isExact ? "" : "[\(ignoresCase ? "c" : "")\(ignoresDiacritics ? "d" : "")]"
    }

    package func folded(_ text: String) -> String {
        let text = ignoresCase ? CaseFolding.folded(text) : text
        if !ignoresDiacritics || text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { Self.append(withoutDiacritics: scalar, to: &folded) }
        return String(folded)
    }

    /// Calls the body with the folded bytes of a text; ASCII costs no Unicode look-ups.
    package func withFolded(
        _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        if !ignoresDiacritics || text.allSatisfy({ $0 < 0x80 }) {
            return ignoresCase ? CaseFolding.withFolded(text, body) : body(text)
        }
        var folded = folded(String(decoding: text, as: UTF8.self))
        return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    private static func append(
        withoutDiacritics scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView
    ) {
        let value = scalar.value
        if value < 0xC0 || hasNoDiacritics(value) {
            text.append(scalar)
        } else if value < tableEnd {
            text.append(contentsOf: table[Int(value)])
        } else {
            text.append(contentsOf: decomposed(scalar))
        }
    }

    /// True for the ideographs, syllables and symbols that make up most text beyond the table; none has a case.
    static func hasNoDiacritics(_ value: UInt32) -> Bool {
        (0x3400...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value)
            || (0x1F000...0x323AF).contains(value) && !(0x2F800...0x2FA1F).contains(value)
    }

    /// The scalars of most scripts that are written with diacritics end here.
    private static let tableEnd: UInt32 = 0x2000

    private static let table: [[Unicode.Scalar]] = (0..<tableEnd).map { value in
        Unicode.Scalar(value).map(decomposed) ?? []
    }

    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isMark($0.value) }
    }

    private static func isMark(_ value: UInt32) -> Bool {
        switch value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }
}
