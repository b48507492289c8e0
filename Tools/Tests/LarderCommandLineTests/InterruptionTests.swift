import Testing

@testable import LarderCommandLine

struct InterruptionTests {
    @Test func `it is asked once and stays so`() {
        let interruption = Interruption()
        #expect(!interruption.isAsked)

        interruption.ask()
        interruption.ask()

        #expect(interruption.isAsked)
    }

    @Test func `what is to be done when it is asked is done once, be it asked before or behind`() {
        let interruption = Interruption()
        let done = Guarded<[String]>([])
        interruption.whenAsked { done.withLock { $0.append("before") } }
        #expect(done.withLock { $0 } == [])

        interruption.ask()
        interruption.ask()
        interruption.whenAsked { done.withLock { $0.append("behind") } }

        #expect(done.withLock { $0 } == ["before", "behind"])
    }
}
