import CSQLite
import Foundation
import Larder
import Testing
@testable import AdapterTestSupport
@testable import LarderSQLite

@Suite struct `A full store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    /// Inserts until there is no room, and returns the error.
    private static func fill(_ scope: WriteScope, from first: Int64 = 1) -> DataStoreError? {
        thrown {
            for number in first... {
                try scope.insert([Recipe(number, note: String(repeating: "x", count: 2000))])
            }
        }
    }

    @Test func `after the store was full every call of the transaction says so`() throws {
        let store = try TestStore(at: url, options: SQLiteOptions(sizeLimit: 512 * 1024))
        let writing = try store.beginWriting()
        try writing.transaction.setSavepoint()
        #expect(Self.fill(writing)?.code == .storeFull)

        #expect(code { try writing.count(Recipe.self) } == .storeFull)
        #expect(code { try writing.insert([Recipe(1)]) } == .storeFull)
        #expect(code { try writing.transaction.rollBackToSavepoint() } == .storeFull)
        #expect(code { try writing.transaction.setSavepoint() } == .storeFull)
        #expect(code { try writing.transaction.commit() } == .storeFull)

        #expect(code { try writing.count(Recipe.self) } == .accessorExpired)
        #expect(code { try store.insert([Recipe(1)]) } == nil)
    }

    @Test func `a lack of space is one of temporary files if the store has room and no limit`() {
        let sentence = "There is no space for the store to grow."
        let full = SQLiteFailure(SQLITE_FULL, on: nil)
        let temporary = full.error(sentence, path: url.path, isLimitedByDisks: true)
        let limited = full.error(sentence, path: url.path, isLimitedByDisks: false)

        let advice = """
            Free some space in the folder that SQLITE_TMPDIR or TMPDIR names, else in /var/tmp or /tmp; \
            nothing was stored, except by commit().
            """
        #expect(temporary.code == .storeFull)
        #expect(
            temporary.message == "SQLite has no space for a temporary file; the store's disk is not full.")
        #expect(temporary.advice == advice)
        #expect(temporary.path == url.path)
        #expect(limited.code == .storeFull)
        #expect(limited.message == sentence)
        #expect(
            limited.advice == "Free some space or raise the limit; nothing was stored, except by commit().")
    }

    @Test(arguments: [true, false])
    func `a step that catches the error of a full store changes nothing`(_ continues: Bool) throws {
        let options = SQLiteOptions(sizeLimit: 512 * 1024)
        let versions = ["1", "2"].map { SchemaVersion($0, storing: [Dish.First.self]) }
        let old = SQLiteDataStore(at: url, storing: SchemaHistory([versions[0]]), options: options)
        try old.setup()
        try old.writeSync { try $0.insert(contentsOf: [Dish.First(1, "Soup", 5), .init(2, "Cake", 7)]) }
        try old.tearDown()
        let step = SchemaStep(from: "1", to: "2") { Keep("Dish") }.before { accessor in
            try accessor.update("Dish", at: .integer(1)) { $0["name"] = .value("Bread") }
            try? accessor.insert("Dish", id: .integer(3)) {
                $0["name"] = .value(String(repeating: "x", count: 1 << 20))
                $0["price"] = .value(Int32(9))
            }
            if continues { try accessor.update("Dish", at: .integer(2)) { $0["name"] = .value("Pie") } }
        }
        var storeOptions = DataStoreOptions()
        storeOptions.schemaUpgrade = .inPlace
        let new = SQLiteDataStore(
            at: url, storing: SchemaHistory(versions, steps: [step]), options: options,
            storeOptions: storeOptions)

        #expect(code { try new.setup() } == .storeFull)

        #expect(try StoreAddress.sqlite(at: url).storedSchema()?.version == "1")
        #expect(
            try RawDatabase(url).rows("SELECT id, name, price FROM Dish ORDER BY id") == [
                ["1", "Soup", "5"], ["2", "Cake", "7"],
            ])
    }
}
