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

    /// The lines, with `…` for the duration of a block, which is at least as long as the limit.
    private func lines() throws -> [String] {
        try handler.lines.withLock { $0 }.map { line in
            guard let start = line.range(of: "was open for "), let end = line.range(of: " seconds;") else {
                return line
            }
            let seconds = try #require(Double(line[start.upperBound..<end.lowerBound]))
            #expect(seconds > 0.001 && seconds < 60)
            return line.replacing(line[start.upperBound..<end.lowerBound], with: "…")
        }
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

        let ending = "was open for … seconds; old versions of items stay on disk for as long."
        #expect(
            try lines() == [
                "warning: A write block \(ending)", "warning: A read block \(ending)",
                "warning: A write block \(ending)",
            ])
        try store.tearDown()
    }

    @Test(arguments: [nil, .seconds(3600)] as [Duration?])
    func `says nothing of a block within the limit, or without one`(_ limit: Duration?) throws {
        let store = try makeStore { $0.slowBlockWarning = limit }

        try store.writeSync { accessor in
            try accessor.insert(RankedNote(1))
            Self.takeLong()
        }
        try store.read { _ in Self.takeLong() }

        #expect(try lines() == [])
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

        let value = showsValues ? "4711" : "?"
        #expect(
            try lines() == [
                "trace: request [plan: RankedNote select id where rank > \(value) order id ascending]"
            ])
        try store.tearDown()
    }
}

/// Keeps what is logged.
private struct RecordingHandler: LogHandler {
    let lines = Locked<[String]>([])
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " [\($0.key): \($0.value)]" }
        lines.withLock { $0.append("\(event.level): \(event.message)\(values.joined())") }
    }
}
