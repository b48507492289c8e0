import Larder

/// The checks for every attribute type: values come back bit for bit, compare and sort by their value, with
/// and without an index, and are found again after reopening.
struct ValueCheck<Value: AttributeValue> {
    private let ascending: [Value]
    private let items: [Holder<Value>]

    /// - Parameter ascending: Different values, the smallest first.
    init(_ ascending: [Value]) {
        self.ascending = ascending
        let count = ascending.count
        items = ascending.indices.map { rank in
            // The identifiers fall where the values rise; every third value is missing if it may be.
            Holder(Int64(count - rank), ascending[rank], optional: rank % 3 == 1 ? nil : ascending[rank])
        }
    }

    func run(in world: ConformanceWorld) throws {
        let store = try world.open(Holder<Value>.self)
        try store.writeSync { try $0.insert(contentsOf: items) }
        try checkRoundTrip(store)
        try checkOrder(store)
        try checkComparisons(store)
        try checkLists(store)
        try checkRoundTrip(try world.reopen(Holder<Value>.self))
    }

    private func checkRoundTrip(_ store: any DataStore) throws {
        for item in items {
            let stored = try require(try store.item(item.id, of: Holder<Value>.self))
            try expect(try StoredRow(stored).values, equals: try StoredRow(item).values, "\(item.plain)")
            try expect(stored.plain == item.plain && stored.indexed == item.plain, "\(item.plain) unchanged")
            try expect(
                stored.optional == item.optional && stored.optionalIndexed == item.optional,
                "\(String(describing: item.optional)) unchanged")
        }
    }

    private func checkOrder(_ store: any DataStore) throws {
        let all = Holder<Value>.all
        let rising = items.map { AnyItemID.integer($0.id) }
        try expect(all.sorted(by: \.plain), gives: rising, in: store)
        try expect(all.sorted(by: \.indexed), gives: rising, in: store)
        try expect(all.sorted(by: \.plain, .descending), gives: rising.reversed(), in: store)
        try expect(all.sorted(by: \.indexed, .descending), gives: rising.reversed(), in: store)
        let missing = items.filter { $0.optional == nil }.map(\.id).reversed().map { AnyItemID.integer($0) }
        let present = items.filter { $0.optional != nil }.map { AnyItemID.integer($0.id) }
        try expect(all.sorted(by: \.optional), gives: missing + present, in: store)
        try expect(all.sorted(by: \.optionalIndexed), gives: missing + present, in: store)
    }

    private func checkComparisons(_ store: any DataStore) throws {
        for (rank, value) in ascending.enumerated() {
            let optional: Value? = value
            let ways: [(Filter<Holder<Value>>, Filter<Holder<Value>>, (Int) -> Bool)] = [
                (\.plain == value, \.indexed == value, { $0 == rank }),
                (\.plain != value, \.indexed != value, { $0 != rank }),
                (\.plain < value, \.indexed < value, { $0 < rank }),
                (\.plain <= value, \.indexed <= value, { $0 <= rank }),
                (\.plain > value, \.indexed > value, { $0 > rank }),
                (\.plain >= value, \.indexed >= value, { $0 >= rank }),
                (\.optional == optional, \.optionalIndexed == optional, { $0 == rank && $0 % 3 != 1 }),
                (\.optional != optional, \.optionalIndexed != optional, { $0 != rank || $0 % 3 == 1 }),
                (\.optional < optional, \.optionalIndexed < optional, { $0 < rank && $0 % 3 != 1 }),
                (\.optional >= optional, \.optionalIndexed >= optional, { $0 >= rank && $0 % 3 != 1 }),
            ]
            for (plain, indexed, passes) in ways {
                let expected = ids(ofRanks: ascending.indices.filter(passes))
                let (plain, indexed) = (Holder<Value>.where(plain), Holder<Value>.where(indexed))
                try expect(try store.ids(plain), equals: expected, "\(plain)")
                try expect(try store.ids(indexed), equals: expected, "\(indexed)")
                try expect(try store.count(indexed), equals: expected.count, "count of \(indexed)")
            }
        }
    }

    private func checkLists(_ store: any DataStore) throws {
        let even = ascending.indices.filter { $0 % 2 == 0 }
        let odd = ascending.indices.filter { $0 % 2 == 1 }
        let values = even.map { ascending[$0] }
        try expect(
            Holder<Value>.where(.isIn(\.plain, values)), gives: ids(ofRanks: even), in: store)
        try expect(
            Holder<Value>.where(.isIn(\.indexed, values)), gives: ids(ofRanks: even), in: store)
        try expect(
            Holder<Value>.where(!.isIn(\.indexed, values)), gives: ids(ofRanks: odd), in: store)
    }

    private func ids(ofRanks ranks: [Int]) -> [AnyItemID] {
        ranks.map { items[$0].id }.sorted().map { AnyItemID.integer($0) }
    }
}
