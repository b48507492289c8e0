import Foundation

/// A workload that asks something of a store of recipes.
protocol GraphWorkload: StoreTask where AnyStore == any GraphContender {
    /// Compares the answers of a contender with the cookbook's; throws on the first difference.
    func check<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws

    /// Runs the workload once; answers its figure per operation.
    func sample<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws -> Double
}

extension GraphWorkload {
    var contenders: Set<ContenderName> { .graph }

    func makeStore(of contender: ContenderName, in folder: URL) throws -> any GraphContender {
        try contender.makeGraphContender(in: folder)
    }

    func fill(_ store: any GraphContender, in setting: Setting) throws {
        try store.fill(from: setting.dataset.cookbook)
    }

    func check(_ store: any GraphContender, operations: Int, in setting: Setting) throws {
        try check(store, GraphLoad(dataset: setting.dataset, count: operations))
    }

    func sample(_ store: any GraphContender, operations: Int, in setting: Setting) throws -> Double {
        try sample(store, GraphLoad(dataset: setting.dataset, count: operations))
    }

    func close(_ store: any GraphContender) throws {
        try store.close()
    }
}

extension GraphContender {
    func fill(from cookbook: Cookbook) throws {
        try insert(cookbook.form(Self.form))
    }
}

/// What one sample asks: so many operations on the cookbook.
struct GraphLoad {
    let dataset: Dataset
    let count: Int

    var cookbook: Cookbook { dataset.cookbook }

    /// No recipe comes twice.
    var recipes: [Int64] { Array(cookbook.shuffledIDs.prefix(count)) }

    /// From the start again where there are more operations than names.
    var ingredients: [String] { (0..<count).map { CookbookGenerator.ingredientName($0 * 7) } }
    var kinds: [String] {
        (0..<count).map { cookbook.kinds[$0 % cookbook.kinds.count].name }
    }
    var ingredientCounts: [Int] {
        (0..<count).map { CookbookGenerator.mostIngredients - 1 - $0 % 2 }
    }

    var pages: [Page] {
        let offset = min(1000, cookbook.recipes.count / 2)
        return (0..<count).map { Page(offset: offset + $0 % 16, limit: 50, isDescending: false) }
    }

    /// The first recipe of each answer follows these.
    func startingPoints(limit: Int) -> [Int64] {
        let last = max(1, cookbook.recipes.count - limit)
        return (0..<count).map { Int64($0 * 7919 % last) }
    }

    /// The nanoseconds that each operation takes when `work` does all of them.
    func nanosecondsPerOperation(_ work: () throws -> Void) rethrows -> Double {
        try nanoseconds(work) / Double(count)
    }
}
