import ArgumentParser
import Foundation
import Larder

/// Measures what observations cost: commits that do not concern them, and requests that follow many commits.
struct ObserveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "observe", abstract: "Measures observed values, and the same beside GRDB.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many items the stores hold.")
    var count = 10_000

    @Option(help: "How many requests are observed while commits concern them.")
    var requests = 100

    @Option(help: "How many commits there are.")
    var commits = 1000

    @Option(help: "How many times each is measured, in turn; the median counts.")
    var rounds = 5

    func run() async throws {
        let data = Dataset(count: count, seed: common.seed)
        let folder = try TemporaryFolder(inside: URL(filePath: common.folder))
        try await printUntouched(data, folder)
        try await printLists(data, folder)
        for isPaced in [false, true] { try await printFollowed(data, folder, isPaced: isPaced) }
        try folder.remove()
    }

    /// Commits beside 1,000 observations that they do not concern.
    private func printUntouched(_ data: Dataset, _ folder: TemporaryFolder) async throws {
        var table = TextTable(
            header: ["engine", "commit alone", "beside 1,000 observers", "ratio", "target"], textColumns: [0])
        for engine in LarderEngine.allCases {
            reportProgress("\(engine.rawValue) …")
            let store = engine.makeStore(in: try folder.makeEmptyFolder(), storing: [LarderRestaurant.self])
            let commits = try UnconcernedCommits(in: store, data, count: commits)
            let (alone, beside) = try await commits.measure(rounds: rounds)
            table.append(
                [engine.rawValue, microseconds(alone), microseconds(beside), text(beside / alone), "1.05"],
                startsGroup: false)
            try store.tearDown()
        }
        print("\(count) items. \(Machine.facts).\n")
        print(table.text)
    }

    /// One changed item in a list of all items.
    private func printLists(_ data: Dataset, _ folder: TemporaryFolder) async throws {
        var table = TextTable(
            header: ["engine", "list", "reading it once", "one changed item", "ratio", "target"],
            textColumns: [0, 1])
        for engine in LarderEngine.allCases {
            reportProgress("lists, \(engine.rawValue) …")
            let store = engine.makeStore(in: try folder.makeEmptyFolder(), storing: [LarderRestaurant.self])
            try fill(store, from: data)
            for isSectioned in [false, true] {
                let list = FollowedList(in: store, data, isSectioned: isSectioned)
                var runs: [FollowedList.Result] = []
                for round in 0..<rounds { runs.append(try await list.measure(round: round)) }
                let run = runs.sorted { $0.updating / $0.reading < $1.updating / $1.reading }[rounds / 2]
                table.append(
                    [
                        engine.rawValue, isSectioned ? "by city and name" : "by identifier",
                        milliseconds(run.reading), milliseconds(run.updating),
                        text(run.updating / run.reading), "2",
                    ], startsGroup: false)
            }
            try store.tearDown()
        }
        print("Lists of \(count) items; processor time.\n")
        print(table.text)
    }

    private func fill(_ store: any DataStore, from data: Dataset) throws {
        try store.setup()
        let items = data.records(as: LarderRestaurant.self)
        try store.writeSync { try $0.insert(contentsOf: items) }
    }

    /// The processor time of observed requests beside commits that change their items.
    private func printFollowed(
        _ data: Dataset, _ folder: TemporaryFolder, isPaced: Bool
    ) async throws {
        var table = TextTable(
            header: ["store", "values given", "processor time", "of that, commits alone", "for following"],
            textColumns: [0])
        let work = FollowedWork(data: data, requests: requests, commits: commits, isPaced: isPaced)
        for engine in LarderEngine.allCases {
            let store = engine.makeStore(in: try folder.makeEmptyFolder(), storing: [LarderRestaurant.self])
            try await append(
                try LarderFollower(store, data), as: "larder \(engine.rawValue)", work, to: &table)
        }
        try await append(
            try GRDBFollower(in: try folder.makeEmptyFolder(), data), as: "GRDB ValueObservation", work,
            to: &table)
        let pace = isPaced ? "each when the one before was shown" : "one after the other"
        print("\(requests) observed requests, \(commits) commits that concern them, \(pace).\n")
        print(table.text)
    }

    private func append(
        _ follower: any Follower, as name: String, _ work: FollowedWork, to table: inout TextTable
    ) async throws {
        reportProgress("\(name) …")
        var runs: [FollowedWork.Result] = []
        for round in 0..<rounds { runs.append(try await work.run(on: follower, round: round)) }
        let run = runs.sorted { $0.followed < $1.followed }[rounds / 2]
        table.append(
            [
                name, "\(run.values)", milliseconds(run.followed), milliseconds(run.alone),
                milliseconds(run.followed - run.alone),
            ], startsGroup: false)
        try follower.close()
    }
}

private func text(_ value: Double) -> String { String(format: "%.2f", value) }
private func microseconds(_ nanoseconds: Double) -> String { text(nanoseconds / 1000) + " us" }
private func milliseconds(_ nanoseconds: Double) -> String { text(nanoseconds / 1_000_000) + " ms" }
