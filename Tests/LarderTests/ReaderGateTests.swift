import Testing

@testable import Larder

@Suite struct `A reader gate` {
    private let gate = ReaderGate()

    private func enter() -> Int {
        gate.withLock {
            #expect(gate.enter(.reading))
            return gate.ticket
        }
    }

    private func leave(_ ticket: Int = .max) {
        gate.withLock { gate.leave(.reading, ticket: ticket) }
    }

    @Test func `a gap begins at once where nobody is inside`() {
        #expect(gate.inGap(limit: .zero) { gate.withLock { gate.mustWait(.reading) } } == true)
        #expect(gate.withLock { gate.mustWait(.reading) } == false)
    }

    @Test func `a gap is given up when a reader stays inside`() {
        _ = enter()

        #expect(gate.inGap(limit: .milliseconds(1)) { true } == nil)
        #expect(gate.withLock { gate.mustWait(.reading) } == false)
    }

    @Test func `what is no reader keeps a gap away too`() {
        gate.withLock { #expect(gate.enter(.other)) }

        #expect(gate.inGap(limit: .milliseconds(1)) { true } == nil)
    }

    @Test func `a gap waits for the readers inside, and keeps the next one out until it has ended`() async {
        let ticket = enter()
        let steps = Locked<[String]>([])
        await withCheckedContinuation { continuation in
            let isStarted = OSThread.start {
                _ = gate.inGap(limit: .seconds(60)) { steps.withLock { $0.append("gap") } }
                _ = gate.inGap(limit: .seconds(60)) { steps.withLock { $0.append("second gap") } }
                continuation.resume()
            }
            #expect(isStarted)
            // The gap has begun as soon as a further reader would have to wait.
            gate.withLock { while !gate.mustWait(.reading) { gate.unlock(); gate.lock() } }
            steps.withLock { $0.append("leave") }
            leave(ticket)
        }
        _ = enter()

        #expect(steps.withLock { $0 } == ["leave", "gap", "second gap"])
        #expect(gate.withLock { gate.count } == 1)
    }

    @Test func `when all readers in the way of a gap have left is told once`() {
        let (first, second) = (enter(), enter())
        #expect(gate.inGap(limit: .zero) { true } == nil)
        let later = enter()

        leave(first)
        #expect(gate.withLock { gate.takeBlockersGone() } == false)
        leave(later)
        #expect(gate.withLock { gate.takeBlockersGone() } == false)
        leave(second)
        #expect(gate.withLock { gate.takeBlockersGone() } == true)
        #expect(gate.withLock { gate.takeBlockersGone() } == false)
    }

    @Test func `a reader that was in the way of two gaps is counted for the last`() {
        let (first, second) = (enter(), enter())
        #expect(gate.inGap(limit: .zero) { true } == nil)
        leave(first)
        #expect(gate.inGap(limit: .zero) { true } == nil)

        leave(second)

        #expect(gate.withLock { gate.takeBlockersGone() } == true)
    }

    @Test func `a closed gate refuses, and one that is opened lets as many in as it is told`() {
        let closed = ReaderGate(isOpen: false)
        #expect(closed.withLock { closed.enter(.reading) } == false)

        closed.withLock {
            closed.open(maximumReaders: 1)
            #expect(closed.enter(.reading))
            #expect(closed.mustWait(.reading))
            #expect(!closed.mustWait(.other))
            closed.close()
            #expect(!closed.enter(.other))
            #expect(closed.count == 1)
        }
    }
}

@Suite struct `A condition` {
    @Test func `a wait ends when its moment has passed`() {
        let condition = Condition()
        let end = ContinuousClock.now + .milliseconds(2)

        condition.withLock {
            while condition.wait(until: end) {}
            #expect(!condition.wait(until: end))
        }

        #expect(ContinuousClock.now >= end)
    }

    @Test func `a signal ends a wait with a limit before its moment`() {
        let condition = Condition()
        let isReady = Locked(false)
        let end = ContinuousClock.now + .seconds(600)

        condition.withLock {
            let isStarted = OSThread.start {
                condition.withLock {
                    isReady.withLock { $0 = true }
                    condition.signalAll()
                }
            }
            #expect(isStarted)
            while !isReady.withLock({ $0 }), condition.wait(until: end) {}
        }

        #expect(isReady.withLock { $0 })
        #expect(ContinuousClock.now < end)
    }

    @Test func `the end of time is a moment to wait for`() {
        let condition = Condition()
        let isReady = Locked(false)

        condition.withLock {
            let isStarted = OSThread.start {
                condition.withLock {
                    isReady.withLock { $0 = true }
                    condition.signalAll()
                }
            }
            #expect(isStarted)
            while !isReady.withLock({ $0 }) {
                #expect(condition.wait(until: .now + .seconds(Int64.max / 4)))
            }
        }
    }
}
