import Foundation

/// A workload on stores, of whichever items: what ``StoreSession`` needs of it.
protocol StoreTask: Workload {
    /// Any store that holds these items, as `any Contender`.
    associatedtype AnyStore

    var contents: StoreContents { get }

    /// How many operations one sample may have; the harness picks a number by the slowest contender.
    func operations(items: Int) -> ClosedRange<Int>

    /// Makes a contender's empty store in an empty folder.
    func makeStore(of contender: ContenderName, in folder: URL) throws -> AnyStore

    func fill(_ store: AnyStore, in setting: Setting) throws

    /// Compares the answers to so many questions with the right ones; throws on the first difference.
    func check(_ store: AnyStore, operations: Int, in setting: Setting) throws

    /// Runs the workload once; answers its figure per operation.
    func sample(_ store: AnyStore, operations: Int, in setting: Setting) throws -> Double

    func close(_ store: AnyStore) throws
}

extension StoreTask {
    var contents: StoreContents { .everything }

    func makeSession(for contender: ContenderName, in setting: Setting) -> any Session {
        StoreSession(contender, workload: self, setting: setting)
    }
}

/// What a workload finds in its store.
enum StoreContents {
    /// Nothing: every sample has a store of its own.
    case nothing
    /// Nothing at first; one store serves all rounds, and a sample leaves it as it was.
    case nothingAtFirst
    /// All items; one store serves all rounds, and a sample leaves it as it was.
    case everything
}
