import ArgumentParser
import Foundation
import Larder

/// Shows that `read` costs no hop in async code, and that `readAsync` leaves the main actor free.
struct AsyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "async", abstract: "Times reads in async code, and the main actor beside readAsync.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many reads each figure is taken from.")
    var reads = 20_000

    @Option(help: "How many milliseconds the block of readAsync lasts.")
    var milliseconds = 300

    @MainActor
    func run() async throws {
        let stores = try TemporaryFolder(inside: URL(filePath: common.folder))
        let dataset = Dataset(count: 10_000, seed: common.seed)
        var table = TextTable(
            header: [
                "engine", "read, sync code", "read, async code", "turns beside readAsync", "turns alone",
            ],
            textColumns: [0])
        for engine in LarderEngine.allCases {
            let store = engine.makeStore(in: try stores.makeEmptyFolder(), storing: [LarderRestaurant.self])
            try store.setup()
            try await Self.fill(store, from: dataset)
            let ids = Array(dataset.ids.prefix(reads))
            _ = try read(ids, from: store)
            let inSync = try read(ids, from: store)
            let inAsync = try await readInAsyncCode(ids, from: store)
            let beside = try await turnsBesideReading(of: store)
            let alone = await turns(during: Task { try? await Task.sleep(for: .milliseconds(milliseconds)) })
            let times = [inSync, inAsync].map { Unit.nanoseconds.text($0) }
            table.append([engine.rawValue] + times + ["\(beside)", "\(alone)"], startsGroup: false)
            try store.tearDown()
        }
        try stores.remove()
        print(table.text)
    }

    private static func fill(_ store: any DataStore, from dataset: Dataset) async throws {
        let items = dataset.records(as: LarderRestaurant.self)
        try await store.writeAsync { try $0.insert(contentsOf: items) }
    }

    private nonisolated func read(_ ids: [Int64], from store: any DataStore) throws -> Double {
        try nanoseconds {
            for id in ids { blackHole(try store.read { try $0.item(id: id, of: LarderRestaurant.self) }) }
        } / Double(ids.count)
    }

    @concurrent
    private nonisolated func readInAsyncCode(_ ids: [Int64], from store: any DataStore) async throws -> Double
    {
        try read(ids, from: store)
    }

    /// How often the main actor gets its turn while a block of `readAsync` that it waits for is running.
    @MainActor
    private func turnsBesideReading(of store: any DataStore) async throws -> Int {
        let time = Duration.milliseconds(milliseconds)
        let reading = Task { @MainActor in
            try? await store.readAsync { accessor in
                let start = ContinuousClock.now
                while ContinuousClock.now - start < time {
                    blackHole(try accessor.countItems(for: LarderRestaurant.all))
                }
            }
        }
        return await turns(during: reading)
    }

    @MainActor
    private func turns(during work: Task<Void?, Never>) async -> Int {
        let isOver = SharedValue(false)
        Task { @MainActor in
            _ = await work.value
            isOver.value = true
        }
        var turns = 0
        while !isOver.value {
            await Task.yield()
            turns += 1
        }
        return turns
    }
}
