import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// The largest values; `LarderPostgreSQLTests` has the same for a server.
// One engine after the other, as each holds a few of them in memory.
@Suite(.serialized)
struct LargeValueTests {
    // The store, the item and what is read are in memory at once.
    @Test(
        .enabled(
            if: Repetitions.isLong && ProcessInfo.processInfo.physicalMemory >= 12 << 30,
            "values of 512 MiB are a part of the long tests, and need 12 GB of memory"),
        arguments: [Subjects.memory, Subjects.sqlite, Subjects.lmdb])
    func `a value of 512 MiB is stored and read back, and more is refused`(engine: ConformanceSubject) throws
    {
        let medium = try engine.makeMedium()
        defer { try? medium.cleanUp() }
        let store = try medium.makeStore(storing: [Sample.self], options: ConformanceWorld.options)
        try store.setup()
        defer { try? store.tearDown() }
        let limit = 512 << 20
        let largest = Self.sample(ofBytes: limit)

        try store.writeSync { try $0.insert(contentsOf: [largest]) }
        let isSame = try store.read { try $0.item(id: largest.id, of: Sample.self) == largest }
        let refused = thrown {
            try store.writeSync { try $0.insert(contentsOf: [Self.sample(ofBytes: limit + 1)]) }
        }

        #expect(isSame)
        #expect(refused?.code == .valueTooLarge)
        #expect(try store.read { try $0.ids(for: Sample.all) } == [largest.id])
    }

    /// An item with so many bytes, of which the first and the last are not 0.
    private static func sample(ofBytes count: Int) -> Sample {
        var data = Data(count: count)
        (data[0], data[count - 1]) = (1, 2)
        var sample = Sample()
        sample.data = data
        return sample
    }
}
