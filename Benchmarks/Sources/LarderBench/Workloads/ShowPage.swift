/// Fifty items from the thousandth on, in the order of their ratings; or a hundred, on a server.
struct ShowPage: StoreWorkload {
    let isIndexed: Bool
    let isDescending: Bool
    var limit = 50

    private var isOfServer: Bool { limit > 50 }

    var name: String {
        if isOfServer { return "page-of-\(limit)" }
        guard isIndexed else { return "page-unindexed" }
        return isDescending ? "page-indexed-descending" : "page-indexed"
    }

    var title: String {
        let order = isDescending ? "descending" : "ascending"
        return "\(limit) from the 1000th on by rating, \(order), \(isIndexed ? "index" : "no index")"
    }

    var storeOptions: StoreOptions { StoreOptions(isIndexed: isIndexed) }
    var contenders: Set<ContenderName> { isOfServer ? .server : .general }
    var targets: [Target] {
        if isOfServer { return .line(postgreSQL: 1.2, memory: nil) }
        return isIndexed
            ? .line(sqlite: 1.15, defaults: 1, grdb: 2, lmdb: 1.25)
            : .line(sqlite: 1.05, lmdb: 0.3)
    }

    func operations(items: Int) -> ClosedRange<Int> { 2...2000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let pages = load.pages(limit: limit, isDescending: isDescending).prefix(4)
        let sorted = load.dataset.restaurants.sorted {
            isDescending ? ($0.rating, $0.id) > ($1.rating, $1.id) : ($0.rating, $0.id) < ($1.rating, $1.id)
        }
        var found: [[Restaurant]] = []
        try store.show(Array(pages)) { found.append($0.map(\.restaurant)) }
        try store.compareCounts(found.count, pages.count, asked: "\(pages.count) pages")
        for (page, answer) in zip(pages, found) {
            let expected = Array(sorted.dropFirst(page.offset).prefix(page.limit))
            try store.compareInOrder(found: answer, expected: expected, asked: "\(page)")
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let pages = load.pages(limit: limit, isDescending: isDescending)
        return try load.nanosecondsPerOperation { try store.show(pages) { blackHole($0) } }
    }
}
