import LarderKernel

/// The watchers of all iterations over one sequence, which something else than a commit may also mark.
final class WatcherGroup: Sendable {
    private let watchers = Locked<[ObjectIdentifier: Watcher]>([:])

    func insert(_ watcher: Watcher) {
        watchers.withLock { $0[ObjectIdentifier(watcher)] = watcher }
    }

    func remove(_ watcher: Watcher) {
        _ = watchers.withLock { $0.removeValue(forKey: ObjectIdentifier(watcher)) }
    }

    func mark() {
        for watcher in watchers.withLock({ Array($0.values) }) { watcher.mark([]) }
    }
}
