// A recipe app whose types changed three times. Stores of each old version are made with SQLite and LMDB, the
// steps to the current version are foreseen, and then each store is opened by the current app.
//
//     swift run FourVersions
//
// Versions.swift has the old types, Items.swift the current ones, and History.swift the steps from each to
// the next.

import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer

@main
enum FourVersions {
    static func main() {
        do {
            try run()
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for version in history.versions.dropLast() {
            let url = folder.appendingPathComponent("recipes-\(version.name)")
            let (sqlite, lmdb) = (url.appendingPathExtension("sqlite"), url.appendingPathExtension("lmdb"))
            try open(.sqlite(at: sqlite), version) { SQLiteDataStore(at: sqlite, storing: $0) }
            try open(.lmdb(at: lmdb), version) { LMDBDataStore(at: lmdb, storing: $0) }
        }
    }

    /// Makes a store of an old version, and opens it by the current app.
    private static func open(
        _ address: StoreAddress, _ version: SchemaVersion, _ makeStore: (SchemaHistory) -> any DataStore
    ) throws {
        let old = makeStore(SchemaHistory([version]))
        try old.setup()
        try fill(old, as: version.name)
        try old.tearDown()

        print("\(address.engine), a store of version \(version.name)")
        try printRows(of: address)
        let forecast = try history.forecast(for: address)
        print("steps")
        for step in forecast.steps { print("  \(step)") }

        let today = makeStore(history)
        try today.setup()
        let recipes = try today.read { try $0.items(for: Recipe.all.prefetching(\.ingredients)) }
        try today.tearDown()
        print("the current app reads")
        for recipe in recipes { print("  \(recipe.title): \(recipe.ingredientNames)") }
        print("version \(try history.current().name)")
        try printRows(of: address)
        print("")
    }

    /// Prints the rows of a store by its own description, without the app's types.
    private static func printRows(of address: StoreAddress) throws {
        let store = try UntypedStore(reading: address)
        defer { try? store.close() }
        try store.read { reader in
            for type in reader.entities where !type.isLink {
                try reader.forEachRow(for: UntypedRequest(type.name)) { row in
                    let values = type.attributes.map { row.text(forKey: $0.name) ?? "-" }
                    print("  \(type.name) \(values.joined(separator: "; "))")
                }
            }
        }
    }
}

extension Recipe {
    fileprivate var ingredientNames: String {
        (ingredients.items ?? []).map(\.id).sorted().joined(separator: ", ")
    }
}
