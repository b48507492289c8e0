import ArgumentParser

/// The rows of the table; each raw value is the word for `--workload`.
enum Workload: String, CaseIterable, Codable, ExpressibleByArgument {
    case bulkInsert = "bulk-insert"
    case insertEachNormal = "insert-each-normal"
    case insertEachDurable = "insert-each-durable"
    case groupCommit = "group-commit"
    case readInOneTransaction = "read-in-one-transaction"
    case readEach = "read-each"
    case scan = "scan"
    case nameLookup = "name-lookup"

    var title: String {
        switch self {
        case .bulkInsert: "bulk insert, one transaction"
        case .insertEachNormal: "one insert per transaction, NORMAL"
        case .insertEachDurable: "one insert per transaction, durable"
        case .groupCommit: "inserts given at once, durable"
        case .readInOneTransaction: "read by id, in one transaction"
        case .readEach: "read by id, one transaction each"
        case .scan: "full scan into an array"
        case .nameLookup: "equality on an indexed name"
        }
    }

    var storeOptions: StoreOptions {
        switch self {
        case .bulkInsert, .insertEachNormal, .readInOneTransaction, .readEach, .scan: StoreOptions()
        case .insertEachDurable, .groupCommit: StoreOptions(durability: .full)
        case .nameLookup: StoreOptions(isNameIndexed: true)
        }
    }

    /// Whether every round starts with an empty store; else one filled store serves all rounds.
    var needsEmptyStore: Bool {
        switch self {
        case .bulkInsert, .insertEachNormal, .insertEachDurable, .groupCommit: true
        case .readInOneTransaction, .readEach, .scan, .nameLookup: false
        }
    }

    /// How many operations one round times: bounded where the slowest contender would take seconds.
    func operationCount(items: Int) -> Int {
        switch self {
        case .bulkInsert, .scan: items
        case .insertEachNormal: min(items, 2000)
        case .insertEachDurable: min(items, 300)
        case .groupCommit: min(items, 1000)
        case .readInOneTransaction: min(items, 20_000)
        case .readEach, .nameLookup: min(items, 10_000)
        }
    }
}
