import Foundation
import Larder
import LarderMemory
import Logging
import Testing

@testable import AdapterTestSupport

/// The lines that a store logs: blocks that took long, and requests.
@Suite struct `The log of a store` {
    private struct OwnError: Error {}

    private let handler = RecordingHandler()

    private func makeStore(_ change: (inout DataStoreOptions) -> Void) throws -> MemoryDataStore {
        var options = DataStoreOptions()
        options.name = "notes"
        options.logger = Logger(label: "test") { _ in handler }
        change(&options)
        let store = MemoryDataStore(storing: [RankedNote.self], storeOptions: options)
        try store.setup()
        return store
    }

    /// Longer than a limit of a millisecond, on a clock whose steps have up to ten.
    private static func takeLong() {
        let end = ContinuousClock.now + .milliseconds(25)
        while ContinuousClock.now < end {}
    }

    /// The lines at some levels, with `…` for times.
    ///
    /// - Parameter areOfOpenBlocks: True for those about blocks that were found while they were open, which else depend
    ///   on the time.
    private func lines(_ levels: String..., areOfOpenBlocks: Bool = false) -> [String] {
        handler.lines.withLock { $0 }.filter { line in
            levels.contains { line.hasPrefix("\($0):") } && line.contains("has been open") == areOfOpenBlocks
        }.map { $0.replacing(#/ (in|for) [0-9.e\-]+ seconds/#) { " \($0.1) …" } }
    }

    @Test func `warns of each block that was open for longer than the limit`() async throws {
        let store = try makeStore { $0.slowBlockWarning = .milliseconds(1) }

        try await store.writeAsync { accessor in
            try accessor.insert(RankedNote(1))
            Self.takeLong()
        }
        try store.read { _ in Self.takeLong() }
        await #expect(throws: OwnError.self) {
            try await store.writeAsync { _ in
                Self.takeLong()
                throw OwnError()
            }
        }

        // If a block ends while it is reported as open, the reporting thread has yet to log the end.
        for await _ in handler.logged.stream where lines("warning").count == 3 { break }
        let warning = "was open for …; old versions of items stay on disk for as long."
        let place = "[engine: Memory] [store: notes]"
        #expect(
            lines("warning") == [
                "warning: A write block \(warning) [block: write] \(place)",
                "warning: A read block \(warning) [block: read] \(place)",
                "warning: A write block \(warning) [block: write] \(place)",
            ])
        try store.tearDown()
    }

    @Test func `warns of a block while it is open`() throws {
        let store = try makeStore { $0.slowBlockWarning = .milliseconds(1) }

        try store.writeSync { _ in
            #expect(handler.hasLogged.wait(timeout: .now() + 20) == .success)
            #expect(
                lines("warning", areOfOpenBlocks: true) == [
                    "warning: A write block has been open for …, and still is. [block: write] [engine: Memory] "
                        + "[store: notes]"
                ])
        }

        try store.tearDown()
    }

    @Test func `warns of blocks of over five seconds if the app says nothing`() {
        #expect(DataStoreOptions().slowBlockWarning == .seconds(5))
    }

    @Test(arguments: [nil, .seconds(3600)] as [Duration?])
    func `says nothing of a block within the limit, or without one`(_ limit: Duration?) throws {
        let store = try makeStore { $0.slowBlockWarning = limit }

        try store.writeSync { accessor in
            try accessor.insert(RankedNote(1))
            Self.takeLong()
        }
        try store.read { _ in Self.takeLong() }

        #expect(lines("warning", "error") == [])
        try store.tearDown()
    }

    @Test(arguments: [false, true])
    func `shows requests at trace level, and their values only if it is asked to`(
        _ showsValues: Bool
    ) throws {
        let store = try makeStore { options in
            options.logger.logLevel = .trace
            options.logsValues = showsValues
        }

        _ = try store.read { try $0.countItems(for: RankedNote.where(\.rank > 4711)) }

        let plan = "RankedNote select id where rank > \(showsValues ? "4711" : "?") order id ascending"
        #expect(
            lines("trace") == [
                "trace: request \(plan): 0 rows in … [block: read] [engine: Memory] [store: notes]"
            ])
        try store.tearDown()
    }

    @Test func `has writes and commits at debug level, and errors without a caller as errors`() throws {
        let store = try makeStore { $0.logger.logLevel = .debug }

        try store.writeSync { try $0.insert(contentsOf: [RankedNote(1), RankedNote(2)]) }
        #expect(throws: OwnError.self) { try store.read { _ in throw OwnError() } }
        // The error is reported once the turn has been passed on, for which flush() alone would wait.
        let reported = DispatchSemaphore(value: 0)
        store.errorHandler = { _ in reported.signal() }
        store.writeAsync { _ in throw OwnError() }
        #expect(reported.wait(timeout: .now() + 20) == .success)

        let (place, block) = ("[engine: Memory] [store: notes]", "[block: write]")
        #expect(
            lines("debug", "error") == [
                "debug: opened in … \(place)",
                "debug: insert of 2 rows of RankedNote in … \(block) \(place)",
                "debug: commit of 2 rows in … \(block) \(place)", "debug: read() threw OwnError \(place)",
                "debug: roll-back after OwnError, open for … \(block) \(place)",
                "error: writeAsync() had no caller for OwnError \(place)",
            ])
        try store.tearDown()
    }

    @Test func `warns of each request that took longer than the limit`() throws {
        let store = try makeStore { $0.slowRequestWarning = .milliseconds(1) }
        try store.writeSync { try $0.insert(contentsOf: [RankedNote(1), RankedNote(2)]) }

        try store.read { accessor in
            try accessor.forEachItem(for: RankedNote.all) { _ in Self.takeLong() }
        }

        #expect(
            lines("warning").map { $0.replacing(#/took .* for 2/#, with: "took … for 2") } == [
                "warning: A request took … for 2 rows: RankedNote order id ascending [block: read] "
                    + "[engine: Memory] [store: notes]"
            ])
        try store.tearDown()
    }
}

/// Keeps what is logged.
private struct RecordingHandler: LogHandler {
    let lines = Locked<[String]>([])
    let logged = AsyncStream<Void>.makeStream()
    let hasLogged = DispatchSemaphore(value: 0)
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " [\($0.key): \($0.value)]" }
        lines.withLock { $0.append("\(event.level): \(event.message)\(values.joined())") }
        logged.continuation.yield()
        hasLogged.signal()
    }
}
