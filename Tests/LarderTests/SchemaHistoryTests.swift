import Larder
import Testing

@testable import AdapterTestSupport

/// The forms of a history, the current version, its ways and its mistakes.
struct SchemaHistoryTests {
    /// Versions that differ in nothing but their names.
    static func versions(_ names: [String]) -> [SchemaVersion] {
        names.map { SchemaVersion($0, describedBy: "A\n  id: uuid\n  v\($0): string?") }
    }

    static func way(_ history: SchemaHistory, _ start: String, _ end: String) throws -> [String] {
        try history.way(from: start, to: end).map(\.description)
    }

    private static func mistake(_ history: SchemaHistory) -> String {
        let error = thrown { try history.validate() }
        #expect(error?.code == .invalidSchema)
        // All that asks the history throws the same.
        #expect(thrown { try history.current() }?.message == error?.message)
        #expect(thrown { try history.way(from: "1", to: "1") }?.message == error?.message)
        #expect(thrown { try history.version(of: .empty) }?.message == error?.message)
        #expect(thrown { try history.lock() }?.message == error?.message)
        return error?.message ?? ""
    }

    @Test func `the order of the versions is the way, in every form`() throws {
        let array: SchemaHistory = [
            SchemaVersion("1", storing: [Dish.First.self]), SchemaVersion("2", storing: [Dish.Second.self]),
            SchemaVersion("3", storing: [Dish.Bare.self]),
        ]
        let dictionary: SchemaHistory = [
            "1": [Dish.First.self], "2": [Dish.Second.self], "3": [Dish.Bare.self],
        ]
        let built = SchemaHistory {
            SchemaVersion("1", storing: [Dish.First.self])
            SchemaStep(from: "1", to: "2")
            for (name, type) in [("2", Dish.Second.self), ("3", Dish.Bare.self)]
                as [(String, any DataStoreItem.Type)]
            {
                SchemaVersion(name, storing: [type])
            }
        }
        for history in [array, dictionary, built] {
            #expect(history.chain == ["1", "2", "3"])
            #expect(try history.current().name == "3")
            #expect(try Self.way(history, "1", "3") == ["1 → 2", "2 → 3"])
            #expect(try Self.way(history, "2", "3") == ["2 → 3"])
            #expect(try Self.way(history, "3", "3") == [])
            #expect(try history.lock() == (try array.lock()))
        }
    }

    @Test func `a chain leads each version to its leaf, which is the current version`() throws {
        let history = SchemaHistory(
            Self.versions(["4", "3", "2", "1"]), chain: ["1": "3", "2": "4", "3": "4"])
        let built = SchemaHistory {
            for version in Self.versions(["1", "2", "3", "4"]) { version }
            ["1", "3", "4"]
            ["2", "4"]
        }
        for history in [history, built] {
            #expect(try history.current().name == "4")
            #expect(try Self.way(history, "1", "4") == ["1 → 3", "3 → 4"])
            #expect(try Self.way(history, "2", "4") == ["2 → 4"])
        }
    }

    @Test(arguments: [nil, [], [:], "3"] as [SchemaChain])
    func `without a chain each version leads directly to the current version`(chain: SchemaChain) throws {
        let history = SchemaHistory(Self.versions(["1", "2", "3"]), chain: chain, current: "3")

        #expect(try Self.way(history, "1", "3") == ["1 → 3"])
        #expect(try Self.way(history, "2", "3") == ["2 → 3"])
        #expect(code { try history.way(from: "1", to: "2") } == .schemaMismatch)
    }

    @Test func `a single version needs no chain`() throws {
        for history in [
            SchemaHistory(Self.versions(["1"])), SchemaHistory(Self.versions(["1"]), chain: nil),
            SchemaHistory(Self.versions(["1"]), chain: "1"), ["1": [Dish.First.self]],
        ] {
            #expect(try history.current().name == "1")
            #expect(try Self.way(history, "1", "1") == [])
        }
    }

