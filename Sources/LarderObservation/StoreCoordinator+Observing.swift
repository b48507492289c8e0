import LarderKernel

/// Watchers in a store and its ancestors, which they follow too.
extension StoreCoordinator {
    /// The observations of the store.
    var observations: ObservationRegistry { listener(ObservationRegistry.init(countedBy:)) }

    /// Keeps the commits from now on, here and above, for a watcher that is about to read.
    func beginReading(for watcher: Watcher) {
        forEachToTheTop { store in
            if store.observations.beginReading(watcher) { store.updateOtherWriters() }
        }
    }

    /// Has a watcher that has read marked when a commit here or above touches a region; at once if one has since the
    /// reading began.
    ///
    /// - Returns: The origins that it hears, of the commits since the reading began that have touched the region,
    ///   whether or not the reading has seen them.
    func endReading(for watcher: Watcher, of region: ReadRegion) -> Set<WriteOrigin?> {
        let end = endReading(for: watcher, of: region, after: ObservationRegistry.End())
        if end.isFinished { watcher.end() }
        if !end.missed.isEmpty { watcher.mark(end.missed) }
        if end.isUncertain { watcher.markUncertain() }
        return watcher.heard(end.missed.union(end.seen))
    }

    private func endReading(
        for watcher: Watcher, of region: ReadRegion, after end: ObservationRegistry.End
    ) -> ObservationRegistry.End {
        observations.endReading(watcher, of: region, after: end) { end in
            parent?.endReading(for: watcher, of: region, after: end) ?? end
        }
    }

    /// The observations of the store and of those above.
    var registries: [ObservationRegistry] {
        var registries: [ObservationRegistry] = []
        forEachToTheTop { registries.append($0.observations) }
        return registries
    }

    /// True if the thread is inside a read block of the store or of an ancestor.
    var isReadAroundHere: Bool {
        var isRead = false
        forEachToTheTop { if $0.isReadByThisThread { isRead = true } }
        return isRead
    }

    func unwatch(_ watcher: Watcher) {
        forEachToTheTop { store in
            if store.observations.remove(watcher) { store.updateOtherWriters() }
        }
    }

    /// Calls a body with the store and then with each of its ancestors.
    private func forEachToTheTop(_ body: (StoreCoordinator) -> Void) {
        var next: StoreCoordinator? = self
        while let store = next {
            body(store)
            next = store.parent
        }
    }
}
