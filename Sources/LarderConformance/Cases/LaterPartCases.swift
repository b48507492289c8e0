import Larder

/// A later part of a call takes back what an earlier one has given, hundreds of items before it.
enum LaterPartCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("References that a later part of a call takes back need no item", proves: 15) {
            world in
            let store = try world.open(Linked.self)
            var wrong = Linked(2)
            wrong.parent = ToOne(id: 9999)
            let right = Linked(2)

            try store.writeSync { accessor in
                try accessor.upsert(
                    contentsOf: [Linked(1, others: [9999])] + others + [Linked(1, others: [])])
                try accessor.upsert(contentsOf: [wrong] + others + [right])
                // Others are still missing.
                try expectError(.targetNotFound) {
                    try accessor.upsert(
                        contentsOf: [Linked(1, others: [9999, 9998])] + others + [Linked(1, others: [9998])])
                }
                try expectError(.targetNotFound) {
                    try accessor.upsert(contentsOf: [Linked(1, others: [9999])] + others + [Linked(1)])
                }
                try expectError(.targetNotFound) { try accessor.upsert(contentsOf: [wrong] + others) }
            }

            try expect(try store.count(Linked.all), equals: 302)
            try expect(try store.count(Linked.where(\.parent != nil)), equals: 0)
            try store.read { accessor in
                let first = try require(try accessor.item(id: 1, of: Linked.self))
                try expect(try accessor.countItems(first.others), equals: 0)
            }
        }
        ConformanceCase("Items that a later part of a call takes back are not given", proves: 15) { world in
            let store = try world.open(Linked.self)
            func parents(_ first: [Linked], _ last: [Linked]) throws -> [Int?] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Linked.self)
                    try accessor.upsert(contentsOf: first + others + last)
                }
                return try store.items(Linked.where(\.id < 1000)).map { $0.parent?.id }
            }

            try expect(
                try parents([Linked(1, children: [99])], [Linked(1, children: []), Linked(99)]),
                equals: [nil, nil])
            try expect(
                try parents([Linked(1, children: [99])], [Linked(99), Linked(1, children: [])]),
                equals: [nil, nil])
            // One that does not come is not missed.
            try expect(try parents([Linked(1, children: [99])], [Linked(1, children: [])]), equals: [nil])
            // An item that is given again, or that another owner was given, still is.
            try expect(
                try parents(
                    [Linked(1, children: [98, 99])], [Linked(1, children: [98]), Linked(98), Linked(99)]),
                equals: [nil, 1, nil])
            try expect(
                try parents(
                    [Linked(1, children: [99]), Linked(2, children: [99])],
                    [Linked(1, children: []), Linked(99)]),
                equals: [nil, nil, 2])
            try expectError(.itemNotFound) {
                _ = try parents([Linked(1, children: [98, 99])], [Linked(1, children: [98])])
            }
        }
        ConformanceCase(
            "Items go to the owner that they are given to, however often that is done", proves: 15
        ) { world in
            let store = try world.open(Linked.self)
            // The values of the children name no parent, and come in the same part or a later one.
            let items = (0..<700).map { Linked($0, children: $0 < 400 ? [$0 + 300] : []) }
            let parents = (0..<700).map { (id: Int) -> Int? in id < 300 ? nil : id - 300 }

            for _ in 1...2 {
                try store.writeSync { accessor in
                    try accessor.upsert(contentsOf: items)
                }
                try expect(try store.items(Linked.all).map { $0.parent?.id }, equals: parents)
            }
            // The last owner of an item gets it.
            try store.writeSync { accessor in
                try accessor.upsert(contentsOf: items + [Linked(1, children: [300])])
            }
            try expect(try store.item(300, of: Linked.self)?.parent?.id, equals: 1)
            try expect(try store.item(301, of: Linked.self)?.parent?.id, equals: nil)
        }
    }

    /// More items than cross the seam at a time.
    private static let others = (1000..<1300).map { Linked($0) }
}
