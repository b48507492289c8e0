extension Contender {
    /// Runs a workload once; answers the nanoseconds per operation.
    ///
    /// A scan's array is released after the clock stops. Scans are bimodal (265 / 360 ns per row were seen)
    /// with glibc's trim and mmap thresholds; the shuffled order spreads that evenly over the contenders.
    func time(_ workload: Workload, on dataset: Dataset) throws -> Double {
        let count = workload.operationCount(items: dataset.restaurants.count)
        switch workload {
        case .bulkInsert:
            let records = dataset.records(as: Record.self)
            return try nanoseconds(per: count) { try insertInOneTransaction(records) }
        case .insertEachNormal, .insertEachDurable:
            let records = Array(dataset.records(as: Record.self).prefix(count))
            return try nanoseconds(per: count) { try insertOneByOne(records) }
        case .groupCommit:
            let records = Array(dataset.records(as: Record.self).prefix(count))
            return try nanoseconds(per: count) { try insertInGroups(records) }
        case .readInOneTransaction:
            let ids = Array(dataset.ids.prefix(count))
            return try nanoseconds(per: count) { try readInOneTransaction(ids: ids) { blackHole($0) } }
        case .readEach:
            let ids = Array(dataset.ids.prefix(count))
            return try nanoseconds(per: count) { try readOneByOne(ids: ids) { blackHole($0) } }
        case .scan:
            var records: [Record] = []
            let time = try nanoseconds(per: count) { records = try scan() }
            blackHole(records)
            return time
        case .nameLookup:
            let names = Array(dataset.names.prefix(count))
            return try nanoseconds(per: count) { try lookUp(names: names) { blackHole($0) } }
        }
    }

    private func nanoseconds(per count: Int, _ work: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(work)
        return duration / .nanoseconds(1) / Double(count)
    }
}
