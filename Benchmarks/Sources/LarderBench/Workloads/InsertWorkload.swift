/// Items inserted into an empty store one by one, in whatever way; all are deleted when the clock has stopped.
protocol InsertWorkload: StoreWorkload {
    func insert<Store: Contender>(_ records: [Store.Record], into store: Store) throws
}

extension InsertWorkload {
    var contents: StoreContents { .nothingAtFirst }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let records = load.records(as: Store.Record.self)
        try insert(records, into: store)
        try store.checkScan(finds: Array(load.dataset.restaurants.prefix(load.count)))
        try store.delete(records)
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.records(as: Store.Record.self)
        let time = try load.nanosecondsPerOperation { try insert(records, into: store) }
        try store.delete(records)
        return time
    }
}
