import LarderEngine
package import LarderKernel
import LarderPlatform

/// Runs a check soon after files were written to, until it is ended.
///
/// An engine writes a commit to its file before the commit can be read: the wait for the disk may come in between.
/// So the check runs at once and then again after 1, 2, 4 … milliseconds, for half a minute after the last write. It finds
/// a commit at the latest after twice the time from its last write to its end. Nothing runs while nothing writes.
///
/// A store that itself commits thousands of times a second must not be held up by checks of its own commits. So if
/// writes follow each other without a rest, the checks are 8 milliseconds apart, and 32 if several in a row have
/// found no commit of another process. A commit may be found that much later.
///
/// *Cost:* one thread for all watches of the process; while one store is busy, the others are checked 8 milliseconds later
/// at most.
package final class FileWatch: @unchecked Sendable {
    // reason: `state` is only touched with the lock of the thread held, `hasEnded` with the lock of
    // `running`.

    let paths: [String]
    private let check: @Sendable () -> Finding
    private let running = Lock()
    private var hasEnded = false
    var state = State()

    /// The outcome of a check.
    package enum Finding: Sendable {
        case change
        case nothing
        /// It could not decide now, and must be repeated.
        case undecided
    }

    struct State {
        /// The numbers of the files that are watched.
        var files: [String: Int32] = [:]
        /// True if a file that is there could not be watched, so that its next write would not be seen.
        var lacksFile = false
        /// The moment of the next check; nil while there is none to come.
        var due: ContinuousClock.Instant?
        /// The time from the next check to the one after it.
        var pause = FileWatch.firstPause
        var lastCheck: ContinuousClock.Instant?
        var hasWrites = false
        /// The number of checks in a row that have found nothing although there were writes.
        var vainChecks = 0
    }

    private static let firstPause = Duration.milliseconds(1)
    /// The pause between checks while writes follow each other, after one that has found a change.
    fileprivate static let busyPause = Duration.milliseconds(8)
    /// The same after some that have found nothing.
    fileprivate static let vainPause = Duration.milliseconds(32)
    fileprivate static let maximumVainChecks = 5
    private static let longestPause = Duration.seconds(32)
    private static let undecidedPause = Duration.milliseconds(50)

    /// Begins to watch files; one that does not exist yet is looked for at each check.
    ///
    /// *Rule:* the check is short, and does not end its own watch.
    ///
    /// - Throws: `.cannotOpen`, `.inputOutput` when the operating system gives no means to watch files.
    package init(_ paths: [String], check: @escaping @Sendable () -> Finding) throws(DataStoreError) {
        self.paths = paths
        self.check = check
        try FileWatchThread.shared.add(self)
    }

    /// Ends the watch, after a check that is running.
    ///
    /// A second call does nothing.
    package func end() {
        FileWatchThread.shared.remove(self)
        running.withLock { hasEnded = true }
    }

    func runCheck() -> Finding {
        running.withLock { hasEnded ? .nothing : check() }
    }
}

extension FileWatch.State {
    /// The longest pause while writes follow each other.
    private var busyPause: Duration {
        vainChecks < FileWatch.maximumVainChecks ? FileWatch.busyPause : FileWatch.vainPause
    }

    /// Plans the first check after a write.
    mutating func noteWrite(at now: ContinuousClock.Instant) {
        hasWrites = true
        let hasRested = lastCheck.map { now - $0 > busyPause * 2 } ?? true
        pause = hasRested ? FileWatch.firstPause : min(pause, busyPause)
        let next = lastCheck.map { max(now, $0 + pause) } ?? now
        due = due.map { min($0, next) } ?? next
    }

    /// Plans the next check after one.
    mutating func noteCheck(at now: ContinuousClock.Instant, _ finding: FileWatch.Finding) {
        lastCheck = now
        if finding == .undecided {
            pause = min(pause * 2, FileWatch.undecidedPause)
            due = now + pause
            return
        }
        vainChecks = hasWrites && finding == .nothing ? vainChecks + 1 : 0
        hasWrites = false
        if pause <= FileWatch.longestPause {
            due = now + pause
            pause = pause * 2
        } else {
            due = lacksFile ? now + FileWatch.longestPause : nil
        }
    }

    /// Watches the files that are not watched yet.
    ///
    /// - Parameter add: Watches a file and returns its number, or nil if there is none.
    mutating func addFiles(
        at paths: [String], by add: (String) throws(DataStoreError) -> Int32?
    ) throws(DataStoreError) {
        if files.count == paths.count { return }
        lacksFile = true
        for path in paths where files[path] == nil { files[path] = try add(path) }
        lacksFile = false
    }
}

