/// The folding for `.caseInsensitive`: the same Swift code folds both sides on every engine (rule 7).
public enum CaseFolding {
    /// The text without differences of case: lower case first, so that "ẞ" meets "ß"; then upper and lower
    /// case, so that "ß" meets "SS" and "ς" meets "σ".
    public static func folded(_ text: String) -> String {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        return isASCII ? text.lowercased() : text.lowercased().uppercased().lowercased()
    }

    /// Calls the body with the folded bytes of a text; ASCII costs no Unicode look-ups.
    static func withFolded(
        _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        if text.allSatisfy({ $0 < 0x80 }) {
            return withUnsafeTemporaryAllocation(byteCount: max(1, text.count), alignment: 1) { folded in
                for (index, byte) in text.enumerated() {
                    folded[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                }
                return body(UnsafeRawBufferPointer(rebasing: folded[..<text.count]))
            }
        }
        var folded = folded(String(decoding: text, as: UTF8.self))
        return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
