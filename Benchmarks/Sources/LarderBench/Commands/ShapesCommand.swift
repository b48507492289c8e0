import ArgumentParser
import Foundation
import Larder

/// Asks requests of many different shapes, and shows whether what is kept of them grows without end.
struct ShapesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shapes", abstract: "Shows the memory that requests of ever new shapes take.")

    /// What the second half may take more than the first left: the allocator's own unrest.
    private static let allowedGrowth = 2 << 20

    @OptionGroup var common: CommonOptions

    @Option(help: "How many different shapes.")
    var shapes = 10_000

    func run() throws {
        var table = TextTable(
            header: ["engine", "before", "after a half", "after all", "second half"], textColumns: [0])
        var hasGrown = false
        for engine in LarderEngine.allCases {
            let (before, half, all) = try common.inTemporaryFolder { folder in
                try memory(
                    with: engine.makeStore(in: folder.makeEmptyFolder(), storing: [LarderRestaurant.self]))
            }
            hasGrown = hasGrown || all - half > Self.allowedGrowth
            let cells = [before, half, all, all - half].map { "\($0 / 1024) kB" }
            table.append([engine.rawValue] + cells, startsGroup: false)
        }
        print("\(shapes) request shapes. \(Machine.facts).\n")
        print(table.text)
        if hasGrown { throw ExitCode.failure }
    }

    private func memory(with store: any DataStore) throws -> (before: Int, half: Int, all: Int) {
        try store.setup()
        let items = Dataset(count: 100, seed: common.seed).records(as: LarderRestaurant.self)
        try store.writeSync { try $0.insert(contentsOf: items) }
        var requests = RequestShapes()
        let before = ProcessMemory.own
        try ask(store, shapes / 2, &requests)
        let half = ProcessMemory.own
        try ask(store, shapes - shapes / 2, &requests)
        let all = ProcessMemory.own
        try store.tearDown()
        return (before, half, all)
    }

    private func ask(_ store: any DataStore, _ count: Int, _ requests: inout RequestShapes) throws {
        for _ in 0..<count {
            let request = requests.next()
            try store.read { blackHole(try $0.items(for: request)) }
        }
    }
}

/// Requests of which no two have the same shape: a number in base 18 whose digits are comparisons.
struct RequestShapes {
    private var number = 0

    mutating func next() -> DataStoreRequest<LarderRestaurant> {
        number += 1
        var rest = number
        var filter = comparison(rest % 18)
        rest /= 18
        while rest > 0 {
            filter = filter && comparison(rest % 18)
            rest /= 18
        }
        return LarderRestaurant.where(filter)
    }

    private func comparison(_ digit: Int) -> Filter<LarderRestaurant> {
        switch digit / 6 {
        case 0: compare(\.rating, 2.5, digit % 6)
        case 1: compare(\.reviews, 5000, digit % 6)
        default: compare(\.name, "M", digit % 6)
        }
    }

    private func compare<Value: AttributeValue>(
        _ attribute: AttributePath<LarderRestaurant, Value>, _ value: Value, _ operation: Int
    ) -> Filter<LarderRestaurant> {
        switch operation {
        case 0: attribute == value
        case 1: attribute != value
        case 2: attribute < value
        case 3: attribute <= value
        case 4: attribute > value
        default: attribute >= value
        }
    }
}
