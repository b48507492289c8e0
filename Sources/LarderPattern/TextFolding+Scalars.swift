extension TextFolding {
    /// The scalar that a scalar is folded to; nil if it is folded to none or several.
    func scalar(for value: UInt32) -> UInt32? {
        guard let scalar = Unicode.Scalar(value) else { return nil }
        let folded = folded(String(scalar)).unicodeScalars
        return folded.count == 1 ? folded.first?.value : nil
    }

    /// The scalars that the scalars of a range are folded to, if these change.
    ///
    /// *Cost:* a table of all scalars, made when it is first needed; then in proportion to the changed ones.
    func changedScalars(in range: ClosedRange<UInt32>) -> [UInt32] {
        let table: [FoldedScalar] =
            switch (ignoresCase, ignoresDiacritics) {
            case (false, false): []
            case (true, false): FoldedScalar.withoutCase
            case (false, true): FoldedScalar.withoutDiacritics
            case (true, true): FoldedScalar.withoutBoth
            }
        return table.lazy.filter { range.contains($0.scalar) }.map(\.folded)
    }
}

/// A scalar that is folded to another one.
private struct FoldedScalar: Sendable {
    let scalar: UInt32
    let folded: UInt32

    static let withoutCase = all(TextFolding(ignoringCase: true, ignoringDiacritics: false))
    static let withoutDiacritics = all(TextFolding(ignoringCase: false, ignoringDiacritics: true))
    static let withoutBoth = all(TextFolding(ignoringCase: true, ignoringDiacritics: true))

    /// The last planes hold ideographs, signs without names and none with a case.
    private static let end: UInt32 = 0x30000

    private static func all(_ folding: TextFolding) -> [FoldedScalar] {
        (0..<end).compactMap { value in
            guard !TextFolding.hasNoDiacritics(value), let folded = folding.scalar(for: value),
                folded != value
            else { return nil }
            return FoldedScalar(scalar: value, folded: folded)
        }
    }
}
