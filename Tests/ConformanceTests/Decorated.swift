import Larder
import LarderConformance
import LarderMemory

@testable import LarderTesting

/// A piece of memory for stores over decorators: one that changes nothing, one with the limits of SQLite, and
/// one that records everything and could let calls fail.
struct DecoratedWorld: ConformanceMedium {
    private let storage = MemoryStorage()

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        let plain = PlainAdapter(wrappedAdapter: MemoryAdapter(in: storage))
        let adapter = TestAdapter(LimitedAdapter(plain, Self.limits), in: try TemporaryFolder())
        _ = adapter.recorder.start()
        return ReferenceDataStore(over: adapter, storing: types, options: options)
    }

    func cleanUp() {}

    /// The limits of SQLite, and one for the whole store, so that sizes are counted.
    private static var limits: StrictLimits {
        var limits = StrictLimits.sqlite
        limits.storeBytes = 1 << 40
        return limits
    }
}

private final class PlainAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter

    init(wrappedAdapter: any StorageAdapter) { self.wrappedAdapter = wrappedAdapter }

    func decorated(_ reading: any StorageReading) -> any StorageReading { PlainReading(reading) }
    func decorated(_ writing: any StorageWriting) -> any StorageWriting { PlainWriting(writing) }
}

private final class PlainReading: ReadingDecorator {
    let wrappedReading: any StorageReading

    init(_ reading: any StorageReading) { wrappedReading = reading }
}

private final class PlainWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting

    init(_ writing: any StorageWriting) { wrappedWriting = writing }
}
