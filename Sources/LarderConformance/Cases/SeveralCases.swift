import Larder

/// Several items are read, inserted and deleted by one call.
enum SeveralCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Items come in the order of their identifiers in a list", proves: 8) { world in
            let store = try world.openFilled()

            let found = try store.read { try $0.items(ids: ids(9, 50, 1, 9, 2)) }
            let none = try store.read { try $0.items(ids: [], of: Restaurant.self) }

            try expect(
                found,
                equals: [
                    Fixture.restaurant(9), nil, Fixture.restaurant(1), Fixture.restaurant(9),
                    Fixture.restaurant(2),
                ])
            try expect(none, equals: [])
            try store.writeSync { accessor in
                try accessor.mutableRestaurant(1).seats = 7
                try accessor.delete(id: ItemID<Restaurant>(rawValue: 2))
                let found = try accessor.items(ids: ids(2, 1))
                try expect(found.map { $0?.seats }, equals: [nil, 7])
            }
        }
        ConformanceCase("Handles come in the order of their identifiers in a list", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.mutableRestaurant(3)
                let handles = try accessor.mutableItems(ids: ids(4, 3, 60, 4))
                try expect(handles.map { $0?.id.rawValue }, equals: [4, 3, nil, 4])
                try expect(handles[0] === handles[3] && handles[1] === known, "one handle for each item")
                for handle in handles { handle?.seats = 99 }
            }

            try expect(Restaurant.where(\.seats == 99), gives: [3, 4], in: store)
        }
        ConformanceCase("Handles come in the order of values read earlier", proves: 4) { world in
            let store = try world.openFilled()
            var stale = Fixture.restaurant(6)
            stale.name = "stale"

            try store.writeSync { accessor in
                try accessor.delete(Fixture.restaurant(5))
                let handles = try accessor.mutableVersions(of: [
                    stale, Fixture.restaurant(5), Fixture.restaurant(1),
                ])
                try expect(
                    handles.map { $0?.name }, equals: [Fixture.restaurant(6).name, nil, "Trattoria Roma"])
            }
        }
        ConformanceCase("Inserting a list returns its handles", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.delete(Fixture.restaurant(1))
                let handles = try accessor.insert([Restaurant(31, name: "b"), Restaurant(30), Restaurant(1)])
                try expect(handles.map(\.id.rawValue), equals: [31, 30, 1])
                for (number, handle) in handles.enumerated() { handle.seats = number + 500 }
                try expect(
                    try accessor.ids(for: Restaurant.where(\.seats == 501)).map(\.rawValue), equals: [30])
                try expect(try accessor.insert([Restaurant]()).count, equals: 0)
            }

            try expect(try store.restaurant(31), equals: Restaurant(31, name: "b", seats: 500))
            try expect(try store.restaurant(1), equals: Restaurant(1, seats: 502))
        }
        ConformanceCase("A list of which one item is refused inserts none", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expectError(.uniqueViolation) {
                    try accessor.insert([Restaurant(30), Restaurant(31, slug: "roma"), Restaurant(32)])
                }
                try expectError(.duplicateIdentifier) {
                    try accessor.insert([Restaurant(33), Restaurant(1)])
                }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("The handles of a list show relationships", proves: 4) { world in
            let store = try Library.open(world)

            try store.writeSync { accessor in
                let books = try accessor.insert([
                    Book(20, "Foxes", by: 1, labels: [Label("old")], chapters: [Chapter(2), Chapter(1)]),
                    Book(21, "Geese", by: 2),
                ])
                try expect(try books[0].chapters.ids(), equals: [2, 1].map { Chapter($0).id })
                try expect(try accessor.items(books[0].item.labels).map(\.id), equals: ["old"])
                try books[1].labels.add(Label("old"))
            }

            try expect(try LinkFixture.labels(of: 21, in: store), equals: ["old"])
        }
        ConformanceCase("The items of a list are deleted and counted once", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(4)
                try expect(
                    try accessor.delete([Fixture.restaurant(1), Restaurant(70), Fixture.restaurant(1)]),
                    equals: 1
                )
                try expect(try accessor.delete([handle, handle]), equals: 1)
                try expect(try accessor.delete(ids: ids(1, 2, 3, 2)), equals: 2)
                try expect(try accessor.delete(ids: [], of: Restaurant.self), equals: 0)
                try expect(try accessor.delete([Restaurant]()), equals: 0)
            }

            try expect(Restaurant.all, gives: Array(5...12), in: store)
        }
        ConformanceCase(
            "A list of items is deleted with what follows from it", proves: 16
        ) { world in
            let store = try Library.open(world)

            // Ada's and Bo's books go with them, and their chapters with these.
            let count = try store.writeSync { accessor in
                try accessor.delete(ids: [2, 1, 9, 2].map { ItemID<Person>(rawValue: $0) })
            }

            try expect(count, equals: 2)
            try expect(Person.all, gives: [3, 4] as [Int64], in: store)
            try expect(Book.all, gives: [14] as [Int64], in: store)
        }
        ConformanceCase("Items of one list do not keep each other", proves: 16) { world in
            let store = try world.open(Node.self, Leaf.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Node(1), Node(2, \.guardian, 1), Node(3, \.guardian, 2), Node(4),
                ])
            }

            try expectError(.deletionDenied, writingTo: store) { try $0.delete([Node(4), Node(1)]) }
            try expect(try store.count(Node.all), equals: 4)
            let count = try store.writeSync { try $0.delete(ids: [1, 2, 3, 8], of: Node.self) }

            try expect(count, equals: 3)
            try expect(Node.all, gives: [4] as [Int64], in: store)
        }
        ConformanceCase("Lists of every identifier are read and deleted", proves: 10) { world in
            let store = try world.open(Keyed<String>.self)
            let texts = Samples.text.filter { !$0.isEmpty }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: texts.enumerated().map { Keyed($1, rank: $0) })
            }

            let found = try store.read { try $0.items(ids: texts.reversed(), of: Keyed<String>.self) }
            try expect(found.map { $0?.rank }, equals: texts.indices.reversed().map { $0 })
            let count = try store.writeSync { try $0.delete(ids: texts.dropFirst(), of: Keyed<String>.self) }

            try expect(count, equals: texts.count - 1)
            try expect(try store.count(Keyed<String>.all), equals: 1)
        }
        ConformanceCase("Hundreds of items are deleted by a list", proves: 3) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync {
                try $0.insert(contentsOf: (1...1000).map { Restaurant($0, slug: "\($0)") })
            }

            let count = try store.writeSync { accessor in
                try accessor.delete(ids: (500...1200).map { ItemID<Restaurant>(rawValue: $0) })
            }

            try expect(count, equals: 501)
            try expect(try store.count(Restaurant.all), equals: 499)
            try expect(Restaurant.where(\.slug == "600"), gives: [Int64](), in: store)
        }
    }

    private static func ids(_ numbers: Int64...) -> [ItemID<Restaurant>] {
        numbers.map { ItemID(rawValue: $0) }
    }
}
