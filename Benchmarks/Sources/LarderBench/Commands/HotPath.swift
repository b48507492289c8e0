import CAllocationCount

/// An operation whose allocations are counted, when everything that is made once has been made.
enum HotPath: CaseIterable {
    /// So many that the few arrays of the loop itself do not show.
    private static let questions = 2000

    case readInOneTransaction
    case readEach
    case scan
    case lookUp
    case bulkInsert
    case insertEach

    var title: String {
        switch self {
        case .readInOneTransaction: "read by id, in one transaction"
        case .readEach: "read by id, one transaction each"
        case .scan: "streamed scan, per row"
        case .lookUp: "equality on an indexed name"
        case .bulkInsert: "bulk insert, 2 indexes, per row"
        case .insertEach: "one insert per transaction"
        }
    }

    var isIndexed: Bool {
        switch self {
        case .lookUp, .bulkInsert: true
        case .readInOneTransaction, .readEach, .scan, .insertEach: false
        }
    }

    func count<Store: Contender>(in store: Store, _ dataset: Dataset) throws -> AllocationCount {
        switch self {
        case .bulkInsert:
            return try countInserts(into: store, dataset) { try store.insertInOneTransaction($0) }
        case .insertEach:
            return try countInserts(into: store, dataset) { try store.insertOneByOne($0) }
        case .readInOneTransaction, .readEach, .scan, .lookUp:
            try store.fill(from: dataset)
            return try countReads(of: store, dataset)
        }
    }

    /// The first run makes what is made once, and tells what the strings need.
    private func countReads<Store: Contender>(
        of store: Store, _ dataset: Dataset
    ) throws -> AllocationCount {
        var strings = 0
        try read(store, dataset) { strings += $0.restaurant.allocatedStrings }
        allocation_count_start()
        try read(store, dataset) { blackHole($0) }
        let all = allocation_count_stop()
        let operations = Double(self == .scan ? dataset.restaurants.count : Self.questions)
        return AllocationCount(all: Double(all) / operations, strings: Double(strings) / operations)
    }

    private func read<Store: Contender>(
        _ store: Store, _ dataset: Dataset, visit: (Store.Record) -> Void
    ) throws {
        let ids = Array(dataset.ids.prefix(Self.questions))
        switch self {
        case .readInOneTransaction: try store.readInOneTransaction(ids: ids) { $0.map(visit) }
        case .readEach: try store.readOneByOne(ids: ids) { $0.map(visit) }
        case .lookUp:
            try store.lookUp(names: Array(dataset.names.prefix(Self.questions))) { $0.forEach(visit) }
        case .scan, .bulkInsert, .insertEach: try store.stream(visit)
        }
    }

    /// Half of the items come before, so that the stores have grown and made what they make once.
    private func countInserts<Store: Contender>(
        into store: Store, _ dataset: Dataset, _ insert: ([Store.Record]) throws -> Void
    ) throws -> AllocationCount {
        let records = dataset.records(as: Store.Record.self)
        let half = records.count / 2
        try insert(Array(records[..<half]))
        let rest = Array(records[half...].prefix(Self.questions))
        allocation_count_start()
        try insert(rest)
        return AllocationCount(all: Double(allocation_count_stop()) / Double(rest.count), strings: 0)
    }
}

extension Restaurant {
    /// How many of its texts are too long to lie inside a `String`.
    fileprivate var allocatedStrings: Int {
        let longestInline = 15
        return [name, city, note ?? ""].count { $0.utf8.count > longestInline }
    }
}
