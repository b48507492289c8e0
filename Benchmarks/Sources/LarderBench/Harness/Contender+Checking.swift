/// Answers compared with the dataset's; each function throws on the first difference.
extension Contender {
    func checkScan(finds expected: [Restaurant]) throws {
        try compare(found: scan().map(\.restaurant), expected: expected, asked: "everything")
    }

    func checkReads(
        of dataset: Dataset, ids: [Int64], read: ([Int64], (Record?) -> Void) throws -> Void
    ) throws {
        let ids = ids + [0, Int64(dataset.restaurants.count) + 1]
        var found: [Restaurant?] = []
        try read(ids) { found.append($0?.restaurant) }
        try compareCounts(found.count, ids.count, asked: "\(ids.count) ids")
        for (id, answer) in zip(ids, found) where answer != dataset.restaurant(id: id) {
            throw WrongAnswer(asked: "id \(id)", expected: dataset.restaurant(id: id), found: answer)
        }
    }

    /// The order of rows is not part of what is asked, so both sides are compared by id.
    func compare(found: [Restaurant], expected: [Restaurant], asked: String) throws {
        try compareInOrder(found: found.sorted { $0.id < $1.id }, expected: expected, asked: asked)
    }

    func compareInOrder(found: [Restaurant], expected: [Restaurant], asked: String) throws {
        try compareCounts(found.count, expected.count, asked: asked)
        for (answer, right) in zip(found, expected) where answer != right {
            throw WrongAnswer(asked: asked, expected: right, found: answer)
        }
    }

    func compareCounts(_ found: Int, _ expected: Int, asked: String) throws {
        guard found == expected else {
            throw WrongAnswer(asked: asked, expected: "\(expected) answers", found: "\(found)")
        }
    }
}
