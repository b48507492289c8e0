import Dispatch
import Foundation
import Larder
import LarderMemory
import LarderTesting
import Testing

@testable import LarderKernel
@testable import LarderObservation

/// Commits and readings that meet, step by step.
struct ObservationRegistryTests {
    /// What a reading learns of origins, in all.
    private func origins(_ mark: Watcher.Mark?, _ end: ObservationRegistry.End) -> Set<WriteOrigin?> {
        (mark?.origins ?? []).union(end.missed).union(end.seen)
    }

    private func everything() -> ReadRegion {
        var region = ReadRegion()
        region.insertEverything()
        return region
    }

    private func read(_ watcher: Watcher, in registry: ObservationRegistry) -> Set<WriteOrigin?> {
        _ = registry.beginReading(watcher)
        let mark = watcher.takeMark()
        return origins(
            mark, registry.endReading(watcher, of: everything(), after: .init(), above: { $0 }))
    }

    /// Another watcher, which ignores the commit, is in a store whose lock is held meanwhile: the noting of
    /// the commit stands still between its first look at the watchers and the marks.
    @Test func `a reading that begins while a commit is noted learns its origin`() throws {
        let (registry, held) = (
            ObservationRegistry(countedBy: StoreGate()), ObservationRegistry(countedBy: StoreGate())
        )
        let watcher = Watcher(in: [registry])
        let deaf = Watcher(in: [held, registry], ignoring: ["sync"])
        let other = Watcher(in: [held])
        for watcher in [watcher, deaf] { _ = read(watcher, in: registry) }
        for watcher in [deaf, other] { _ = read(watcher, in: held) }
        let (isHeld, isNoting, goOn, isNoted) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0),
            DispatchSemaphore(value: 0)
        )
        let region = everything()
        Thread.detachNewThread {
            _ = held.beginReading(other)
            _ = held.endReading(other, of: region, after: .init()) { end in
                isHeld.signal()
                goOn.wait()
                return end
            }
        }
        isHeld.wait()
        let commit = CommitNote(from: "sync", touching: nil)
        registry.announced(commit)
        Thread.detachNewThread {
            func note() -> CommitNote {
                isNoting.signal()
                return commit
            }
            registry.committed(note(), isOwn: true)
            isNoted.signal()
        }
        isNoting.wait()

        // Waits for the lock that the noting has now.
        let learned = read(watcher, in: registry)
        goOn.signal()
        isNoted.wait()

        #expect(learned == ["sync"])
    }
}
