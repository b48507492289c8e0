import Larder

#if os(Linux)
    import Foundation
    import Testing

    @testable import LarderKernel

    struct ItemIDForkTests {
        private typealias Fork = @convention(c) () -> pid_t

        /// The lock of the generator is held by another thread in about every third fork.
        @Test func `a fork does not wait for a thread that makes identifiers`() throws {
            let isOver = Locked(false)
            let hasEnded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) { for _ in 0..<1000 { _ = ItemIDGenerator.shared.next() } }
                hasEnded.signal()
            }
            // Swift's own name for it says that a forked process may not go on; this one ends at once.
            let symbol = try #require(dlsym(nil, "fork"))
            let fork = unsafeBitCast(symbol, to: Fork.self)

            var statuses: [Int32] = []
            for _ in 0..<100 {
                let process = fork()
                if process == 0 { _exit(7) }
                var status: Int32 = -1
                waitpid(process, &status, 0)
                statuses.append(status >> 8)
            }
            isOver.withLock { $0 = true }
            hasEnded.wait()

            #expect(statuses == Array(repeating: 7, count: 100))
            #expect(ItemIDGenerator.shared.next() < ItemIDGenerator.shared.next())
        }
    }
#endif
