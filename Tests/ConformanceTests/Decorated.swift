import Larder
import LarderConformance
import LarderMemory

/// A piece of memory for stores over decorators that change nothing.
struct DecoratedWorld: ConformanceMedium {
    private let storage = MemoryStorage()

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        let adapter = PlainAdapter(wrappedAdapter: MemoryAdapter(in: storage))
        return ReferenceDataStore(over: adapter, storing: types, options: options)
    }

    func cleanUp() {}
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
