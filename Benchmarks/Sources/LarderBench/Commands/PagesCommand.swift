import ArgumentParser
import Foundation
import Larder

/// Measures pages near the beginning and the end of many items.
struct PagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages", abstract: "Measures pages by the item that they follow, and by offset.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many items there are.")
    var count = 1_000_000

    @Option(help: "How many times each page is read; the median counts.")
    var rounds = 31

    private static let size = 50

    func run() throws {
        var table = TextTable(
            header: ["engine", "order", "items before", "after an item", "by offset"], textColumns: [0, 1])
        for engine in LarderEngine.allCases {
            reportProgress("\(engine.rawValue) …")
            let rows = try common.inTemporaryFolder { folder in
                let store = engine.makeStore(
                    in: try folder.makeEmptyFolder(), storing: [LarderRestaurant.self])
                try store.setup()
                let items = Dataset(count: count, seed: common.seed).records(as: LarderRestaurant.self)
                try store.writeSync { try $0.insert(contentsOf: items) }
                defer { try? store.tearDown() }
                return try [
                    ("id", LarderRestaurant.all),
                    ("rating", LarderRestaurant.all.sorted(by: \.rating, .descending)),
                ].flatMap { name, request in
                    try [0, count / 2, count - Self.size].map { place in
                        [name] + (try line(request, from: place, in: store))
                    }
                }
            }
            for (position, row) in rows.enumerated() {
                table.append([engine.rawValue] + row, startsGroup: position == 0)
            }
        }
        print("\(count) items, pages of \(Self.size). \(Machine.facts).\n")
        print(table.text)
    }

    private func line(
        _ request: DataStoreRequest<LarderRestaurant>, from place: Int, in store: any DataStore
    ) throws -> [String] {
        let before =
            place == 0 ? nil : try store.read { try $0.firstItem(for: request.offset(place - 1)) }
        let following = try median {
            try store.read { blackHole(try $0.page(of: request, after: before, size: Self.size)) }
        }
        let skipping = try median {
            try store.read { blackHole(try $0.items(for: request.offset(place).limit(Self.size))) }
        }
        return ["\(place)", text(following), text(skipping)]
    }

    private func median(_ work: () throws -> Void) throws -> Double {
        try work()
        return try (0..<rounds).map { _ in try nanoseconds(work) }.sorted()[rounds / 2]
    }

    private func text(_ nanoseconds: Double) -> String { String(format: "%.1f us", nanoseconds / 1000) }
}
