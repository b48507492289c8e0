import Foundation
import Larder

/// Runs bodies side by side, each on a thread of its own, and waits for all of them.
///
/// Tasks would not do: they share as many threads as there are processors, and these bodies wait.
///
/// - Throws: The first error of a body.
func sideBySide(_ bodies: [@Sendable () throws -> Void]) throws {
    let failure = Locked<(any Error)?>(nil)
    let group = DispatchGroup()
    for body in bodies {
        group.enter()
        Thread {
            do {
                try body()
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
            group.leave()
        }.start()
    }
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
}
