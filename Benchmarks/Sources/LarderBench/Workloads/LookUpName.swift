/// All items of a name, by an index.
struct LookUpName: StoreWorkload {
    var name: String { "name-lookup" }
    var title: String { "equality on an indexed name" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    var contenders: Set<ContenderName> { .generalAndPlainSwift }
    var targets: [Target] { .line(sqlite: 1.3, defaults: 1, grdb: 9, lmdb: 1.4, memory: 1) }

    func operations(items: Int) -> ClosedRange<Int> { 50...10_000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let names = load.names + (0..<2).map { RestaurantGenerator.unknownName($0) }
        var found: [[Restaurant]] = []
        try store.lookUp(names: names) { found.append($0.map(\.restaurant)) }
        try store.compareCounts(found.count, names.count, asked: "\(names.count) names")
        for (name, answer) in zip(names, found) {
            let expected = load.dataset.restaurants(named: name)
            try store.compare(found: answer, expected: expected, asked: "name \(name)")
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let names = load.names
        return try load.nanosecondsPerOperation { try store.lookUp(names: names) { blackHole($0) } }
    }
}
