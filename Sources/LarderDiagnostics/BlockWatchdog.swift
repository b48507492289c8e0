import class Foundation.Thread
import LarderPlatform
import LarderThreads

/// Reports blocks that are open for long while they are open, for all stores of the process.
///
/// A store is listed while it is open. The first block that enters one wakes the only thread, which checks the open blocks
/// once a tick, and ends after a tick in which no block was open. *Rule:* the list's lock is taken before a gate's, and the
/// thread's after it; diagnostics are sent with none held.
package final class BlockWatchdog: Sendable {
    package static let shared: BlockWatchdog = {
        // Another thread may hold the locks at a fork, and the child does not have that thread.
        pthread_atfork(
            { processWide.lockBeforeFork() }, { processWide.unlockAfterFork() },
            { processWide.becomeAnotherProcess() })
        return processWide
    }()

    private static let processWide = BlockWatchdog()

    private struct Listed {
        // reason for unowned(unsafe): a store takes its gate out, with the list's lock held, before it releases it.
        unowned(unsafe) let gate: any WatchedGate
        let diagnostics: StoreDiagnostics
    }

    private struct Stores {
        var listed: [ObjectIdentifier: Listed] = [:]
        /// True if the process has them by a fork, and so does not use them.
        var areForeign = false
    }

    private let stores = Locked(Stores())
    private let thread = Locked((isRunning: false, wakes: 0))
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// - Parameter start: Runs a body on a new thread; returns false if there is none.
    init(startedBy start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = OSThread.start) {
        self.start = start
    }

    package func add(_ gate: any WatchedGate, _ diagnostics: StoreDiagnostics) {
        withStores { $0[ObjectIdentifier(gate)] = Listed(gate: gate, diagnostics: diagnostics) }
    }

    package func remove(_ gate: any WatchedGate) {
        withStores { _ = $0.removeValue(forKey: ObjectIdentifier(gate)) }
    }

    private func withStores<Result>(_ body: (inout [ObjectIdentifier: Listed]) -> Result) -> Result {
        stores.withLock { stores in
            if stores.areForeign { stores = Stores() }
            return body(&stores.listed)
        }
    }

    /// Starts the thread unless it runs; returns true if it runs.
    fileprivate func wake() -> Bool {
        thread.withLock {
            $0.wakes += 1
            if !$0.isRunning { $0.isRunning = start { self.watch() } }
            return $0.isRunning
        }
    }

    private func watch() {
        var isNeeded = true
        while isNeeded {
            Thread.sleep(forTimeInterval: 0.25)
            let seen = thread.withLock { $0.wakes }
            let isIdle = !reportLongBlocks()
            isNeeded = thread.withLock {
                $0.isRunning = !isIdle || $0.wakes != seen
                return $0.isRunning
            }
        }
    }

    /// Returns true if a block is open, or was since the last tick.
    private func reportLongBlocks() -> Bool {
        let busy = withStores {
            $0.values.filter { $0.gate.enqueueLongBlocks(in: $0.diagnostics) }.map(\.diagnostics)
        }
        for diagnostics in busy { diagnostics.sendQueued() }
        return !busy.isEmpty
    }
}

// A forked process has no thread but its first.
extension BlockWatchdog {
    private func lockBeforeFork() {
        stores.lockBeforeFork()
        thread.lockBeforeFork()
    }

    private func unlockAfterFork() {
        thread.unlockAfterFork()
        stores.unlockAfterFork()
    }

    /// *Rule:* asks nothing of Swift's runtime, as `ItemIDGenerator` says, so the list is emptied later.
    private func becomeAnotherProcess() {
        thread.unlockInForkedProcess { $0.isRunning = false }
        stores.unlockInForkedProcess { $0.areForeign = true }
    }
}

/// The open blocks of a store.
package protocol WatchedGate: AnyObject {
    /// Enqueues the open blocks that have become long since the last call, each before it can end.
    ///
    /// - Returns: False if no block was open since then.
    func enqueueLongBlocks(in diagnostics: StoreDiagnostics) -> Bool
}

/// The part of a store's gate that lets the ``BlockWatchdog`` see its blocks.
///
/// *Rule:* used with the gate's lock held.
@usableFromInline
package struct LongBlockWatch {
    /// The nanoseconds that a block may take; nil if long blocks are not reported.
    @usableFromInline package let limit: UInt64?
    /// True while the watchdog checks the blocks, and if one has entered since it has last done so.
    @usableFromInline var (isWatched, wasEntered) = (false, false)

    /// - Parameter limit: Up to some hundred years.
    package init(limit: UInt64?) { self.limit = limit.flatMap { $0 < .max / 2 ? $0 : nil } }

    /// Notes a block that begins now, and returns the time from which on it is long.
    @inlinable
    package mutating func enter(at time: UInt64) -> UInt64 {
        wasEntered = true
        if !isWatched { wake() }
        return time &+ (limit ?? 0)
    }

    @usableFromInline
    mutating func wake() { wake(.shared) }

    /// Wakes the watchdog; if the system gives it no thread, the next block tries again.
    mutating func wake(_ watchdog: BlockWatchdog) { isWatched = watchdog.wake() }

    /// Ends a tick; returns true if a block was open in it.
    package mutating func endTick(withOpenBlock isOpen: Bool) -> Bool {
        (isWatched, wasEntered) = (isOpen || wasEntered, false)
        return isWatched
    }

    /// The duration of a block that has taken so many nanoseconds more than it may.
    package func duration(exceedingBy excess: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: (limit ?? 0) &+ excess))
    }
}
