package import LarderKernel

/// The first bytes of an engine's files, by which other engines recognize them.
package struct FileSignature: Sendable {
    /// The description of such a file: `"a SQLite database"`.
    private let name: String
    /// The store type that opens those made by Larder: `"SQLiteDataStore"`.
    private let storeType: String
    private let bytes: [UInt8]
    private let offset: Int

    package init(of name: String, openedWith storeType: String, _ bytes: [UInt8], at offset: Int = 0) {
        self.name = name
        self.storeType = storeType
        self.bytes = bytes
        self.offset = offset
    }

    /// True if a file begins with the signature.
    package func matches(_ start: [UInt8]) -> Bool {
        start.dropFirst(offset).starts(with: bytes)
    }

    /// The error of an engine that finds such a file.
    package var refusal: DataStoreError {
        DataStoreError(
            .notADatabase, "The file is \(name).",
            advice: "Open it with \(storeType) if Larder has made it; nothing was changed.")
    }
}
