package import Logging
package import LarderThreads

/// The diagnostics of one store, on their way to its log and to the app.
///
/// *Rule:* from any thread; a handler may be called while the store is being opened or written.
package struct StoreDiagnostics: Sendable {
    package typealias Handler = @Sendable (DataStoreDiagnostic) -> Void

    /// True if written rows and commits are heard; nothing is made of them otherwise.
    package let hearsDetails: Bool
    /// True if look-ups and requests are heard.
    package let hearsReading: Bool
    /// True if the time of requests is measured.
    package let timesRequests: Bool
    /// True if plans, look-ups and errors show values.
    package let showsValues: Bool
    private let store: String
    private let engine: String
    private let slowRequest: Duration?
    private let logger: Logger
    private let handlers: [Handler]
    private let queue = Locked(EventQueue())

    /// Events that are sent in their order, whichever threads they come from.
    private struct EventQueue {
        typealias Entry = (DataStoreDiagnostic.Event, DataStoreDiagnostic.Block?)
        var events: [Entry] = []
        /// True while a thread sends them.
        var isSending = false
    }

    package init(
        of store: String, on engine: String, logger: Logger, handlers: [Handler], showsValues: Bool,
        slowRequest: Duration?
    ) {
        self.store = store
        self.engine = engine
        self.logger = logger
        self.handlers = handlers
        self.showsValues = showsValues
        self.slowRequest = slowRequest
        hearsDetails = !handlers.isEmpty || logger.logLevel <= .debug
        hearsReading = !handlers.isEmpty || logger.logLevel <= .trace
        timesRequests = hearsReading || slowRequest != nil
    }

    package func send(_ event: DataStoreDiagnostic.Event, in block: DataStoreDiagnostic.Block? = nil) {
        let diagnostic = DataStoreDiagnostic(store: store, engine: engine, block: block, event: event)
        for handler in handlers { handler(diagnostic) }
        if diagnostic.level < logger.logLevel { return }
        var place: Logger.Metadata = ["store": .string(store), "engine": .string(engine)]
        if let block { place["block"] = .string(block.rawValue) }
        logger.log(level: diagnostic.level, "\(diagnostic.description)", metadata: place)
    }

    /// Lets an event wait for ``sendQueued()``; a lock may be held.
    package func enqueue(_ event: DataStoreDiagnostic.Event, in block: DataStoreDiagnostic.Block? = nil) {
        queue.withLock { $0.events.append((event, block)) }
    }

    /// Sends an event after those that wait.
    package func sendInOrder(_ event: DataStoreDiagnostic.Event, in block: DataStoreDiagnostic.Block? = nil) {
        enqueue(event, in: block)
        sendQueued()
    }

    /// Sends the events that wait, unless another thread is sending some: it sends these too.
    ///
    /// So no thread waits for a handler, which may wait for the thread.
    package func sendQueued() {
        var isSending = false
        while let (event, block) = queue.withLock({ queue -> EventQueue.Entry? in
            if queue.isSending, !isSending { return nil }
            isSending = !queue.events.isEmpty
            queue.isSending = isSending
            return isSending ? queue.events.removeFirst() : nil
        }) {
            send(event, in: block)
        }
    }

    /// Reports rows that the engine has written, neighbors of one type and kind together.
    package func sendWrites(
        _ count: Int, in duration: Duration,
        _ write: (_ position: Int) -> (change: DataStoreDiagnostic.Change, itemType: String, rows: Int)
    ) {
        var position = 0
        while position < count {
            var run = write(position)
            position += 1
            while position < count {
                let next = write(position)
                guard next.change == run.change, next.itemType == run.itemType else { break }
                run.rows += next.rows
                position += 1
            }
            guard run.rows > 0 else { continue }
            send(.wrote(run.change, itemType: run.itemType, rows: run.rows, duration), in: .write)
        }
    }

    /// Reports a request that has ended; its text is made only if it is heard.
    package func sendRequest(
        _ makePlan: () -> String, rows: Int, since start: Moment,
        in block: DataStoreDiagnostic.Block
    ) {
        let duration = start.duration(to: .now)
        let isSlow = if let slowRequest { duration > slowRequest } else { false }
        guard hearsReading || isSlow else { return }
        let plan = makePlan()
        send(.request(plan: plan, rows: rows, duration), in: block)
        if isSlow { send(.slowRequest(plan: plan, rows: rows, duration), in: block) }
    }
}

/// Measures the steps of an upgrade by what they report.
package final class UpgradeStepClock: @unchecked Sendable {
    // reason: used by the thread that opens the store, one call after the other.
    private let diagnostics: StoreDiagnostics
    private var step: (number: Int, name: String, start: ContinuousClock.Instant)?
    private var rows = 0

    package init(_ diagnostics: StoreDiagnostics) { self.diagnostics = diagnostics }

    package func note(_ number: Int, _ name: String, rows: Int) {
        if step?.number != number {
            finish()
            step = (number, name, .now)
        }
        self.rows = rows
    }

    /// Reports the step that has run last.
    package func finish() {
        guard let ended = step.take() else { return }
        diagnostics.send(.upgradeStep(ended.name, rows: rows, ended.start.duration(to: .now)))
    }
}