/// The thread that waits for writes to the files of all stores that are watched; it runs while there are any.
private final class FileWatchThread: @unchecked Sendable {
    // reason: all mutable state is read and written with `lock` held.
    static let shared = FileWatchThread()

    private let lock = Lock()
    private var events: FileEvents?
    private var watches: [ObjectIdentifier: FileWatch] = [:]
    private var forkCount = ForkCount()

    func add(_ watch: FileWatch) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            // In a forked process there is no thread, and the queue belongs to the other one.
            if !forkCount.isCurrent {
                forkCount = ForkCount()
                (events, watches) = (nil, [:])
            }
            let events = if let running = self.events { running } else { try start() }
            self.events = events
            watches[ObjectIdentifier(watch)] = watch
            do throws(DataStoreError) {
                try watch.addFiles(to: events)
            } catch {
                removeLocked(watch, events)
                throw error
            }
            // A commit may have been written already that will only now be seen.
            watch.state.noteWrite(at: .now)
            events.wake()
        }
    }

    private func start() throws(DataStoreError) -> FileEvents {
        let events = try FileEvents()
        guard OSThread.start({ [self] in run(events) }) else {
            events.close()
            throw DataStoreError(.inputOutput, "The operating system gave no thread to watch files.")
        }
        return events
    }

    func remove(_ watch: FileWatch) {
        lock.withLock {
            guard watches[ObjectIdentifier(watch)] != nil, let events, forkCount.isCurrent
            else { return }
            removeLocked(watch, events)
        }
    }

    private func removeLocked(_ watch: FileWatch, _ events: FileEvents) {
        watches[ObjectIdentifier(watch)] = nil
        for number in watch.state.files.values where !isUsed(number) { events.remove(number) }
        watch.state = FileWatch.State()
        if watches.isEmpty { events.wake() }
    }

    /// True if a watch is left that has the file, which two may have under one number.
    private func isUsed(_ number: Int32) -> Bool {
        watches.values.contains { $0.state.files.values.contains(number) }
    }

    // MARK: On the thread

    private func run(_ events: FileEvents) {
        while let pause = nextPause(of: events) {
            var milliseconds = pause.map { Int32(clamping: $0.microseconds / 1000) } ?? -1
            // Writes that follow each other closely wait for one check, and do not wake the thread.
            if let pause, pause <= FileWatch.busyPause {
                usleep(UInt32(pause.microseconds))
                milliseconds = 0
            }
            let found = events.wait(milliseconds: milliseconds)
            for watch in due(after: found, events) {
                let finding = watch.runCheck()
                lock.withLock {
                    if watches[ObjectIdentifier(watch)] == nil { return }
                    watch.state.noteCheck(at: .now, finding)
                }
            }
        }
    }

    /// The time to the next check, nil if none is to come; or nothing if the thread ends.
    private func nextPause(of events: FileEvents) -> Duration?? {
        lock.withLock {
            if watches.isEmpty {
                events.close()
                self.events = nil
                return nil
            }
            let next = watches.values.compactMap(\.state.due).min()
            return .some(next.map { max(.zero, $0 - .now) })
        }
    }

    /// The watches whose check is due; their files are watched for writes from before the check on.
    private func due(after found: FileEvents.Found, _ events: FileEvents) -> [FileWatch] {
        lock.withLock {
            let now = ContinuousClock.now
            for watch in watches.values {
                if found.hasOverflown || watch.state.files.values.contains(where: found.written.contains) {
                    watch.state.noteWrite(at: now)
                }
            }
            // Also the reports that a watch has ended may be among those lost.
            if found.hasOverflown { for watch in watches.values { watch.state.files = [:] } }
            for number in found.gone where isUsed(number) {
                events.removeGone(number)
                for watch in watches.values {
                    watch.state.files = watch.state.files.filter { $0.value != number }
                }
            }
            let due = watches.values.filter { $0.state.due.map { $0 <= now } ?? false }
            // A file that cannot be watched now is tried again at the next check, which comes then in any case.
            for watch in due { try? watch.addFiles(to: events) }
            return due
        }
    }
}

extension FileWatch {
    fileprivate func addFiles(to events: FileEvents) throws(DataStoreError) {
        try state.addFiles(at: paths) { path throws(DataStoreError) in try events.add(path) }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + (components.attoseconds + 999_999_999_999) / 1_000_000_000_000
    }
}