    @Test
    func `the current version may be another than the newest, and newer stores need steps down`() throws {
        let up = SchemaHistory(Self.versions(["1", "2", "3", "4"]), current: "2")
        let down = SchemaHistory(
            Self.versions(["1", "2", "3", "4"]),
            steps: [SchemaStep(from: "4", to: "3"), SchemaStep(from: "3", to: "2")], current: "2")

        #expect(try up.current().name == "2")
        #expect(try Self.way(up, "1", "2") == ["1 → 2"])
        let error = thrown { try up.way(from: "4", to: "2") }
        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message == "No way leads down from version 4 to version 2, only up: 2 → 3 → 4.")
        #expect(try Self.way(down, "4", "2") == ["4 → 3", "3 → 2"])
        #expect(try Self.way(down, "1", "4") == ["1 → 2", "2 → 3", "3 → 4"])
        #expect(code { try down.way(from: "2", to: "1") } == .schemaMismatch)
    }

    @Test func `declared steps are taken where the way passes, all others are inferred`() throws {
        let history = SchemaHistory {
            for version in Self.versions(["1", "2", "3"]) { version }
            SchemaStep(from: "2", to: "3") { Delete("A") }
        }

        #expect(try history.way(from: "1", to: "3").map(\.mappings.count) == [0, 1])
    }

    @Test(
        arguments: [
            ([], nil, nil, "it has no versions."),
            (["1", "1"], nil, nil, "two versions are called 1."),
            ([""], nil, nil, "the name of a version is empty."),
            (["a\nb"], nil, nil, "the name of a version holds a control character."),
            ([" a"], nil, nil, "the name of a version begins or ends with a space."),
            (["1", "2"], ["1", "2", "1"], nil, "1 stands twice in the chain 1 → 2 → 1."),
            (
                ["1", "2", "3"], ["1": "2", "2": "3", "3": "1"], nil,
                "The versions form a loop: 3 → 1 → 2 → 3."
            ),
            (["1", "2", "3"], ["1": "2", "1": "3"], nil, "Two ways lead on from 1: 1 → 2 and 1 → 3."),
            (
                ["1", "2"], ["1", "2", "3"], nil,
                "its chain (1 → 2 → 3) names 3, which is not one of its versions."
            ),
            (["1", "2"], nil, "3", "the current version should be 3, which is not one of its versions."),
            (["1", "2"], [], nil, "any of 1, 2 may be the current version, as none leads to another."),
            (
                ["1", "2", "3"], ["1", "2"], nil,
                "any of 2, 3 may be the current version, as none leads to another."
            ),
            (
                ["1", "2", "3", "4"], ["1": "2", "3": "4"], "4",
                "no way leads from version 1 to the current version 4: 1 → 2."
            ),
            (
                ["1", "2", "3"], ["2": "3"], "3",
                "no way leads from version 1 to the current version 3: nothing comes after it."
            ),
            (
                ["1", "2", "3", "4"], ["1": "3", "2": "4", "3": "4"], "2",
                "no way leads from version 1 to the current version 2: 1 → 3 → 4."
            ),
        ] as [([String], SchemaChain?, String?, String)])
    func `a mistake is an error that draws the way`(
        names: [String], chain: SchemaChain?, current: String?, message: String
    ) {
        let versions = Self.versions(names)
        let history =
            chain.map { SchemaHistory(versions, chain: $0, current: current) }
            ?? SchemaHistory(versions, current: current)

        #expect(Self.mistake(history).hasSuffix(message), "\(Self.mistake(history))")
    }

    @Test(
        arguments: [
            ([("1", "5")], "the step 1 → 5 names 5, which is not one of its versions."),
            ([("2", "2")], "the step 2 → 2 leads nowhere."),
            ([("1", "2"), ("1", "2")], "the step 1 → 2 is declared twice."),
            ([("1", "3")], "two ways lead from 1 to 3: 1 → 2 → 3 by its chain, and the step 1 → 3."),
            (
                [("3", "2"), ("2", "1"), ("3", "1")],
                "two ways lead down from 3 to 1: 3 → 2 → 1 and 3 → 1."
            ),
        ] as [([(String, String)], String)])
    func `a step that no way takes, or that makes a second way, is an error`(
        steps: [(String, String)], message: String
    ) {
        let history = SchemaHistory(
            Self.versions(["1", "2", "3"]), steps: steps.map { SchemaStep(from: $0.0, to: $0.1) })

        #expect(Self.mistake(history).hasSuffix(message), "\(Self.mistake(history))")
    }

    @Test func `a step beside the chain names the way to add`() {
        let history = SchemaHistory(
            Self.versions(["1", "2", "3"]), chain: ["1": "3", "2": "3"],
            steps: [SchemaStep(from: "1", to: "2")])

        #expect(Self.mistake(history).hasSuffix("the step 1 → 2 is on no way of its chain (1 → 3, 2 → 3)."))
        #expect(
            thrown { try history.validate() }?.advice
                == "Add \"1\": \"2\" to the chain, or remove the step.")
    }

    @Test func `a version whose types or text are wrong is named`() {
        let history = SchemaHistory([
            SchemaVersion("1", describedBy: "A\n  id: uuid\n  b: oops"),
            SchemaVersion("2", storing: [Dish.First.self]),
        ])

        #expect(
            Self.mistake(history) == """
                Version 1 of the schema is wrong. "oops" is not a type of attributes in line 3 of the description \
                of a schema.
                    b: oops
                """)
        #expect(
            Self.mistake(["1": [Dish.First.self, Dish.Second.self]])
                == "Version 1 of the schema is wrong. Two item types are stored under the name \"Dish\".")
    }

    @Test func `a version that is not there has no way`() {
        let history = SchemaHistory(Self.versions(["1", "2"]))

        #expect(
            thrown { try history.way(from: "0", to: "2") }?.message
                == "The history has no version 0, only 1, 2.")
    }

    /// Random chains and steps, beside ways found by trying all.
    @Test func `ways and mistakes are those that trying everything finds`() {
        var seed = Seed.ofProcess()
        var valid = 0
        for _ in Repetitions.rounds(400, long: 20_000) {
            let model = HistoryModel(by: &seed)
            let history = SchemaHistory(
                Self.versions(model.names), chain: SchemaChain(ways: model.ways),
                steps: model.steps.map { SchemaStep(from: $0.0, to: $0.1) }, current: model.current)
            let isValid = thrown { try history.validate() } == nil

            #expect(isValid == model.isValid, "\(seed) \(model)")
            guard isValid, model.isValid else { continue }
            valid += 1
            for start in model.names {
                for end in model.names {
                    let way = try? history.way(from: start, to: end)
                    #expect(
                        way.map { [start] + $0.map(\.to) } == model.way(from: start, to: end),
                        "\(seed) \(model) \(start) \(end)")
                }
            }
        }
        #expect(valid > 20)
    }
}

