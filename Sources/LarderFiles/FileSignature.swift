package import Larder

/// How the files of an engine begin, by which another engine calls them by their name.
package struct FileSignature: Sendable {
    /// What such a file is: `"a SQLite database"`.
    private let name: String
    /// What opens those that Larder has made: `"SQLiteDataStore"`.
    private let storeType: String
    private let bytes: [UInt8]
    private let offset: Int

    package init(of name: String, openedWith storeType: String, _ bytes: [UInt8], at offset: Int = 0) {
        self.name = name
        self.storeType = storeType
        self.bytes = bytes
        self.offset = offset
    }

    /// Whether a file begins so.
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
