extension TextFolding {
    /// The number of the Unicode tables of this process: a digest of the scalars that all scalars are folded to.
    ///
    /// Stored texts that were folded by tables of another number may differ from those that this process folds. *Cost:*
    /// computed once in a process, when it is first needed; some tenths of a second.
    package static let tables: String = {
        let foldings = [
            TextFolding(ignoringCase: true, ignoringDiacritics: false),
            TextFolding(ignoringCase: false, ignoringDiacritics: true),
        ]
        // FNV-1a.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        // The last planes have neither cases nor diacritics.
        for value: UInt32 in 0..<0x30000 where !hasNoDiacritics(value) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for folding in foldings {
                for byte in folding.folded(String(scalar)).utf8 {
                    digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
                }
            }
        }
        return String(digest, radix: 16)
    }()
}
