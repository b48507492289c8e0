public import Larder
import LarderLMDB
import LarderRouting
import LarderSQLite

public import struct Foundation.URL

/// A store over two engines: entries in SQLite, and a remark for each block in LMDB.
public enum RoutedPlace {
    /// - Parameter url: The beginning of the names of both files.
    public static func makeStore(at url: URL) -> any DataStore {
        RoutedDataStore([
            StorePart(
                "entries", SQLiteDataStore(at: url.appendingPathExtension("first"), storing: [Entry.self])),
            StorePart(
                "remarks", LMDBDataStore(at: url.appendingPathExtension("second"), storing: [Remark.self])),
        ])
    }
}
