import Dispatch
import Foundation

/// Waits until many blocks have called back, and keeps the first failure.
final class PendingCompletions: @unchecked Sendable {
    // reason: `failure` is only touched with `lock` held, and a group may be used from any thread.
    private let group = DispatchGroup()
    private let lock = NSLock()
    private var failure: (any Error)?

    /// Called before a block is given to the store.
    func expectOne() {
        group.enter()
    }

    func arrive(with result: Result<Void, any Error>) {
        if case .failure(let error) = result {
            lock.withLock { failure = failure ?? error }
        }
        group.leave()
    }

    /// Throws the first failure, when all have called back.
    func wait() throws {
        group.wait()
        if let failure = lock.withLock({ failure }) { throw failure }
    }
}
