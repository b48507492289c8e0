import Foundation

/// A thread that changes one item after the other, each in a commit of its own, until it is stopped.
final class RestlessWriter: Sendable {
    private let isStopped = SharedValue(false)
    private let failure = SharedValue<(any Error)?>(nil)
    private let started = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init<Store: Contender>(_ store: Store, ids: [Int64]) throws {
        // Only this thread uses the door that is lent to it.
        let door = Loan(try store.forAnotherThread())
        let isSame = door.value === store
        let thread = Thread { [self] in
            defer { ended.signal() }
            do {
                try write(to: door.value, ids: ids)
                if !isSame { try door.value.close() }
            } catch {
                failure.value = error
                started.signal()
            }
        }
        thread.start()
    }

    func waitForFirstCommit() {
        started.wait()
    }

    /// Returns when the thread has ended; may be called again.
    func stop() {
        guard !isStopped.value else { return }
        isStopped.value = true
        ended.wait()
    }

    func rethrow() throws {
        if let failure = failure.value { throw failure }
    }

    private func write<Store: Contender>(to store: Store, ids: [Int64]) throws {
        var commits = 0
        while !isStopped.value {
            try store.mirror(ids: [ids[commits % ids.count]])
            commits += 1
            if commits == 1 { started.signal() }
        }
    }
}
