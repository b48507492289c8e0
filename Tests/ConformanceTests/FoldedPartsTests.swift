import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport
@testable import Larder
@testable import LarderConformance

/// The items of one type in two parts, which are compared without regard to case as those of one store are.
@Suite struct `Folded texts in two parts` {
    /// A store with the visitors 1 and 3 in the first part, and 2 and 4 in the second.
    private func filled() throws -> RoutedDataStore {
        let key = PartKey(of: Visitor.self, column: 3) { table in
            table.bits.isMultiple(of: 2) ? nil : "second"
        }
        let store = RoutedDataStore(
            [
                StorePart("first", MemoryDataStore(storing: [Visitor.self])),
                StorePart("second", MemoryDataStore(storing: [Visitor.self])),
            ], partitionedBy: [key])
        try store.setup()
        try store.writeSync {
            try $0.insert(contentsOf: [
                Visitor(1, "Anna", table: 0), Visitor(2, "bert", table: 1), Visitor(3, "CARL", table: 2),
                Visitor(4, "dora", table: 3),
            ])
        }
        return store
    }

    private func ids(_ request: DataStoreRequest<Visitor>, in store: any DataStore) throws -> [Int64] {
        try store.read { try $0.items(for: request).map(\.id.rawValue) }
    }

    @Test func `are unique, and stay so when items move`() throws {
        let store = try filled()

        let first = thrown { try store.writeSync { try $0.insert(Visitor(9, "ANNA", table: 1)) } }
        try store.writeSync { accessor in
            try accessor.mutableItem(id: ItemID(rawValue: 3), of: Visitor.self)?.table = 5
        }
        let moved = thrown { try store.writeSync { try $0.insert(Visitor(9, "carl", table: 0)) } }

        #expect(first?.code == .uniqueViolation)
        #expect(first?.identifier == ItemID<Visitor>(rawValue: 1).anyItemID)
        #expect(moved?.code == .uniqueViolation)
        #expect(moved?.identifier == ItemID<Visitor>(rawValue: 3).anyItemID)
        #expect(try ids(Visitor.all, in: store) == [1, 2, 3, 4])
        try store.tearDown()
    }

    @Test func `find items in whichever part they are`() throws {
        let store = try filled()

        try store.writeSync { accessor in
            let dora = try accessor.upsert(Visitor(9, "DORA", table: 4), by: \.name)
            #expect(dora.id.rawValue == 4)
        }

        #expect(try ids(Visitor.where(.equals(\.name, "Dora", .caseInsensitive)), in: store) == [4])
        #expect(try ids(Visitor.where(\.name == "DORA" && \.table == 4), in: store) == [4])
        #expect(try ids(Visitor.where(.hasPrefix(\.name, "BE", .caseInsensitive)), in: store) == [2])
        try store.tearDown()
    }

    @Test func `give the order of all parts`() throws {
        let store = try filled()
        let byName = Visitor.all.sorted(by: \.name, .caseInsensitive)

        #expect(try ids(byName, in: store) == [1, 2, 3, 4])
        #expect(try ids(byName.offset(1).limit(2), in: store) == [2, 3])
        #expect(
            try ids(Visitor.all.sorted(by: \.name, .caseInsensitive, .descending), in: store) == [4, 3, 2, 1])
        #expect(try ids(Visitor.all.sorted(by: \.name), in: store) == [1, 3, 2, 4])
        try store.tearDown()
    }
}
