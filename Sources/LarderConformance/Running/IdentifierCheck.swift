import Larder

/// The checks for every kind of identifier: order, find, change, delete and refuse a duplicate.
struct IdentifierCheck<ID: ItemIdentifier> {
    private let ascending: [ID]
    private let items: [Keyed<ID>]

    /// - Parameter ascending: Different identifiers, the smallest first.
    init(_ ascending: [ID]) {
        self.ascending = ascending
        items = ascending.enumerated().map { rank, id in Keyed(id, label: "\(rank)", rank: rank) }
    }

    func run(in world: ConformanceWorld) throws {
        let store = try world.open(Keyed<ID>.self)
        try store.writeSync { try $0.insert(contentsOf: items.reversed()) }
        try checkReading(store)
        try checkFilters(store)
        try checkDuplicates(store)
        let again = try world.reopen(Keyed<ID>.self)
        try checkReading(again)
        try checkWriting(again)
    }

    private func checkReading(_ store: any DataStore) throws {
        let rising = ascending.map(\.anyItemID)
        try expect(Keyed<ID>.all, gives: rising, in: store)
        try expect(Keyed<ID>.all.sorted(by: \.id, .descending), gives: rising.reversed(), in: store)
        try expect(Keyed<ID>.all.sorted(by: \.rank), gives: rising, in: store)
        for item in items {
            try expect(try store.item(item.id, of: Keyed<ID>.self), equals: item)
            try expect(try store.read { try $0.contains(id: item.id, of: Keyed<ID>.self) }, equals: true)
        }
    }

    private func checkFilters(_ store: any DataStore) throws {
        for (rank, id) in ascending.enumerated() {
            func expected(_ passes: (Int) -> Bool) -> [AnyItemID] {
                ascending.indices.filter(passes).map { ascending[$0].anyItemID }
            }
            try expect(try store.ids(Keyed<ID>.where(\.id == id)), equals: expected { $0 == rank })
            try expect(try store.ids(Keyed<ID>.where(\.id != id)), equals: expected { $0 != rank })
            try expect(try store.ids(Keyed<ID>.where(\.id < id)), equals: expected { $0 < rank })
            try expect(try store.ids(Keyed<ID>.where(\.id >= id)), equals: expected { $0 >= rank })
            try expect(
                try store.count(Keyed<ID>.where(\.id > id && \.rank >= 0)), equals: items.count - rank - 1)
        }
        try expect(
            Keyed<ID>.where(.isIn(\.id, ascending.reversed())), gives: ascending.map(\.anyItemID), in: store)
    }

    private func checkDuplicates(_ store: any DataStore) throws {
        for item in items {
            let error = try expectError(.duplicateIdentifier, writingTo: store) {
                try $0.insert(Keyed(item.id, label: "other", rank: -1))
            }
            try expect(error.identifier, equals: item.id.anyItemID)
            try expect(error.itemType, equals: Keyed<ID>.schema.name)
        }
    }

    private func checkWriting(_ store: any DataStore) throws {
        try store.writeSync { accessor in
            for id in ascending {
                let handle = try require(try accessor.mutableItem(id: id, of: Keyed<ID>.self))
                handle.rank += 100
            }
        }
        try expect(try store.items(Keyed<ID>.all).map(\.rank), equals: items.map { $0.rank + 100 })
        try store.writeSync { accessor in
            for (rank, id) in ascending.enumerated() where rank % 2 == 0 {
                try expect(try accessor.delete(id: id, of: Keyed<ID>.self), equals: true)
                try expect(try accessor.delete(id: id, of: Keyed<ID>.self), equals: false)
            }
        }
        let left = ascending.indices.filter { $0 % 2 == 1 }.map { ascending[$0].anyItemID }
        try expect(Keyed<ID>.all, gives: left, in: store)
    }
}
