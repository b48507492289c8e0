import Foundation

/// One contender in a workload on a store, with its store when a filled one serves all rounds.
final class StoreSession<Task: StoreWorkload>: Session {
    let contender: ContenderName
    let operations: ClosedRange<Int>
    private let workload: Task
    private let setting: Setting
    /// The store that serves all rounds.
    private var kept: (any Contender)?

    init(_ contender: ContenderName, workload: Task, setting: Setting) {
        self.contender = contender
        operations = workload.operations(items: setting.dataset.restaurants.count)
        self.workload = workload
        self.setting = setting
    }

    /// Makes the store where one serves all rounds, then compares the contender's answers.
    func prepare() throws {
        // All answers of a few hundred questions, and of those that are asked once.
        let checked = min(operations.upperBound, max(operations.lowerBound, 500))
        try named {
            if workload.contents != .nothing {
                let store = try makeStore(in: setting.folder.makeEmptyFolder())
                if workload.contents == .everything { try store.fill(from: setting.dataset) }
                kept = store
            }
            try withStore { try workload.check($0, load(of: checked)) }
        }
    }

    func sample(operations: Int) throws -> Double {
        try named { try withStore { try workload.sample($0, load(of: operations)) } }
    }

    func close() throws {
        try kept?.close()
        kept = nil
    }

    private func load(of count: Int) -> Load {
        Load(dataset: setting.dataset, count: count, time: setting.sampleTime)
    }

    private func withStore<Result>(_ work: (any Contender) throws -> Result) throws -> Result {
        if let kept {
            return try work(kept)
        }
        let place = try setting.folder.makeEmptyFolder()
        let store = try makeStore(in: place)
        let result = try work(store)
        try store.close()
        try FileManager.default.removeItem(at: place)
        return result
    }

    private func makeStore(in place: URL) throws -> any Contender {
        try contender.makeContender(in: place, options: workload.storeOptions)
    }

    private func named<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch {
            throw SessionFailure(contender: contender, workload: workload.name, cause: error)
        }
    }
}

extension RestaurantWriting {
    func fill(from dataset: Dataset) throws {
        try insertInOneTransaction(dataset.records(as: Record.self))
    }
}

/// Says which contender failed in which workload.
struct SessionFailure: Error, CustomStringConvertible {
    let contender: ContenderName
    let workload: String
    let cause: any Error

    var description: String {
        "\(contender.rawValue) failed in \(workload): \(cause)"
    }
}
