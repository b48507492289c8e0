import Larder

/// Pages and aggregates of several types.
enum UnionPageCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Pages of several types put together are the whole, in both directions", proves: 8, 13
        ) { world in
            try UnionCases.asking(in: world) { accessor in
                for order in UnionCases.orders {
                    let whole = try UnionCases.names(order, in: accessor)
                    for size in [1, 2, 4, 9, 20] {
                        let what = "pages of \(size) of \(order)"
                        var page = try accessor.page(of: order, size: size)
                        var joined = page.items
                        while page.hasMore {
                            page = try accessor.page(of: order, after: joined.last, size: size)
                            joined += page.items
                        }
                        try expect(joined.map { UnionCases.name($0) }, equals: whole, what)
                        page = try accessor.page(of: order, before: nil, size: size)
                        joined = page.items
                        while page.hasMore {
                            page = try accessor.page(of: order, before: joined.first, size: size)
                            joined = page.items + joined
                        }
                        try expect(joined.map { UnionCases.name($0) }, equals: whole, what)
                    }
                }
            }
        }
        ConformanceCase("Pages in an order that names an attribute twice miss no item", proves: 8, 13) {
            world in
            let store = try UnionCases.open(world)
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: [Keyed("x", rank: 7), Keyed("y", rank: 7), Keyed("z", rank: 7)])
            }
            let request = Thing.all.sorted(by: \.rank).sorted(by: \.rank, .descending).filter { $0.rank == 7 }

            try store.read { accessor in
                try expect(
                    try UnionCases.names(request, in: accessor), equals: ["word z", "word y", "word x"])
                var page = try accessor.page(of: request, size: 1)
                var joined = page.items
                while page.hasMore {
                    page = try accessor.page(of: request, after: joined.last, size: 1)
                    joined += page.items
                }
                try expect(joined.map { UnionCases.name($0) }, equals: ["word z", "word y", "word x"])
            }
        }
        ConformanceCase(
            "Pages of several types go by stored values, and not by their fallbacks", proves: 8, 9, 13
        ) { world in
            let raw = try world.open(Versioned<MealAsStored>.self, Dish.self)
            try raw.writeSync { accessor in
                for (place, course) in ["starter", "zebra", "main", "zebra"].enumerated() {
                    try accessor.insert(
                        Versioned<MealAsStored>(Int64(place + 1), .text(course), .null, .integer(0)))
                }
                try accessor.insert(contentsOf: [Dish(1), Dish(2, course: .starter)])
            }
            let store = try world.reopen(Meal<Lenient>.self, Dish.self)
            let whole: [Plate] = [
                .meal(Meal(3)), .dish(Dish(1)), .meal(Meal(1, course: .starter)),
                .dish(Dish(2, course: .starter)), .meal(Meal(2)), .meal(Meal(4)),
            ]

            try store.read { accessor in
                for direction in [SortDirection.ascending, .descending] {
                    let order = Plate.all.sorted(by: \.course, direction)
                    let expected: [Plate] = direction == .ascending ? whole : whole.reversed()
                    try expect(try accessor.items(for: order), equals: expected)
                    var page = try accessor.page(of: order, size: 1)
                    var joined = page.items
                    while page.hasMore, joined.count <= whole.count {
                        page = try accessor.page(of: order, after: joined.last, size: 1)
                        joined += page.items
                    }
                    try expect(joined, equals: expected)
                    page = try accessor.page(of: order, before: nil, size: 1)
                    joined = page.items
                    while page.hasMore, joined.count <= whole.count {
                        page = try accessor.page(of: order, before: joined.first, size: 1)
                        joined = page.items + joined
                    }
                    try expect(joined, equals: expected)
                }
            }
            let gone = try require(try store.item(4, of: Meal<Lenient>.self))
            try store.writeSync { _ = try $0.delete(gone) }
            let page = try store.read { accessor in
                try accessor.page(of: Plate.all.sorted(by: \.course), after: .meal(gone), size: 1)
            }
            try expect(page.items, equals: [.dish(Dish(1))])
            _ = try world.reopen(Versioned<MealAsStored>.self, Dish.self)
        }
        ConformanceCase("A page of several types begins where its item stood", proves: 8, 13) { world in
            let store = try UnionCases.open(world)
            let request = Thing.all.sorted(by: \.rank)
            let gone = Thing.memo(try require(try store.item(1, of: Memo.self)))
            try store.writeSync { accessor in
                try accessor.delete(id: 1, of: Memo.self)
                try accessor.insert(Keyed("aa", rank: 1))
            }

            try store.read { accessor in
                let after = try accessor.page(of: request, after: gone, size: 2)
                try expect(after.items.map { UnionCases.name($0) }, equals: ["number 20", "word b"])
                try expect(after.hasMore, equals: true)
                let before = try accessor.page(of: request, before: gone, size: 3)
                try expect(
                    before.items.map { UnionCases.name($0) }, equals: ["number 10", "word a", "word aa"])
                try expect(before.hasMore, equals: false)
                let filtered = request.filter { $0.rank > 2 }
                let last = try accessor.page(of: filtered, after: gone, size: 3)
                try expect(
                    last.items.map { UnionCases.name($0) }, equals: ["number 30", "number 40", "word C"])
                try expect(last.hasMore, equals: false)
                let first = try accessor.page(of: filtered, before: gone, size: 3)
                try expect(first.items, equals: [])
                try expect(first.hasMore, equals: false)
            }
        }
        ConformanceCase("Aggregates of several types are of exactly their items", proves: 20) { world in
            try UnionCases.asking(in: world) { accessor in
                let all = Thing.all.sorted(by: \.label)
                try expect(try accessor.sum(\.rank, for: all), equals: 21)
                try expect(try accessor.average(\.rank, for: all), equals: 7.0 / 3)
                try expect(try accessor.minimum(\.rank, for: all), equals: 1)
                try expect(try accessor.maximum(\.rank, for: all), equals: 4)
                try expect(try accessor.minimum(\.label, for: all), equals: "A")
                try expect(try accessor.maximum(\.label, for: all), equals: "d")
                // The window is word a, memo 1 and number 20.
                let window = Thing.all.sorted(by: \.rank).offset(1).limit(3)
                try expect(try accessor.sum(\.rank, for: window), equals: 4)
                try expect(try accessor.average(\.rank, for: window), equals: 4.0 / 3)
                try expect(try accessor.minimum(\.rank, for: window), equals: 1)
                try expect(try accessor.maximum(\.rank, for: window), equals: 2)
                try expect(try accessor.minimum(\.label, for: window), equals: "b")
                try expect(try accessor.maximum(\.label, for: window), equals: "c")
                let none = Thing.where { $0.rank > 9 }
                try expect(try accessor.sum(\.rank, for: none), equals: 0)
                try expect(try accessor.average(\.rank, for: none), equals: nil)
                try expect(try accessor.minimum(\.label, for: none), equals: nil)
                try expect(try accessor.maximum(\.rank, for: none), equals: nil)
                let unlabelled = Thing.where { $0.label == nil }
                try expect(try accessor.maximum(\.label, for: unlabelled), equals: nil)
                try expect(try accessor.sum(\.rank, for: unlabelled), equals: 8)
            }
        }
        ConformanceCase("Pages and aggregates of several types are refused if they are wrong", proves: 13, 20)
        {
            world in
            let store = try UnionCases.open(world)
            let pages: [(UnionRequest<Thing>, Int)] = [
                (Thing.all, 0), (Thing.all, -1), (Thing.all, .max), (Thing.all.limit(3), 2),
                (Thing.all.offset(1), 2), (Thing.all.sorted(by: \.incomplete), 2),
            ]
            let wrong = [
                Thing.all.limit(-1), Thing.all.sorted(by: \.incomplete), Thing.where { $0.incomplete == 1 },
            ]

            try store.read { accessor in
                for (request, size) in pages {
                    try expectError(.invalidRequest) { _ = try accessor.page(of: request, size: size) }
                    try expectError(.invalidRequest) {
                        _ = try accessor.page(of: request, before: nil, size: size)
                    }
                }
                for request in wrong {
                    try expectError(.invalidRequest) { _ = try accessor.sum(\.rank, for: request) }
                    try expectError(.invalidRequest) { _ = try accessor.minimum(\.rank, for: request) }
                }
                try expectError(.invalidRequest) { _ = try accessor.average(\.incomplete, for: Thing.all) }
                try expectError(.invalidRequest) { _ = try accessor.maximum(\.incomplete, for: Thing.all) }
            }
            try store.writeSync { accessor in
                try accessor.insert(Keyed<Int64>(50, rank: .max))
                let error = try expectError(.overflow) { _ = try accessor.sum(\.rank, for: Thing.all) }
                try expect(error.attribute, equals: "rank")
                try expect(try accessor.maximum(\.rank, for: Thing.all), equals: Int.max)
            }
        }
    }
}