/// A history as pairs of names, whose ways are found by trying all paths.
private struct HistoryModel {
    let names: [String]
    let ways: [(String, String)]
    let steps: [(String, String)]
    let current: String

    init(by seed: inout Seed) {
        let count = 1 + seed.number(below: 6)
        names = (1...count).map(String.init)
        // Mostly up, so that many are valid.
        var ways: [(String, String)] = []
        for number in 1..<max(2, count) where count > 1 && !seed.oneIn(12) {
            let next = number + 1 + seed.number(below: min(2, count - number))
            ways.append((String(number), seed.oneIn(25) ? seed.pick(names) : String(next)))
        }
        if seed.oneIn(20), count > 1 { ways.append((seed.pick(names), seed.pick(names))) }
        var steps: [(String, String)] = []
        for _ in 0..<seed.number(below: 4) where count > 1 {
            if seed.oneIn(3) {
                steps.append((seed.pick(names), seed.pick(names)))
            } else if let way = seed.pickOrNil(ways.isEmpty ? [("1", "2")] : ways) {
                steps.append(seed.oneIn(2) ? way : (way.1, way.0))
            }
        }
        self.ways = ways
        self.steps = steps
        current = seed.oneIn(3) ? seed.pick(names) : String(count)
    }

    private var ups: [(String, String)] {
        ways.isEmpty ? names.filter { $0 != current }.map { ($0, current) } : ways
    }

    private func paths(_ start: String, _ end: String, _ edges: [(String, String)]) -> [[String]] {
        func go(_ path: [String]) -> [[String]] {
            let last = path[path.count - 1]
            if last == end { return [path] }
            return edges.filter { $0.0 == last && !path.contains($0.1) }.flatMap { go(path + [$0.1]) }
        }
        return go([start])
    }

    private var downs: [(String, String)] {
        steps.filter { step in
            step.0 != step.1 && paths(step.0, step.1, ups).isEmpty && !paths(step.1, step.0, ups).isEmpty
        }
    }

    var isValid: Bool {
        if Set(ways.map(\.0)).count < ways.count || ways.contains(where: { $0.0 == $0.1 }) { return false }
        if ways.contains(where: { !paths($0.1, $0.0, ways).isEmpty }) { return false }
        let known = Set(steps.map { "\($0) \($1)" })
        if known.count < steps.count { return false }
        let isPlaced = steps.allSatisfy { step in
            ups.contains { $0 == step } || downs.contains { $0 == step }
        }
        let isSingle = names.allSatisfy { start in
            names.allSatisfy { paths(start, $0, downs).count < 2 }
        }
        return isPlaced && isSingle
            && names.allSatisfy { way(from: $0, to: current) != nil || !paths(current, $0, ups).isEmpty }
    }

    func way(from start: String, to end: String) -> [String]? {
        paths(start, end, ups).first ?? paths(start, end, downs).first
    }
}
