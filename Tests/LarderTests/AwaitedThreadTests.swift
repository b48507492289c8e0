import Testing

@testable import LarderKernel

/// Threads that work for a task.
struct AwaitedThreadTests {
    private final class Thing: Sendable {
        let number = 1
    }

    @Test func `what the work has used is free once its call has returned`() async throws {
        var keptCount = 0
        for _ in 1...1000 {
            weak var released: Thing?
            var thing: Thing? = Thing()
            released = thing
            let number = try await AwaitedThread.run { [thing] in thing?.number }
            thing = nil
            #expect(number == 1)
            if released != nil { keptCount += 1 }
        }

        #expect(keptCount == 0)
    }

    @Test func `a value that is returned is free once the task has used it`() async throws {
        var keptCount = 0
        for _ in 1...1000 {
            weak var released: Thing?
            var thing: Thing? = try await AwaitedThread.run { Thing() }
            released = thing
            let number = thing?.number
            thing = nil
            #expect(number == 1)
            if released != nil { keptCount += 1 }
        }

        #expect(keptCount == 0)
    }
}
