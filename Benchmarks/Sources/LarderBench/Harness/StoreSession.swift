import Foundation

/// One contender in a workload on a store, with its store when a filled one serves all rounds.
final class StoreSession<Task: StoreTask>: Session {
    let contender: ContenderName
    let operations: ClosedRange<Int>
    private let workload: Task
    private let setting: Setting
    /// The store that serves all rounds.
    private var kept: (store: Task.AnyStore, place: URL)?

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
                let place = try setting.folder.makeEmptyFolder()
                let store = try makeStore(in: place)
                if workload.contents == .everything {
                    try workload.fill(store, in: setting)
                    try contender.settleStore(in: place)
                }
                kept = (store, place)
            }
            try withStore { try workload.check($0, operations: checked, in: setting) }
        }
    }

    func sample(operations: Int) throws -> Double {
        try named { try withStore { try workload.sample($0, operations: operations, in: setting) } }
    }

    func close() throws {
        if let kept {
            try workload.close(kept.store)
            try contender.removeStore(in: kept.place)
        }
        kept = nil
    }

    private func withStore<Result>(_ work: (Task.AnyStore) throws -> Result) throws -> Result {
        if let kept {
            return try work(kept.store)
        }
        let place = try setting.folder.makeEmptyFolder()
        let store = try makeStore(in: place)
        let result = try work(store)
        try workload.close(store)
        try contender.removeStore(in: place)
        try FileManager.default.removeItem(at: place)
        return result
    }

    private func makeStore(in place: URL) throws -> Task.AnyStore {
        try workload.makeStore(of: contender, in: place)
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
