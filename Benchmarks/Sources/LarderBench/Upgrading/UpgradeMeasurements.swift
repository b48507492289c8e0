import Foundation

/// The upgrades of one engine: the raw engine and Larder in turn, each in a fresh copy of its file.
struct UpgradeMeasurements {
    private let raw: any UpgradeContender
    private let larder: [UpgradePlace: LarderUpgrade]
    private let recipes: RecipesBeforeUpgrade
    private let folder: TemporaryFolder

    /// What was measured for one work.
    struct Result {
        var raw: [UpgradeTime] = []
        var larder: [UpgradePlace: [UpgradeTime]] = [:]
        /// Copies of Larder's file, as `in a copy` makes one too.
        var copies: [UpgradeTime] = []
    }

    init(of engine: UpgradeEngine, _ recipes: RecipesBeforeUpgrade, in folder: TemporaryFolder) throws {
        self.recipes = recipes
        self.folder = folder
        let place = try folder.makeEmptyFolder()
        let file = place.appending(path: "larder.store")
        larder = Dictionary(
            uniqueKeysWithValues: UpgradePlace.allCases.map {
                ($0, LarderUpgrade(original: file, engine: engine, place: $0))
            })
        try larder[.inPlace]?.fill(from: recipes)
        switch engine {
        case .sqlite: raw = RawSQLiteUpgrade(original: file)
        case .lmdb:
            let rawLMDB = RawLMDBUpgrade(original: place.appending(path: "raw.store"))
            try rawLMDB.fill(from: recipes)
            raw = rawLMDB
        }
    }

    /// Checks each contender once and measures it several times, in an order that turns with each round.
    func measure(_ work: UpgradeWork, rounds: Int) throws -> Result {
        var result = Result()
        let expected = expectedAnswer(after: work)
        for round in 0...rounds {
            let order = [0, 1, 2].map { ($0 + round) % 3 }
            for number in order {
                let place = number == 0 ? nil : UpgradePlace.allCases[number - 1]
                let contender = place.flatMap { larder[$0] } ?? raw
                let (time, copy) = try sample(contender, work, checking: round == 0 ? expected : nil)
                if round == 0 { continue }
                if let place {
                    result.larder[place, default: []].append(time)
                    result.copies.append(copy)
                } else {
                    result.raw.append(time)
                }
            }
        }
        return result
    }

    /// The peak memory of a process of its own for an upgrade, in bytes.
    ///
    /// - Parameter place: Nil for the raw engine.
    func memory(of work: UpgradeWork, _ engine: UpgradeEngine, _ place: UpgradePlace?) throws -> Int {
        let contender = place.flatMap { larder[$0] } ?? raw
        return try withCopy(of: contender) { file in
            try UpgradeMemoryCommand.run(engine, place, work, on: file)
        }
    }

    private func sample(
        _ contender: any UpgradeContender, _ work: UpgradeWork, checking expected: UpgradeAnswer?
    ) throws -> (upgrade: UpgradeTime, copy: UpgradeTime) {
        var copy: UpgradeTime?
        let upgrade = try withCopy(of: contender, timing: &copy) { file in
            let time = try UpgradeTime.measure { try contender.upgrade(file, by: work) }
            if let expected {
                let found = try contender.answer(in: file, after: work)
                guard found == expected else {
                    throw WrongAnswer(asked: work.title, expected: "\(expected)", found: "\(found)")
                }
            }
            return time
        }
        return (upgrade, copy ?? UpgradeTime(elapsed: 0, processor: 0))
    }

    private func withCopy<Value>(
        of contender: any UpgradeContender, _ body: (URL) throws -> Value
    ) throws -> Value {
        var time: UpgradeTime?
        return try withCopy(of: contender, timing: &time, body)
    }

    private func withCopy<Value>(
        of contender: any UpgradeContender, timing time: inout UpgradeTime?, _ body: (URL) throws -> Value
    ) throws -> Value {
        let place = try folder.makeEmptyFolder()
        let file = place.appending(path: "copy.store")
        time = try UpgradeTime.measure { try FileManager.default.copyItem(at: contender.original, to: file) }
        let value = try body(file)
        try FileManager.default.removeItem(at: place)
        return value
    }

    private func expectedAnswer(after work: UpgradeWork) -> UpgradeAnswer {
        var answer = UpgradeAnswer()
        recipes.forEachPiece { piece in
            for recipe in piece {
                answer.rows += 1
                answer.sum += Int64(recipe.minutes) * work.checkedFactor
                answer.titleBytes += recipe.title.utf8.count
            }
        }
        return answer
    }
}
