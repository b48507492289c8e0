extension Contender {
    /// Runs a workload once and compares every answer with the dataset's; throws on the first difference.
    func check(_ workload: Workload, on dataset: Dataset) throws {
        let count = workload.operationCount(items: dataset.restaurants.count)
        switch workload {
        case .bulkInsert:
            try insertInOneTransaction(dataset.records(as: Record.self))
            try checkScan(finds: dataset.restaurants)
        case .insertEachNormal, .insertEachDurable:
            try insertOneByOne(Array(dataset.records(as: Record.self).prefix(count)))
            try checkScan(finds: Array(dataset.restaurants.prefix(count)))
        case .groupCommit:
            try insertInGroups(Array(dataset.records(as: Record.self).prefix(count)))
            try checkScan(finds: Array(dataset.restaurants.prefix(count)))
        case .readInOneTransaction:
            try checkReads(on: dataset, count: count) { try readInOneTransaction(ids: $0, visit: $1) }
        case .readEach:
            try checkReads(on: dataset, count: count) { try readOneByOne(ids: $0, visit: $1) }
        case .scan:
            try checkScan(finds: dataset.restaurants)
        case .nameLookup:
            try checkLookups(on: dataset, count: count)
        }
    }

    private func checkScan(finds expected: [Restaurant]) throws {
        try compare(found: scan().map(\.restaurant), expected: expected, asked: "everything")
    }

    private func checkReads(
        on dataset: Dataset, count: Int, read: ([Int64], (Record?) -> Void) throws -> Void
    ) throws {
        let unknown = [0, Int64(dataset.restaurants.count) + 1]
        let ids = dataset.ids.prefix(count) + unknown
        var found: [Restaurant?] = []
        try read(Array(ids)) { found.append($0?.restaurant) }
        try compareCounts(found.count, ids.count, asked: "\(ids.count) ids")
        for (id, answer) in zip(ids, found) where answer != dataset.restaurant(id: id) {
            throw WrongAnswer(asked: "id \(id)", expected: dataset.restaurant(id: id), found: answer)
        }
    }

    private func checkLookups(on dataset: Dataset, count: Int) throws {
        let names = dataset.names.prefix(count) + (0..<2).map { RestaurantGenerator.unknownName($0) }
        var found: [[Restaurant]] = []
        try lookUp(names: Array(names)) { found.append($0.map(\.restaurant)) }
        try compareCounts(found.count, names.count, asked: "\(names.count) names")
        for (name, answer) in zip(names, found) {
            try compare(found: answer, expected: dataset.restaurants(named: name), asked: "name \(name)")
        }
    }

    /// The order of rows is not part of what is asked, so both sides are compared by id.
    private func compare(found: [Restaurant], expected: [Restaurant], asked: String) throws {
        try compareCounts(found.count, expected.count, asked: asked)
        for (answer, right) in zip(found.sorted { $0.id < $1.id }, expected) where answer != right {
            throw WrongAnswer(asked: asked, expected: right, found: answer)
        }
    }

    private func compareCounts(_ found: Int, _ expected: Int, asked: String) throws {
        guard found == expected else {
            throw WrongAnswer(asked: asked, expected: "\(expected) answers", found: "\(found)")
        }
    }
}
