import LarderKernel
import LarderFiles

/// The first hundred bytes of a file, read before SQLite touches it (contract rule 12).
///
/// SQLite itself takes an empty file for an empty database, and empties the log of a foreign one.
struct StoreFileHeader {
    static let byteCount = 100

    /// LMDB's number, after the header of the first page and in the machine's byte order.
    private static let lmdb = FileSignature(
        of: "an LMDB file", openedWith: "LMDBDataStore",
        withUnsafeBytes(of: UInt32(0xBEEF_C0DE), Array.init), at: 16)

    private let bytes: [UInt8]

    /// - Throws: `.notADatabase`, `.foreignStore`, `.newerFormat` or `.damaged` for a file that is not a
    ///   Larder store.
    init(_ bytes: [UInt8]) throws(DataStoreError) {
        guard bytes.starts(with: "SQLite format 3\0".utf8) else {
            if Self.lmdb.matches(bytes) { throw Self.lmdb.refusal }
            let what = bytes.isEmpty ? "is empty" : "is not a SQLite database"
            throw DataStoreError(.notADatabase, "The file \(what).")
        }
        guard bytes.count == Self.byteCount else {
            throw DataStoreError(.damaged, "The file ends after \(bytes.count) bytes.")
        }
        self.bytes = bytes
        guard number(at: 68) == StoreMetadata.applicationID else {
            throw DataStoreError(
                .foreignStore, "The file is a SQLite database, but not one that Larder has made.")
        }
        let version = formatVersion
        guard version <= StoreMetadata.newestFormat else {
            throw DataStoreError(
                .newerFormat,
                "The file has format \(version); this version of Larder knows \(StoreMetadata.newestFormat)."
            )
        }
        guard version > 0, pageBytes >= 512, pageBytes.nonzeroBitCount == 1 else {
            throw DataStoreError(.damaged, "The header of the file is inconsistent.")
        }
    }

    /// Checks that the file has all its pages.
    ///
    /// While there is a log, some may be in there; while there is a journal, the page count may be of a commit that SQLite
    /// undoes.
    func requireComplete(fileBytes: Int, hasLog: Bool) throws(DataStoreError) {
        // The count is only right when the program that last wrote the file kept it up.
        let isCountRight = number(at: 24) == number(at: 92)
        let expected = isCountRight ? Int(clamping: Int64(number(at: 28)) * Int64(pageBytes)) : 0
        if !hasLog && fileBytes < expected {
            throw DataStoreError(
                .damaged, "The file has \(fileBytes) bytes, but \(expected) according to its header.")
        }
    }

    /// Refuses to write to a file of a version that no SQLite writes: SQLite opens it, but only to read.
    func requireWritable() throws(DataStoreError) {
        guard (1...2).contains(bytes[18]) else {
            throw DataStoreError(
                .damaged, "The header of the file has write version \(bytes[18]), which no SQLite writes.",
                advice: "Keep the file, and restore a backup; opened read-only, the store can be copied.")
        }
    }

    /// The version of the format, unless a newer one is in the log.
    var formatVersion: Int { Int(clamping: number(at: 60)) }

    /// True if the file is used with a write-ahead log.
    var usesLog: Bool { bytes[18] == 2 && bytes[19] == 2 }

    private var pageBytes: Int {
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size == 1 ? 65536 : size
    }

    private func number(at offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
