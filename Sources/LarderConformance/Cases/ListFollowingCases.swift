import Larder

/// Lists with windows, of relationships, in child stores, and with another request.
enum ListFollowingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A list with a window keeps its length", proves: 8, 21) { world in
            let store = try open(world, "a", "b", "c", "d", "e")
            var lists = ObservedLists(store.list(byName.offset(1).limit(2)), of: store)
            try await lists.expectFirst([[2, 3]])

            try await lists.expect("delete 0.1, insert 0.0", [[1, 2]]) {
                _ = try $0.insert(Restaurant(6, name: "A"))
            }
            try await lists.expect("delete 0.1, insert 0.1", [[1, 3]]) {
                _ = try $0.delete(id: .init(rawValue: 2), of: Restaurant.self)
            }
            // Neither is in the window.
            try await store.writeAsync { try $0.mutableRestaurant(5).note = "changed" }
            try await store.writeAsync { try $0.mutableRestaurant(6).note = "changed" }
            try await lists.expect("update 0.0→0.0", [[1, 3]]) {
                try $0.mutableRestaurant(1).note = "changed"
            }
        }
        ConformanceCase("A slow observer of a list gets one change for several", proves: 21) { world in
            let store = try open(world, "a", "b")
            let list = store.list(byName)
            var (slow, fast) = (ObservedLists(list, of: store), ObservedLists(list, of: store))
            try await slow.expectFirst([[1, 2]])
            try await fast.expectFirst([[1, 2]])

            try await fast.expect("insert 0.2", [[1, 2, 3]]) { _ = try $0.insert(Restaurant(3, name: "c")) }
            try await fast.expect("move 0.2→0.0 updated", [[3, 1, 2]]) {
                try $0.mutableRestaurant(3).name = "A"
            }
            try await fast.expect("delete 0.1", [[3, 2]]) {
                _ = try $0.delete(id: .init(rawValue: 1), of: Restaurant.self)
            }
            try await slow.expect("delete 0.0, insert 0.0", [[3, 2]])
            // A change that is undone in between is not reported.
            try await store.writeAsync { _ = try $0.insert(Restaurant(9)) }
            try await store.writeAsync { _ = try $0.delete(id: .init(rawValue: 9), of: Restaurant.self) }
            try await slow.expect("update 0.1→0.1", [[3, 2]]) { try $0.mutableRestaurant(2).seats = 5 }
        }
        ConformanceCase("A list continues with another request", proves: 21) { world in
            let store = try open(world, "a", "b", "c", "d")
            let list = store.list(byName)
            var (one, two) = (ObservedLists(list, of: store), ObservedLists(list, of: store))
            try await one.expectFirst([[1, 2, 3, 4]])
            try await two.expectFirst([[1, 2, 3, 4]])

            try list.refetch(Restaurant.where(\.city == "x").sorted(by: \.name, .descending))
            try await one.expect("delete 0.1, delete 0.3, move 0.2→0.0", [[3, 1]], isRefetched: true)
            try list.refetch(Restaurant.where(\.city == "y"))
            try expect(list.request, equals: Restaurant.where(\.city == "y"))
            try await one.expect(
                "delete 0.0, delete 0.1, insert 0.0, insert 0.1", [[2, 4]], isRefetched: true)
            // An observer that was busy gets the last of both.
            try await two.expect("delete 0.0, delete 0.2", [[2, 4]], isRefetched: true)

            try list.refetch(Restaurant.where(\.city == "y"))
            try await one.expect("", [[2, 4]], isRefetched: true)
            try await one.expect("update 0.0→0.0", [[2, 4]]) { try $0.mutableRestaurant(2).seats = 3 }

            try expectError(.invalidRequest) { try list.refetch(byName.limit(-1)) }
            try await one.expect("update 0.1→0.1", [[2, 4]]) { try $0.mutableRestaurant(4).seats = 3 }
        }
        ConformanceCase("A list continues with other sections", proves: 21) { world in
            let store = try open(world, "a", "b", "c", "d")
            let list = store.list(byName)
            var lists = ObservedLists(list, of: store)
            try await lists.expectFirst([[1, 2, 3, 4]])

            try list.refetch(byName, sectionedBy: .by(\.city))
            try await lists.expect(
                "delete section 0, insert section 0, insert section 1, "
                    + "move 0.0→0.0, move 0.2→0.1, move 0.1→1.0, move 0.3→1.1", [[1, 3], [2, 4]],
                isRefetched: true)
            try list.refetch(byName, sectionedBy: .by(\.city) { "city \($0)" })
            try await lists.expect(
                "update section 0→0, update section 1→1", [[1, 3], [2, 4]], isRefetched: true)
            try list.refetch(byName.sorted(by: \.city, .descending))
            try await lists.expect("move section 1→0", [[2, 4], [1, 3]], isRefetched: true)
            try list.refetch(byName, sectionedBy: nil)
            try await lists.expect(
                "delete section 0, delete section 1, insert section 0, "
                    + "move 1.0→0.0, move 0.0→0.1, move 1.1→0.2, move 0.1→0.3", [[1, 2, 3, 4]],
                isRefetched: true)
        }
        ConformanceCase("A list in a child follows both sides", proves: 18, 21) { world in
            let store = try open(world, "a", "b", "c")
            let child = try store.makeChildDataStore()
            var inParent = ObservedLists(store.list(byName, sectionedBy: \.city), of: store)
            var inChild = ObservedLists(child.list(byName, sectionedBy: \.city), of: child)
            try await inParent.expectFirst([[1, 3], [2]])
            try await inChild.expectFirst([[1, 3], [2]])

            try await inChild.expect("delete section 1, move 1.0→0.1 updated", [[1, 2, 3]]) {
                try $0.mutableRestaurant(2).city = "x"
            }
            try await inParent.expect("insert 0.2", [[1, 3, 4], [2]]) {
                _ = try $0.insert(Restaurant(4, name: "d", city: "x"))
            }
            try await inChild.expect("insert 0.3", [[1, 2, 3, 4]])
            try await store.merge(child)
            try await inParent.expect("delete section 1, move 1.0→0.1 updated", [[1, 2, 3, 4]])
            try await inChild.expect("delete 0.0", [[2, 3, 4]]) {
                _ = try $0.delete(id: .init(rawValue: 1), of: Restaurant.self)
            }
            try child.rollBack()
            try await inChild.expect("insert 0.0", [[1, 2, 3, 4]])
            try child.discard()
            try await inChild.expectEnd()
            try await inParent.expect("update 0.0→0.0", [[1, 2, 3, 4]]) {
                try $0.mutableRestaurant(1).seats = 1
            }
        }
        ConformanceCase(
            "A list reports changes of items that it prefetches", proves: 17, 21
        ) { world in
            let store = try world.openSmallLibrary()
            let request = Book.where(\.year < 2001).prefetching(\.author, \.labels).prefetching(\.chapters)
            var lists = ObservedLists(store.list(request), of: store)
            try await lists.expectFirst([[10, 20, 30, 50]])

            try await lists.expect("update 0.0→0.0, update 0.1→0.1", [[10, 20, 30, 50]]) { accessor in
                try require(try accessor.mutableItem(id: .init(rawValue: 1), of: Person.self)).name = "Zoe"
            }
            try await lists.expect("update 0.0→0.0", [[10, 20, 30, 50]]) { accessor in
                try require(try accessor.mutableItem(id: "green", of: Label.self)).rank = 7
            }
            try await lists.expect("update 0.3→0.3", [[10, 20, 30, 50]]) { accessor in
                try require(try accessor.mutableItem(id: 50, of: Book.self)).labels.replace(by: [])
            }
            try await lists.expect("update 0.0→0.0, update 0.2→0.2", [[10, 20, 30, 50]]) { accessor in
                try require(try accessor.mutableItem(id: Chapter(2).id, of: Chapter.self)).title = "another"
            }
        }
        ConformanceCase("A list keeps the order of a relationship", proves: 17, 21) { world in
            let store = try world.openSmallLibrary()
            let book = try require(try store.read { try $0.item(id: 10, of: Book.self) })
            var lists = ObservedLists(store.list(book.chapters.request), of: store)
            let ids = (0...3).map { Chapter($0).id }
            try await lists.expectFirst([[ids[1], ids[2]]])

            try await lists.expect("move 0.1→0.0", [[ids[2], ids[1]]]) { accessor in
                try require(try accessor.mutableItem(id: 10, of: Book.self)).chapters.move(from: 0, to: 1)
            }
            try await lists.expect("insert 0.0", [[ids[3], ids[2], ids[1]]]) { accessor in
                try require(try accessor.mutableItem(id: 10, of: Book.self)).chapters.insert(
                    Chapter(3), at: 0)
            }
        }
        ConformanceCase("Lists end with their store, and throw what reading throws", proves: 21) { world in
            let store = try open(world, "a", "b")
            var lists = ObservedLists(store.list(byName), of: store)
            try await lists.expectFirst([[1, 2]])
            _ = try await expectError(
                .invalidRequest,
                async: { for try await _ in store.list(byName.offset(-1)) { throw OwnError() } })

            try store.tearDown()
            try await lists.expectEnd()
            _ = try await expectError(.closed, async: { for try await _ in store.list(byName) {} })
            try store.setup()
            var again = ObservedLists(store.list(byName), of: store)
            try await again.expectFirst([[1, 2]])
        }
    }

    private static let byName = Restaurant.all.sorted(by: \.name)

    /// A store with restaurants of these names, numbered from 1 on.
    private static func open(_ world: ConformanceWorld, _ names: String...) throws -> any DataStore {
        let store = try world.open(Restaurant.self)
        try store.writeSync { accessor in
            for (number, name) in names.enumerated() {
                try accessor.insert(
                    Restaurant(Int64(number + 1), name: name, city: number % 2 == 0 ? "x" : "y"))
            }
        }
        return store
    }
}
