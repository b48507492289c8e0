import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite
import LarderTransfer

/// The steps of the demo, each printing what it did and how long it took.
struct Demo {
    let tables: URL

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-demo-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (
            sqlite: folder.appendingPathComponent("iso.sqlite"),
            lmdb: folder.appendingPathComponent("iso.lmdb")
        )

        print("Larder: the ISO tables in three engines through one interface\n")
        let iso = try timed("read the tables", { try ISOTables(folder: tables) }) { "\($0.count) items" }

        let sqlite: any DataStore = SQLiteDataStore(at: files.sqlite, storing: itemTypes)
        try timed("open a SQLite store", { try sqlite.setup() }) { "" }
        try timed("write everything, one block", { try fill(sqlite, with: iso) }) { "" }
        try timed("close it and open it again", { try reopen(sqlite) }) {
            "\(kilobytes(of: files.sqlite)) KB on disk"
        }
        let answers = try timed("ask", { try Question.answers(of: sqlite) }) { "\($0.count) questions" }

        try sqlite.tearDown()
        let storage = MemoryStorage()
        try move(Move(sqlite: files.sqlite, lmdb: files.lmdb), storage)
        try sqlite.setup()
        let lmdb: any DataStore = LMDBDataStore(at: files.lmdb, storing: itemTypes)
        let memory: any DataStore = MemoryDataStore(storing: itemTypes, in: storage)
        for (name, store) in [("LMDB", lmdb), ("memory", memory)] {
            try store.setup()
            let again = try timed("ask \(name)", { try Question.answers(of: store) }) {
                "\($0.count) questions"
            }
            guard answers == again else { throw DemoError("\(name) gives other answers than SQLite.") }
        }

        print("")
        for (question, answer) in zip(Question.all, answers) {
            print("  \(question.text)\n      \(answer.joined(separator: ", "))")
        }
        print("\n  The answers of all three engines are equal.\n")

        try changeAlike([sqlite, lmdb, memory], unlike: answers)
        for store in [sqlite, lmdb, memory] { try store.tearDown() }
    }

    /// Moves the SQLite store to LMDB and to memory, with a kill and other incidents on the way.
    private func move(_ move: Move, _ storage: MemoryStorage) throws {
        try timed("copy it to LMDB; killed", { try move.copyAndKill() }) { "after \($0) items" }
        try timed("open the unfinished copy", { try move.openHalfCopy() }) { "refused: \($0.rawValue)" }
        let report = try timed("continue the copy, verify it", { try move.resume() }) {
            "\($0.copiedItems) items more, \(kilobytes(of: move.lmdb)) KB on disk"
        }
        try timed("copy LMDB to memory", { try move.copyToMemory(storage, like: report) }) {
            "\($0.copiedItems) items, digests equal"
        }
        try timed("set SQLite aside, restore it", { try move.changeOverAndBack() }) { "nothing deleted" }
    }

    /// Makes the same changes in all stores, and compares the answers again.
    private func changeAlike(_ stores: [any DataStore], unlike before: [[String]]) throws {
        var after: Set<[[String]]> = []
        var report = ""
        for store in stores {
            report = try change(store)
            after.insert(try Question.answers(of: store))
        }
        guard after.count == 1, !after.contains(before) else {
            throw DemoError("The stores differ after the same changes.")
        }
        print("  " + report)
        print(
            "  The answers of all three have changed in the same way, and show no trace of the undone changes."
        )
    }

    private func reopen(_ store: any DataStore) throws {
        try store.tearDown()
        try store.setup()
    }

    private func fill(_ store: any DataStore, with iso: ISOTables) throws {
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: iso.languages)
            try accessor.insert(contentsOf: iso.currencies)
            try accessor.insert(contentsOf: iso.scripts)
            // Countries refer to the items above, and parts of countries to them.
            try accessor.insert(contentsOf: iso.countries)
            try accessor.insert(contentsOf: iso.subdivisions)
        }
    }

    /// Makes some changes that stay and some that are undone; returns a report.
    private func change(_ store: any DataStore) throws -> String {
        try store.writeSync { accessor in
            let swiss = try accessor.firstMutableItem(for: Country.where(\.code == "CH"))
            swiss?.name = "Helvetia"
            try accessor.update(Language.where(\.kind == .constructed), .set(\.scope, to: .special))
            try accessor.deleteItems(for: Currency.where(\.code == "XXX"))
        }
        do {
            try store.writeSync { accessor in
                try accessor.deleteAllItems(of: Country.self)
                try accessor.insert(Script(code: "Latn", name: "A second Latin", numeric: 1))
            }
        } catch DataStoreError.Code.uniqueViolation {
            // As expected: the code is taken, so the deletion of all countries is undone as well.
        }
        let countries = try store.read { try $0.countItems(for: Country.all) }
        let name = try store.read { try $0.firstItem(for: Country.where(\.code == "CH"))?.name }
        guard countries > 0, name == "Helvetia" else { throw DemoError("A rolled back block left traces.") }
        return "Changed 3 things and kept them; deleted all \(countries) countries and undid it."
    }

    @discardableResult
    private func timed<Result>(
        _ what: String, _ body: () throws -> Result, _ remark: (Result) -> String
    ) throws -> Result {
        let start = ContinuousClock.now
        let result = try body()
        let time = ContinuousClock.now - start
        let milliseconds = Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3
        let columns = what.padding(toLength: 32, withPad: " ", startingAt: 0)
        print("  \(columns)\(String(format: "%8.1f ms", milliseconds))   \(remark(result))")
        return result
    }

    private func kilobytes(of file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return ((attributes?[.size] as? Int) ?? 0) / 1024
    }
}
