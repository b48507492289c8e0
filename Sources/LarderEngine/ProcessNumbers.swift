package import LarderKernel

/// The number that this process has in the identifiers of items, which no other process has that shares a store with it.
///
///     let number = try ProcessNumbers.shared.take(in: locks, at: path)
///     …
///     number?.release()
///
/// Each store that may be written to has a lock for each number (``NumberLocks``), and this process holds the one of its
/// own. If another process has the number in a store that is being opened, this process continues with one that
/// is free in all its stores.
///
/// *Rule:* if a store has no such locks, the number stays random.
package final class ProcessNumbers: Sendable {
    package static let shared = ProcessNumbers(of: .shared)

    /// The number of numbers, and so of processes that can share a store.
    package static let count = 1024

    private struct State {
        let forkCount = ForkCount()
        /// The locks of the stores that are open.
        var locks: [any NumberLocks] = []
    }

    private let generator: ItemIDGenerator
    private let state = Locked(State())

    /// - Parameter generator: Makes the identifiers.
    package init(of generator: ItemIDGenerator) {
        self.generator = generator
    }

    /// Takes a number for a store that is being opened; nil if it has no locks.
    ///
    /// The locks are closed then, and if it throws.
    ///
    /// - Parameter path: The place of the store, for errors.
    /// - Throws: `.busy` when processes that share stores with this one have all numbers; the errors of the locks.
    package func take(in locks: any NumberLocks, at path: String) throws(DataStoreError) -> HeldNumber? {
        do throws(DataStoreError) {
            if try add(locks, at: path) { return HeldNumber(locks: locks, numbers: self) }
        } catch {
            locks.close()
            throw error
        }
        locks.close()
        return nil
    }

    private func add(_ added: any NumberLocks, at path: String) throws(DataStoreError) -> Bool {
        try state.withLock { state throws(DataStoreError) in
            // A forked process has no stores of its own yet. The other one's locks do not change.
            if !state.forkCount.isCurrent { state = State() }
            let current = generator.process
            for step in 0..<UInt16(Self.count) {
                let number = (current &+ step) % UInt16(Self.count)
                let others = step == 0 ? [] : state.locks
                switch try Self.lock(number, in: [added] + others) {
                case .unsupported: return false
                case .taken: continue
                case .locked: break
                }
                // The old number is free once no identifier has it any more.
                generator.take(process: number)
                for other in others { other.unlock(number: current) }
                state.locks.append(added)
                return true
            }
            throw DataStoreError(
                .busy, "All \(Self.count) numbers for processes that share a store are in use.",
                advice: "Open the store in fewer processes, or read-only.", path: path)
        }
    }

    /// Locks a number in all stores or in none.
    private static func lock(
        _ number: UInt16, in all: [any NumberLocks]
    ) throws(DataStoreError) -> LockOutcome {
        var locked: [any NumberLocks] = []
        func unlock() { for locks in locked { locks.unlock(number: number) } }
        for locks in all {
            do throws(DataStoreError) {
                let outcome = try locks.lock(number: number)
                guard outcome == .locked else {
                    unlock()
                    return outcome
                }
            } catch {
                unlock()
                throw error
            }
            locked.append(locks)
        }
        return .locked
    }

    fileprivate func release(_ locks: any NumberLocks) {
        remove(locks)
        locks.close()
    }

    fileprivate func remove(_ locks: any NumberLocks) {
        state.withLock { $0.locks.removeAll { $0 === locks } }
    }

    fileprivate func renew(_ locks: any NumberLocks, at path: String) throws(DataStoreError) {
        remove(locks)
        _ = try add(locks, at: path)
    }
}

/// The locks of one store, one for each number that a process may have in it.
///
/// *Rule:* the system or the server frees them with the process, however it ends.
package protocol NumberLocks: AnyObject, Sendable {
    /// Locks a number unless another process has it.
    func lock(number: UInt16) throws(DataStoreError) -> LockOutcome

    func unlock(number: UInt16)

    /// Gives all locks back.
    func close()
}

/// The outcome of an attempt to lock something.
package enum LockOutcome: Sendable {
    case locked
    /// Another process, or another opening, has it locked.
    case taken
    /// There are no such locks here.
    case unsupported
}

/// The number of this process in one store that is open.
package struct HeldNumber: Sendable {
    fileprivate let locks: any NumberLocks
    fileprivate let numbers: ProcessNumbers

    /// *Rule:* the engine has closed the store, and the process was not forked meanwhile.
    package func release() { numbers.release(locks) }

    /// Takes a number again, and another one if it is not free any more, after the locks were lost with a connection.
    ///
    /// *Rule:* if it throws, no number is held in this store, and it must be called again.
    package func renew(at path: String) throws(DataStoreError) { try numbers.renew(locks, at: path) }
}
