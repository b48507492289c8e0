import Larder
import LarderMemory
import Testing

@testable import LarderKernel

/// The events that the kernel reports to a listener, which observation is one of.
struct CommitListenerTests {
    /// Writes down the calls.
    private final class Recorder: CommitListener {
        let calls = Locked<[String]>([])

        private func note(_ call: String) { calls.withLock { $0.append(call) } }

        private func origins(_ commit: CommitNote) -> String {
            var origins: [String] = []
            commit.parts.forEach { origins.append($0.origin?.description ?? "none") }
            return origins.joined(separator: ", ")
        }

        func announced(_ commit: CommitNote) { note("announced \(origins(commit))") }

        func withdrawn() { note("withdrawn") }

        func committed(_ commit: @autoclosure () -> CommitNote, isOwn: Bool) {
            note("committed \(origins(commit())), \(isOwn ? "own" : "other")")
        }

        func opened() { note("opened") }

        func closed(under parent: StoreCoordinator?) { note("closed") }
    }

    private struct Refusal: Error {}

    @Test func `a listener is there once, and learns of the life and the commits of its store`() throws {
        let store = MemoryDataStore(storing: [RankedNote.self])
        let recorder = store.coordinator.listener { _ in Recorder() }
        try store.setup()

        try store.writeSync(origin: "sync") { _ = try $0.insert(RankedNote(1)) }
        try store.read { _ = try $0.countItems(for: RankedNote.all) }
        #expect(throws: Refusal.self) {
            try store.writeSync {
                _ = try $0.insert(RankedNote(2))
                throw Refusal()
            }
        }
        store.coordinator.noteChange(from: "merge")
        try store.tearDown()

        #expect(
            recorder.calls.withLock { $0 } == [
                "opened", "committed sync, own", "committed merge, other", "closed",
            ])
        #expect(store.coordinator.listener { _ in Recorder() } === recorder)
    }

    @Test func `commits are announced to a listener while observations are counted`() throws {
        let store = MemoryDataStore(storing: [RankedNote.self])
        try store.setup()
        let recorder = store.coordinator.listener { gate in
            gate.count(observations: 1)
            return Recorder()
        }

        try store.writeSync(origin: "sync") { _ = try $0.insert(RankedNote(1)) }

        #expect(recorder.calls.withLock { $0 } == ["announced sync", "committed sync, own"])
    }
}
