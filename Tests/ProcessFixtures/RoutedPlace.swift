public import Larder
import LarderLMDB
import LarderRouting
import LarderSQLite

public import struct Foundation.URL

/// Stores over SQLite and LMDB.
public enum RoutedPlace {
    /// A store with entries in SQLite, and a remark for each block in LMDB.
    ///
    /// - Parameter url: The beginning of the names of both files.
    public static func makeStore(at url: URL) -> any DataStore {
        RoutedDataStore([
            StorePart("entries", SQLiteDataStore(at: firstFile(at: url), storing: [Entry.self])),
            StorePart("remarks", LMDBDataStore(at: secondFile(at: url), storing: [Remark.self])),
        ])
    }

    /// A store with entries in both, each in the part that its text names.
    ///
    /// - Parameter url: The beginning of the names of both files.
    public static func makePartitionedStore(at url: URL) -> any DataStore {
        RoutedDataStore(
            [
                StorePart(parts[0], SQLiteDataStore(at: firstFile(at: url), storing: [Entry.self])),
                StorePart(parts[1], LMDBDataStore(at: secondFile(at: url), storing: [Entry.self])),
            ], partitionedBy: [PartKey(of: Entry.self, \.text)])
    }

    /// The names of the parts that entries are in.
    public static let parts = ["first", "second"]

    /// The file of the part in SQLite.
    public static func firstFile(at url: URL) -> URL { url.appendingPathExtension("first") }

    private static func secondFile(at url: URL) -> URL { url.appendingPathExtension("second") }

    /// The entries after a block, half of them in each part; each is in the other part after the next block.
    public static func entries(afterBlock block: Int64, count: Int64 = 20) -> [Entry] {
        (0..<count).map { Entry(id: $0, block: block, text: parts[Int(($0 + block) % 2)]) }
    }

    /// Moves every entry; the first block makes them.
    public static func move(toBlock block: Int64, in accessor: DataStoreReadWriteAccessor) throws {
        for entry in entries(afterBlock: block) {
            if let stored = try accessor.mutableItem(id: entry.id, of: Entry.self) {
                stored.block = entry.block
                stored.text = entry.text
            } else {
                try accessor.insert(entry)
            }
        }
    }
}
