/// A question about all restaurants at once.
enum AggregateQuestion: String, Sendable, CaseIterable {
    case sum
    case average
    /// The lowest and the highest rating.
    case extremes
    /// How many there are of each name; most have a name of their own.
    case names

    var isIndexed: Bool {
        switch self {
        case .sum, .average: false
        case .extremes, .names: true
        }
    }
}

/// An answer: numbers, or counts by name.
enum AggregateAnswer {
    case numbers([Double])
    case names([(String, Int)])
}

/// A sum, an average, two extremes or groups of all rows.
struct Aggregates: StoreWorkload {
    let question: AggregateQuestion

    var name: String { "aggregate-\(question.rawValue)" }
    var title: String {
        switch question {
        case .sum: "sum of all"
        case .average: "average of all"
        case .extremes: "minimum and maximum on an index"
        case .names: "groups on an index, counted"
        }
    }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: question.isIndexed) }
    var contenders: Set<ContenderName> { .generalAndPlainSwift }
    var targets: [Target] {
        switch question {
        case .sum, .average: .line(sqlite: 1.3, grdb: 0.75, lmdb: 1.5)
        case .extremes: .line(grdb: 1)
        case .names: .line(sqlite: 1.3, grdb: 1, lmdb: 1.3)
        }
    }

    func operations(items: Int) -> ClosedRange<Int> { question == .extremes ? 20...5000 : 1...200 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let ratings = load.dataset.restaurants.map(\.rating)
        switch try store.aggregate(question) {
        case .numbers(let found):
            let sum = ratings.reduce(0, +)
            let expected: [Double] =
                switch question {
                case .sum: [sum]
                case .average: [sum / Double(ratings.count)]
                case .extremes, .names: [ratings.min() ?? 0, ratings.max() ?? 0]
                }
            // Those who add one number after the other differ in the last bits.
            let isRight = zip(found, expected).allSatisfy { abs($0 - $1) <= abs($1) * 1e-9 }
            guard isRight, found.count == expected.count else {
                throw WrongAnswer(asked: name, expected: expected, found: found)
            }
        case .names(let found):
            let expected = Dictionary(grouping: load.dataset.restaurants, by: \.name).mapValues(\.count)
            let counts = Dictionary(found, uniquingKeysWith: +)
            guard counts == expected, found.count == expected.count else {
                throw WrongAnswer(asked: name, expected: expected.count, found: found.count)
            }
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        try load.nanosecondsPerOperation {
            for _ in 0..<load.count { blackHole(try store.aggregate(question)) }
        }
    }
}
