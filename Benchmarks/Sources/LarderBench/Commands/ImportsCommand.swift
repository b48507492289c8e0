import ArgumentParser
import Foundation
import Larder

/// Measures imports and upserts of many items beside the fastest way in.
struct ImportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imports",
        abstract: "Measures imports and upserts as multiples of the time that insert(contentsOf:) takes.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many items are imported.")
    var count = 100_000

    @Option(help: "How many times each is measured, in turn; the median counts.")
    var rounds = 5

    func run() throws {
        var table = TextTable(
            header: ["engine", "work", "us per item", "speed", "target"], textColumns: [0, 1])
        for engine in LarderEngine.allCases {
            reportProgress("\(engine.rawValue) …")
            let rows = try common.inTemporaryFolder { folder in
                let store = engine.makeStore(in: try folder.makeEmptyFolder(), storing: [ImportedEntry.self])
                return try ImportMeasurements(of: store, count: count, rounds: rounds).run()
            }
            for (position, row) in rows.enumerated() {
                table.append([engine.rawValue] + row, startsGroup: position == 0)
            }
        }
        print("\(count) items with a unique attribute. \(Machine.facts).\n")
        print(table.text)
    }
}

/// The measurements on one engine.
private struct ImportMeasurements {
    private let store: any DataStore
    private let items: [ImportedEntry]
    private let rounds: Int

    init(of store: any DataStore, count: Int, rounds: Int) throws {
        self.store = store
        self.rounds = rounds
        items = (0..<count).map {
            ImportedEntry(id: Int64($0), code: "code-\($0 &* 7919 % count)", amount: $0)
        }
        try store.setup()
    }

    /// A line for each work: what it is, its time, its speed beside the insertion, and its target.
    func run() throws -> [[String]] {
        var times = [[Double]](repeating: [], count: works.count)
        for _ in 0...rounds {
            for (number, work) in works.enumerated() {
                times[number].append(try time(work.run))
            }
            try store.writeSync { _ = try $0.deleteAllItems(of: ImportedEntry.self) }
        }
        // The first round has warmed up.
        let medians = times.map { times in
            let sorted = times.dropFirst().sorted()
            return sorted[sorted.count / 2]
        }
        let insertion = medians[0]
        try store.tearDown()
        return zip(works, medians).map { work, median in
            let each = median / Double(items.count) / 1000
            return [
                work.title, String(format: "%.2f", each), String(format: "%.2f", insertion / median),
                work.target.map { String(format: "%.1f", $0) } ?? "",
            ]
        }
    }

    private struct Work {
        let title: String
        let target: Double?
        let run: () throws -> Void
    }

    // In this order: each finds what the one before has left.
    private var works: [Work] {
        [
            Work(title: "insert(contentsOf:)", target: nil) {
                try write { try $0.insert(contentsOf: items) }
            },
            Work(title: "import, unchanged", target: 0.3) {
                try write { try $0.importItems(from: items, using: ImportedEntry.map) }
            },
            Work(title: "import, changed", target: 0.3) {
                try write { try $0.importItems(from: items, using: ImportedEntry.changing) }
            },
            Work(title: "upsert by attribute, changed", target: nil) {
                try write { try $0.upsert(contentsOf: items, by: \.code) }
            },
            Work(title: "deleteAllItems", target: nil) {
                try write { _ = try $0.deleteAllItems(of: ImportedEntry.self) }
            },
            Work(title: "import, new", target: 0.6) {
                try write { try $0.importItems(from: items, using: ImportedEntry.map) }
            },
        ]
    }

    private func write(_ body: (DataStoreReadWriteAccessor) throws -> Void) throws {
        try store.writeSync(body)
    }

    private func time(_ body: () throws -> Void) throws -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .nanoseconds(1)
    }
}

/// An item with a unique attribute; conforms by hand, so that the benchmarks need not build the macro.
struct ImportedEntry: DataStoreItem {
    let id: Int64
    var code: String
    var amount: Int

    struct Attributes: Sendable {
        let id = Attribute<ImportedEntry, Int64>(column: 0)
        let code = Attribute<ImportedEntry, String>(column: 1)
        let amount = Attribute<ImportedEntry, Int>(column: 2)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Entry",
        attributes: [
            .attribute("id", Int64.self), .attribute("code", String.self), .attribute("amount", Int.self),
        ],
        indexes: [.unique("code")])

    static let map = ImportMap<ImportedEntry, ImportedEntry>(by: \.code, from: \.code) {
        Import(\.id, from: \.id)
        Import(\.amount, from: \.amount)
    }
    static let changing = ImportMap<ImportedEntry, ImportedEntry>(by: \.code, from: \.code) {
        Import(\.amount) { $0.amount + 1 }
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(amount, at: 2)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension ImportedEntry {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(id: row.value(at: 0), code: row.value(at: 1), amount: row.value(at: 2))
    }
}
