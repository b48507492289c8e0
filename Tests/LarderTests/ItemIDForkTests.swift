import Larder

#if os(Linux)
    import Foundation
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderKernel

    struct ItemIDForkTests {
        /// The lock of the generator is held by another thread in about every third fork.
        @Test func `a fork does not wait for a thread that makes identifiers`() {
            let isOver = Locked(false)
            let hasEnded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) { for _ in 0..<1000 { _ = ItemIDGenerator.shared.next() } }
                hasEnded.signal()
            }

            let statuses = (0..<100).map { _ in statusOfForkedProcess { 7 } }
            isOver.withLock { $0 = true }
            hasEnded.wait()

            #expect(statuses == Array(repeating: 7, count: 100))
            #expect(ItemIDGenerator.shared.next() < ItemIDGenerator.shared.next())
        }
    }
#endif
