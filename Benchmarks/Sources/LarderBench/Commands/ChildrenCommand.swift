import ArgumentParser
import Foundation
import Larder

/// Measures child stores beside their parents, which do the same without a child.
struct ChildrenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "children", abstract: "Measures child stores as multiples of what their parents take.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many items the parent holds.")
    var count = 100_000

    @Option(help: "How many times each is measured, in turn; the median counts.")
    var rounds = 5

    func run() throws {
        var table = TextTable(
            header: ["engine", "work", "parent", "child", "ratio", "target"], textColumns: [0, 1])
        for engine in LarderEngine.allCases {
            reportProgress("\(engine.rawValue) …")
            let rows = try common.inTemporaryFolder { folder in
                let store = engine.makeStore(
                    in: try folder.makeEmptyFolder(), storing: [LarderRestaurant.self])
                return try ChildMeasurements(of: store, count: count, seed: common.seed, rounds: rounds).run()
            }
            for (position, row) in rows.enumerated() {
                table.append([engine.rawValue] + row, startsGroup: position == 0)
            }
        }
        print("\(count) items. \(Machine.facts).\n")
        print(table.text)
    }
}

/// The measurements on one engine.
private struct ChildMeasurements {
    private let store: any DataStore
    private let data: Dataset
    private let rounds: Int

    /// The items that are changed in a child whose reads are measured.
    private static let stagedCount = 1000

    init(of store: any DataStore, count: Int, seed: UInt64, rounds: Int) throws {
        self.store = store
        self.rounds = rounds
        data = Dataset(count: count, seed: seed)
        try store.setup()
        let items = data.records(as: LarderRestaurant.self)
        try store.writeSync { try $0.insert(contentsOf: items) }
    }

    /// A line for each measurement: what it is, both times, their ratio and its target.
    func run() throws -> [[String]] {
        let untouched = try store.makeChildDataStore()
        let changed = try store.makeChildDataStore()
        try stage(Self.stagedCount, in: changed, reviews: 1)
        var lines: [[String]] = []
        lines.append(try making())
        lines.append(try compare("read by id, untouched", untouched, target: 1.2, readByID))
        lines.append(try compare("page of 50, untouched", untouched, target: 1.2, page))
        lines.append(try compare("scan, untouched", untouched, target: 1.2, scan))
        lines.append(try compare("read by id, 1,000 staged", changed, target: nil, readByID))
        lines.append(try compare("page of 50, 1,000 staged", changed, target: 2, page))
        lines.append(try compare("count, 1,000 staged", changed, target: nil, counting))
        lines.append(try compare("scan, 1,000 staged", changed, target: 1.3, scan))
        lines.append(try merging())
        lines += try stagingMuch()
        try store.tearDown()
        return lines
    }

    private func making() throws -> [String] {
        let count = 1000
        let times = try (0..<rounds).map { _ in
            try nanoseconds { for _ in 0..<count { blackHole(try store.makeChildDataStore()) } }
                / Double(count)
        }
        let microseconds = median(times) / 1000
        return ["make a child", "", text(microseconds) + " us", "", "20 us"]
    }

    /// The time of some work on the parent, and on a child of it.
    private func compare(
        _ title: String, _ child: any DataStore, target: Double?, _ work: (any DataStore) throws -> Void
    ) throws -> [String] {
        try work(store)
        try work(child)
        var times: (parent: [Double], child: [Double]) = ([], [])
        for _ in 0..<rounds {
            times.parent.append(try nanoseconds { try work(store) })
            times.child.append(try nanoseconds { try work(child) })
        }
        return line(title, median(times.parent), median(times.child), target)
    }

    private func readByID(_ store: any DataStore) throws {
        for id in data.ids.prefix(5000) {
            try store.read { blackHole(try $0.item(id: id, of: LarderRestaurant.self)) }
        }
    }

    private func page(_ store: any DataStore) throws {
        let request = LarderRestaurant.all.sorted(by: \.rating, .descending).limit(50)
        for _ in 0..<300 { try store.read { blackHole(try $0.items(for: request)) } }
    }

    private func counting(_ store: any DataStore) throws {
        let request = LarderRestaurant.where(\.rating > 4)
        for _ in 0..<20 { try store.read { blackHole(try $0.countItems(for: request)) } }
    }

    private func scan(_ store: any DataStore) throws {
        try store.read { blackHole(try $0.items(for: LarderRestaurant.all).count) }
    }

    private func stage(_ count: Int, in store: any DataStore, reviews: Int64) throws {
        try store.writeSync { accessor in
            for id in data.distinctIDs.prefix(count) {
                try accessor.mutableItem(id: id, of: LarderRestaurant.self)?.reviews = reviews
            }
        }
    }

    private func merging() throws -> [String] {
        let count = min(10_000, data.restaurants.count)
        var times: (parent: [Double], child: [Double]) = ([], [])
        for round in 0..<rounds {
            let number = Int64(round * 2 + 1_000_000)
            times.parent.append(try nanoseconds { try stage(count, in: store, reviews: number) })
            let child = try store.makeChildDataStore()
            try stage(count, in: child, reviews: number + 1)
            times.child.append(try nanoseconds { try store.merge(child) })
        }
        return line("merge \(count) changes", median(times.parent), median(times.child), 1.5)
    }

    /// A child that has changed every item: the time to stage and to merge, and the memory that it holds.
    private func stagingMuch() throws -> [[String]] {
        let count = data.restaurants.count
        let before = ProcessMemory.own
        let direct = try nanoseconds { try stage(count, in: store, reviews: 3_000_000) }
        let child = try store.makeChildDataStore()
        let grown = ProcessMemory.own
        let staging = try nanoseconds { try stage(count, in: child, reviews: 3_000_001) }
        let held = ProcessMemory.own - grown
        let merging = try nanoseconds { try store.merge(child) }
        let freed = ProcessMemory.own - before
        return [
            line("stage \(count) changes", direct, staging, nil),
            line("merge them", direct, merging, 1.5),
            ["memory for each of them", "", "\(held / count) bytes", "", ""],
            ["memory for each after the merge", "", "\(freed / count) bytes", "", ""],
        ]
    }

    private func line(_ title: String, _ parent: Double, _ child: Double, _ target: Double?) -> [String] {
        [
            title, text(parent / 1_000_000) + " ms", text(child / 1_000_000) + " ms", text(child / parent),
            target.map { text($0) } ?? "",
        ]
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
