import Larder
import Testing

@testable import LarderKernel

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

    /// Lets a reader come on a thread of its own, and returns when it is inside or waits.
    ///
    /// - Returns: The number of visitors inside after it was let in, or 0 after it was refused; nil while it waits.
    private func visit() -> Locked<Int?> {
        let hasCome = Locked(false)
        let answer = Locked<Int?>(nil)
        let isStarted = OSThread.start { [gate] in
            gate.withLock {
                hasCome.withLock { $0 = true }
                let isLetIn = gate.enter(.reading)
                answer.withLock { $0 = isLetIn ? gate.count : 0 }
            }
        }
        #expect(isStarted)
        // The reader keeps the lock from its coming until it waits.
        expectSoon { gate.withLock { hasCome.withLock { $0 } } }
        return answer
    }

    private func expectSoon(_ isTrue: () -> Bool) {
        let end = ContinuousClock.now + .seconds(60)
        while !isTrue(), .now < end {}
        #expect(isTrue())
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
            expectSoon { gate.withLock { gate.mustWait(.reading) } }
            steps.withLock { $0.append("leave") }
            leave(ticket)
        }
        _ = enter()

        #expect(steps.withLock { $0 } == ["leave", "gap", "second gap"])
        #expect(gate.withLock { gate.count } == 1)
    }

    @Test func `a reader that comes in a gap is let in when the gap has ended`() {
        let answer = gate.inGap(limit: .zero) {
            let answer = visit()
            #expect(answer.withLock { $0 } == nil)
            #expect(gate.withLock { gate.count } == 0)
            return answer
        }

        expectSoon { answer?.withLock { $0 } == 1 }
    }

    @Test func `a second gap begins when the first has ended`() {
        let steps = Locked<[String]>([])
        _ = gate.inGap(limit: .zero) {
            let isStarted = OSThread.start { [gate] in
                steps.withLock { $0.append("second comes") }
                _ = gate.inGap(limit: .zero) { steps.withLock { $0.append("second gap") } }
            }
            #expect(isStarted)
            expectSoon { steps.withLock { $0.first } == "second comes" }
            // Time enough for a second gap that does not wait.
            for _ in 0..<10_000 { gate.withLock {} }
            #expect(gate.withLock { gate.mustWait(.reading) })
            steps.withLock { $0.append("first gap ends") }
        }

        expectSoon { steps.withLock { $0 } == ["second comes", "first gap ends", "second gap"] }
    }

    @Test func `a gap that does not wait for another one is given up`() {
        let inner = gate.inGap(limit: .zero) { gate.inGap(limit: .seconds(60), awaitsOthers: false) { true } }

        #expect(inner == .some(nil))
        #expect(gate.inGap(limit: .zero, awaitsOthers: false) { true } == true)
    }

    @Test func `a reader for whom there is no place waits until one leaves, and then one is let in`() throws {
        try gate.withLock {
            gate.open(maximumReaders: 2)
            for _ in 0..<2 {
                try #require(!gate.mustWait(.reading))
                #expect(gate.enter(.reading))
            }
            #expect(gate.isFull)
        }
        let answers = [visit(), visit()]
        func counts() -> [Int] { answers.compactMap { $0.withLock { $0 } } }
        #expect(counts() == [])

        leave()
        expectSoon { !counts().isEmpty }
        // Time enough for a second reader that does not wait again.
        for _ in 0..<10_000 { gate.withLock {} }
        #expect(counts() == [2])
        leave()

        expectSoon { counts() == [2, 2] }
    }

    @Test func `a reader that waits is refused when the gate closes`() {
        gate.withLock { gate.open(maximumReaders: 1) }
        _ = enter()
        let answer = visit()
        #expect(answer.withLock { $0 } == nil)

        gate.withLock { gate.close() }

        expectSoon { answer.withLock { $0 } == 0 }
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
            while condition.wait(until: end), .now < end + .seconds(60) {}
            #expect(!condition.wait(until: end))
        }

        #expect(ContinuousClock.now >= end)
    }

    @Test func `a signal ends a wait with a limit before its moment`() {
        let condition = Condition()
        let isReady = Locked(false)
        let end = ContinuousClock.now + .seconds(60)

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
        let end = ContinuousClock.now + .seconds(60)
        var isInTime = true

        condition.withLock {
            let isStarted = OSThread.start {
                condition.withLock {
                    isReady.withLock { $0 = true }
                    condition.signalAll()
                }
            }
            #expect(isStarted)
            while isInTime, !isReady.withLock({ $0 }), .now < end {
                isInTime = condition.wait(until: .now + .seconds(Int64.max / 4))
            }
        }

        #expect(isInTime)
        #expect(isReady.withLock { $0 })
    }
}
