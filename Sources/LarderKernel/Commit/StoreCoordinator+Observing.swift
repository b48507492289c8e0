/// Watchers in a store and its ancestors, which they follow too.
extension StoreCoordinator {
    /// Keeps the commits from now on, here and above, for a watcher that is about to read.
    package func beginReading(for watcher: Watcher) {
        forEachToTheTop { store in
            if store.observations.beginReading(watcher) { store.otherWriters.update(for: store) }
        }
    }

    /// Has a watcher that has read marked when a commit here or above touches a region; at once where one has since the
    /// reading began.
    ///
    /// - Returns: The origins that it hears, of the commits since the reading began that have touched the region,
    ///   whether or not the reading has seen them.
    package func endReading(for watcher: Watcher, of region: ReadRegion) -> Set<WriteOrigin?> {
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
    package var registries: [ObservationRegistry] {
        var registries: [ObservationRegistry] = []
        forEachToTheTop { registries.append($0.observations) }
        return registries
    }

    /// True if the thread is inside a read block of the store or of an ancestor.
    package var isReadByThisThread: Bool {
        var isRead = false
        forEachToTheTop { if ThreadBlocks.current.readBlock(of: $0) != nil { isRead = true } }
        return isRead
    }

    package func unwatch(_ watcher: Watcher) {
        forEachToTheTop { store in
            if store.observations.remove(watcher) { store.otherWriters.update(for: store) }
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
