import Larder
import LarderTesting
import Testing

@testable import AdapterTestSupport

/// The rows of many identifiers come in the order in which they were asked for, each as its store shows it.
@Suite(.smallBatches) struct RowsInOrderTests {
    /// More than two batches, not in order, some of them missing, some twice.
    private static let ids = (0..<700).map { Int64($0 * 37 % 700) } + [5, 5, 699, 10]

    @Test(arguments: CountedEngine.all)
    func `rows come as they were asked for, through a child and its child too`(_ engine: CountedEngine) throws
    {
        try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
            var weights: [Int64: Int] = [:]
            for id in 0..<Int64(600) { weights[id] = 1 }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (0..<Box.count).map { Box($0) })
                try accessor.insert(contentsOf: weights.keys.map { Part($0, weight: 1) })
            }
            try Self.expect(weights, in: store)

            let child = try store.makeChildDataStore()
            try child.setup()
            try Self.change(every: 3, &weights, in: child)
            try Self.expect(weights, in: child)

            let grandchild = try child.makeChildDataStore()
            try grandchild.setup()
            try Self.change(every: 4, &weights, in: grandchild)
            try Self.expect(weights, in: grandchild)
        }
    }

    /// Changes, deletes and inserts some parts.
    private static func change(
        every step: Int64, _ weights: inout [Int64: Int], in store: any DataStore
    ) throws {
        var expected = weights
        try store.writeSync { accessor in
            for id in stride(from: 0, to: Int64(660), by: Int64.Stride(step)) {
                if expected[id] == nil {
                    try accessor.insert(Part(id, weight: Int(step)))
                    expected[id] = Int(step)
                } else if id % 5 == 0 {
                    try accessor.delete(id: id, of: Part.self)
                    expected[id] = nil
                } else {
                    try accessor.mutableItem(id: id, of: Part.self)?.weight = Int(step)
                    expected[id] = Int(step)
                }
            }
            try Self.expect(expected, accessor)
        }
        weights = expected
    }

    private static func expect(_ weights: [Int64: Int], in store: any DataStore) throws {
        try store.read { try expect(weights, $0) }
        try store.writeSync { try expect(weights, $0) }
    }

    private static func expect(_ weights: [Int64: Int], _ accessor: DataStoreReadAccessor) throws {
        let expected = ids.map { weights[$0] }
        #expect(try accessor.items(ids: ids, of: Part.self).map { $0?.weight } == expected)
        if let accessor = accessor as? DataStoreReadWriteAccessor {
            #expect(try accessor.mutableItems(ids: ids, of: Part.self).map { $0?.weight } == expected)
        }
    }
}
