import Larder

/// A later part of a call takes back what an earlier one has given, hundreds of items before it.
enum LaterPartCases {
    static let all: [ConformanceCase] = [
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
        },
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
        },
    ]

    /// More items than cross the seam at a time.
    private static let others = (1000..<1300).map { Linked($0) }
}
