public import Larder
import LarderLMDB
import LarderSQLite

public import struct Foundation.URL

/// A store in a file that begins with a copy of another one.
public enum PrepopulatedPlace {
    /// - Parameters:
    ///   - engine: `sqlite` or `lmdb`.
    ///   - source: The other store; nil for a store that must be there.
    public static func makeStore(_ engine: String, at url: URL, from source: URL?) -> any DataStore {
        if engine == "lmdb" {
            let options = LMDBOptions(createsStore: source != nil, prepopulatedFrom: source)
            return LMDBDataStore(at: url, storing: [Entry.self], options: options)
        }
        let options = SQLiteOptions(createsStore: source != nil, prepopulatedFrom: source)
        return SQLiteDataStore(at: url, storing: [Entry.self], options: options)
    }
}
