import Foundation
import Larder
import LarderLMDB
import LarderSQLite

/// The engines, by the names the command knows them by.
enum Engine: String, CaseIterable {
    case sqlite
    case lmdb

    var other: Engine { self == .sqlite ? .lmdb : .sqlite }

    /// A closed store with these items.
    func makeStore(at url: URL, of recipes: [Recipe] = Recipe.samples) throws {
        try withStore(at: url) { store in
            try store.writeSync { try $0.insert(contentsOf: recipes) }
        }
    }

    func withStore<Result>(at url: URL, _ body: (any DataStore) throws -> Result) throws -> Result {
        let store: any DataStore =
            switch self {
            case .sqlite: SQLiteDataStore(at: url, storing: [Recipe.self])
            case .lmdb: LMDBDataStore(at: url, storing: [Recipe.self])
            }
        try store.setup()
        let result = try body(store)
        try store.tearDown()
        return result
    }
}

/// A folder that is removed when the test is over.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("larder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: url.path))
    }

    /// What is in it, by name and to the last byte.
    ///
    /// Of LMDB's lock files only the names, as readers are noted in them.
    func contents() throws -> [String: Data] {
        try Dictionary(
            uniqueKeysWithValues: names().map { name in
                let file = url.appendingPathComponent(name)
                return (name, name.hasSuffix("-lock") ? Data() : try Data(contentsOf: file))
            })
    }
}
