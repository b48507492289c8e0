import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport
@testable import LarderKeyValue

/// The error of an adapter whose engine fails, and then fails to close too.
@Suite struct `The first of two errors` {
    private let engine = FailingEngine()
    private let adapter: KeyValueAdapter<FailingEngine>
    private let schema: StoreSchema

    private static let reading = DataStoreError(.damaged, "The store cannot be read.")
    private static let closing = DataStoreError(.inputOutput, "The store cannot be closed.")

    init() throws {
        adapter = KeyValueAdapter(engine)
        schema = try StoreSchema(storing: [Recipe.self])
        try adapter.open(schema)
        try adapter.close()
    }

    /// The errors of two calls of the engine, and the message that a caller then gets.
    private static let failures: [(reading: DataStoreError?, closing: DataStoreError?, message: String?)] = [
        (nil, nil, nil), (reading, nil, reading.message), (nil, closing, closing.message),
        (reading, closing, reading.message),
    ]

    @Test(arguments: failures)
    func `is the one that a reading of the stored schema throws`(
        _ reading: DataStoreError?, _ closing: DataStoreError?, _ message: String?
    ) throws {
        engine.failures.withLock { $0 = (reading, closing) }

        let error = thrown { try adapter.storedSchema() }

        #expect(error?.message == message)
        #expect(error?.code == (reading ?? closing)?.code)
        if reading != nil { #expect(error?.path == "the place") }
        engine.failures.withLock { $0 = (nil, nil) }
        #expect(try adapter.storedSchema()?.entities.map(\.name) == ["Recipe"])
    }

    @Test(arguments: [nil, closing])
    func `is the one that an opening throws`(_ closing: DataStoreError?) throws {
        engine.failures.withLock { $0 = (Self.reading, closing) }

        let error = thrown { try adapter.open(schema) }

        #expect(error?.message == Self.reading.message)
        #expect(error?.code == .damaged)
        #expect(error?.path == "the place")
        engine.failures.withLock { $0 = (nil, nil) }
        try adapter.open(schema)
        try adapter.close()
    }
}

/// An engine in memory that fails as it is asked to, and closes nevertheless.
private final class FailingEngine: OrderedKeyValueEngine {
    private let wrapped = MemoryEngine(in: MemoryStorage())
    let failures = Locked<(reading: DataStoreError?, closing: DataStoreError?)>((nil, nil))

    var location: String { "the place" }

    func isStored() throws(DataStoreError) -> Bool { try wrapped.isStored() }

    func open() throws(DataStoreError) { try wrapped.open() }

    func close() throws(DataStoreError) {
        try wrapped.close()
        if let error = failures.withLock({ $0.closing }) { throw error }
    }

    func destroy() throws(DataStoreError) { try wrapped.destroy() }

    func beginReading() throws(DataStoreError) -> any KeyValueSnapshot {
        if let error = failures.withLock({ $0.reading }) { throw error }
        return try wrapped.beginReading()
    }

    func beginWriting() throws(DataStoreError) -> any KeyValueTransaction { try wrapped.beginWriting() }
}
