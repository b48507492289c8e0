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
        }
    ]

    /// More items than cross the seam at a time.
    private static let others = (1000..<1300).map { Linked($0) }
}
