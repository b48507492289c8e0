import ArgumentParser
import Foundation

/// What is done while memory is watched.
enum MemoryTask: String, CaseIterable, ExpressibleByArgument {
    /// Fill, ask, change; the answer is the peak of the process.
    case everything
    /// Walk through a filled store; the answer is what that took more than there was before.
    case stream
    /// Delete a recipe with many ingredients; the answer is the peak of the process.
    case cascade
}

/// Run by the workloads on memory in a process of its own; prints bytes.
struct MemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "Prints what one contender takes.", shouldDisplay: false)

    @OptionGroup var common: CommonOptions
    @Argument var task: MemoryTask
    @Argument var contender: ContenderName
    @Option var items: Int

    func run() throws {
        defer { ServerContenders.end() }
        switch task {
        case .everything: print(try peakOfEverything(makeStore()))
        case .stream: print(try peakOfStream(makeStore()))
        case .cascade: print(try peakOfCascade(contender.makeGraphContender(in: folder)))
        }
    }

    private var folder: URL { URL(filePath: common.folder) }

    private func makeStore() throws -> any Contender {
        try contender.makeContender(in: folder, options: StoreOptions(isIndexed: true))
    }

    private func peakOfEverything<Store: Contender>(_ store: Store) throws -> Int {
        let dataset = Dataset(count: items, seed: common.seed)
        try store.fill(from: dataset)
        try store.readInOneTransaction(ids: dataset.ids) { blackHole($0) }
        try store.lookUp(names: Array(dataset.names.prefix(1000))) { blackHole($0) }
        try store.find(ratedAbove: [4.95]) { blackHole($0) }
        try store.mirror(ids: Array(dataset.distinctIDs.prefix(items / 10)))
        try store.stream { blackHole($0) }
        try store.close()
        return ProcessMemory.peak
    }

    /// Filled in pieces, so that little of what the filling took is left for the walk to use again.
    private func peakOfStream<Store: Contender>(_ store: Store) throws -> Int {
        var generator = RestaurantGenerator(seed: common.seed)
        for first in stride(from: 1, through: items, by: 1000) {
            let piece = generator.restaurants(ids: Int64(first)...Int64(min(items, first + 999)))
            try store.insertInOneTransaction(piece.map { Store.Record($0) })
        }
        try store.close()
        try store.reopen()
        try store.readOneByOne(ids: [1]) { blackHole($0) }
        let before = ProcessMemory.own
        var (peak, visited) = (before, 0)
        try store.stream { record in
            blackHole(record)
            visited += 1
            if visited % 1024 == 0 { peak = max(peak, ProcessMemory.own) }
        }
        return peak - before
    }

    /// Filled in pieces, so that the deletion takes more than the filling did.
    private func peakOfCascade<Store: GraphContender>(_ store: Store) throws -> Int {
        try store.fill(from: CookbookGenerator.emptyCookbook)
        var generator = CookbookGenerator(seed: common.seed)
        try store.fill(from: generator.family(ingredientCount: 0))
        for first in stride(from: 1, through: items, by: 1000) {
            let ids = Int64(first)...Int64(min(items, first + 999))
            try store.fill(from: generator.moreIngredients(ids: ids))
        }
        try store.delete(recipe: 1)
        try store.close()
        return ProcessMemory.peak
    }
}
