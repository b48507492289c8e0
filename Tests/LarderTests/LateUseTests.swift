import Larder
import LarderMemory
import Testing

/// What is left of a block when it has ended.
struct LateUseTests {
    @Test func `an accessor that is kept shows nothing of its block`() throws {
        let store = MemoryDataStore(storing: [RankedNote.self])
        try store.setup()

        let kept = try store.read { $0 }

        #expect(Mirror(reflecting: kept).children.isEmpty)
    }

    #if os(Linux) || os(macOS)
        @Test(.enabled(if: hasAssertions, "an optimized build goes on"))
        func `a handle that is set after its block stops a debug build`() async {
            await #expect(processExitsWith: .failure) { setHandleLate() }
        }

        @Test(.enabled(if: hasAssertions, "an optimized build goes on"))
        func `rows that are changed by the right of a call that has ended stop a debug build`() async {
            await #expect(processExitsWith: .failure) { changeLate() }
        }
    #endif
}

/// True if the code is built so that assertions stop it.
private let hasAssertions: Bool = {
    var isAsked = false
    assert(
        {
            isAsked = true
            return true
        }())
    return isAsked
}()

private func setHandleLate() {
    let store = MemoryDataStore(storing: [RankedNote.self])
    do {
        try store.setup()
        let kept = try store.writeSync { try $0.insert(RankedNote(1)) }
        kept.rank = 2
    } catch {
        // What the test expects is no error: an end without a failure fails it.
    }
}

private func changeLate() {
    let store = MemoryDataStore(storing: [RankedNote.self])
    do {
        try store.setup()
        try store.writeSync { accessor in
            let pipeline = accessor.writeBlock.pipeline
            let kept = try pipeline.allOrNothing { call throws(DataStoreError) in call }.get()
            try pipeline.apply([], in: kept)
        }
    } catch {
        // As above.
    }
}
