/// Swift's own collections, as an app without a store would keep its items: no snapshot, no undoing, no file.
final class PlainSwiftContender: Contender {
    typealias Record = Restaurant

    private let isIndexed: Bool
    private var rows: [Int64: Restaurant] = [:]
    private var indexes: PlainIndexes?

    init(options: StoreOptions) {
        isIndexed = options.isIndexed
    }

    func forAnotherThread() -> PlainSwiftContender { self }
    func close() {}
    func reopen() {}

    // MARK: Writing

    func insertInOneTransaction(_ records: [Restaurant]) {
        insertOneByOne(records)
        indexes = isIndexed ? PlainIndexes(of: rows) : nil
    }

    func insertOneByOne(_ records: [Restaurant]) {
        for record in records { rows[record.id] = record }
        indexes = nil
    }

    func mirror(ids: [Int64]) {
        for id in ids { rows[id]?.mirror() }
        indexes = nil
    }

    func delete(_ records: [Restaurant]) {
        for record in records { rows[record.id] = nil }
        indexes = nil
    }

    // MARK: Reading

    func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) {
        for id in ids { visit(rows[id]) }
    }

    func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) {
        readInOneTransaction(ids: ids, visit: visit)
    }

    func scan() -> [Restaurant] { Array(rows.values) }

    func stream(_ visit: (Restaurant) -> Void) {
        for restaurant in rows.values { visit(restaurant) }
    }

    func lookUp(names: [String], visit: ([Restaurant]) -> Void) {
        let indexes = freshIndexes()
        for name in names { visit(indexes.ids(named: name).compactMap { rows[$0] }) }
    }

    func find(ratedAbove bounds: [Double], visit: ([Restaurant]) -> Void) {
        guard isIndexed else {
            return bounds.forEach { bound in visit(rows.values.filter { $0.rating > bound }) }
        }
        let indexes = freshIndexes()
        for bound in bounds { visit(indexes.ratings(above: bound).compactMap { rows[$0.id] }) }
    }

    func count(ratedAbove bounds: [Double], visit: (Int) -> Void) {
        let indexes = freshIndexes()
        for bound in bounds { visit(indexes.ratings(above: bound).count) }
    }

    func aggregate(_ question: AggregateQuestion) -> AggregateAnswer {
        switch question {
        case .sum: return .numbers([rows.values.reduce(0) { $0 + $1.rating }])
        case .average: return .numbers([rows.values.reduce(0) { $0 + $1.rating } / Double(rows.count)])
        case .extremes:
            let ratings = freshIndexes().ratings
            return .numbers([ratings.first?.rating ?? 0, ratings.last?.rating ?? 0])
        case .names: return .names(freshIndexes().counts)
        }
    }

    func show(_ pages: [Page], visit: ([Restaurant]) -> Void) {
        let ratings = freshIndexes().ratings
        for page in pages {
            let window =
                page.isDescending
                ? Array(ratings.reversed().dropFirst(page.offset).prefix(page.limit))
                : Array(ratings.dropFirst(page.offset).prefix(page.limit))
            visit(window.compactMap { rows[$0.id] })
        }
    }

    private func freshIndexes() -> PlainIndexes {
        let fresh = indexes ?? PlainIndexes(of: rows)
        indexes = fresh
        return fresh
    }
}

/// The ids by name and by rating.
struct PlainIndexes {
    private var idsByName: [String: [Int64]] = [:]
    /// Ascending, ties by id.
    private(set) var ratings: [(rating: Double, id: Int64)]

    init(of rows: [Int64: Restaurant]) {
        ratings = rows.values.map { ($0.rating, $0.id) }.sorted { $0 < $1 }
        for (id, restaurant) in rows {
            idsByName[restaurant.name, default: []].append(id)
        }
    }

    var counts: [(String, Int)] { idsByName.map { ($0, $1.count) } }

    func ids(named name: String) -> [Int64] { idsByName[name] ?? [] }

    func ratings(above bound: Double) -> ArraySlice<(rating: Double, id: Int64)> {
        var (low, high) = (0, ratings.count)
        while low < high {
            let middle = (low + high) / 2
            if ratings[middle].rating > bound { high = middle } else { low = middle + 1 }
        }
        return ratings[low...]
    }
}
