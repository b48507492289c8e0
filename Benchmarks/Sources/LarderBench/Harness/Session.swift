import Foundation

/// One contender in one workload, with its store when a filled one serves all rounds.
final class Session {
    let contender: ContenderName
    private let entry: ContenderEntry
    private let workload: Workload
    private let dataset: Dataset
    private let folder: TemporaryFolder
    private var filled: (any Contender)?

    init(_ entry: ContenderEntry, workload: Workload, dataset: Dataset, folder: TemporaryFolder) {
        contender = entry.name
        self.entry = entry
        self.workload = workload
        self.dataset = dataset
        self.folder = folder
    }

    /// Fills the store where one serves all rounds, then compares the contender's answers.
    func prepare() throws {
        do {
            if !workload.needsEmptyStore {
                let store = try makeStore(in: folder.makeEmptyFolder())
                try store.fill(from: dataset)
                filled = store
            }
            try withStore { try $0.check(workload, on: dataset) }
        } catch {
            throw SessionFailure(contender: contender, workload: workload, cause: error)
        }
    }

    /// Runs the workload once; answers the nanoseconds per operation.
    func sample() throws -> Double {
        do {
            return try withStore { try $0.time(workload, on: dataset) }
        } catch {
            throw SessionFailure(contender: contender, workload: workload, cause: error)
        }
    }

    func close() throws {
        try filled?.close()
        filled = nil
    }

    private func withStore<Result>(_ work: (any Contender) throws -> Result) throws -> Result {
        if let filled {
            return try work(filled)
        }
        let place = try folder.makeEmptyFolder()
        let store = try makeStore(in: place)
        let result = try work(store)
        try store.close()
        try FileManager.default.removeItem(at: place)
        return result
    }

    private func makeStore(in place: URL) throws -> any Contender {
        try entry.make(place, workload.storeOptions)
    }
}

extension Contender {
    fileprivate func fill(from dataset: Dataset) throws {
        try insertInOneTransaction(dataset.records(as: Record.self))
    }
}

/// Says which contender failed in which workload.
struct SessionFailure: Error, CustomStringConvertible {
    let contender: ContenderName
    let workload: Workload
    let cause: any Error

    var description: String {
        "\(contender.rawValue) failed in \(workload.rawValue): \(cause)"
    }
}
