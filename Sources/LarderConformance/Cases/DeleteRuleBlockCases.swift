import Larder

/// Delete rules and what else happens in a block: savepoints, waiting blocks, walks.
enum DeleteRuleBlockCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A deletion that a savepoint undoes shows everything again", proves: 3, 4
        ) { world in
            let store = try DeleteRuleCases.open(world)

            try store.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: Book.self))
                let passport = try require(try accessor.mutableItem(id: "a", of: Passport.self))
                try expectOwnError {
                    try accessor.savepoint {
                        try accessor.delete(id: ItemID<Person>(rawValue: 1))
                        try expect(passport.holder == nil, "no holder inside the savepoint")
                        throw OwnError()
                    }
                }
                try expect(passport.holder?.id.rawValue, equals: 1)
                book.title = "alive"
                _ = try accessor.savepoint { try accessor.delete(id: ItemID<Person>(rawValue: 3)) }
            }

            try expect(try store.items(Person.all).map(\.id.rawValue), equals: [1, 2])
            try expect(try store.items(Book.all).map(\.title), equals: ["alive", "", ""])
            try expect(try store.items(Book.all).map { $0.editor?.id.rawValue ?? 0 }, equals: [2, 1, 1])
        }
        ConformanceCase(
            "Delete rules hold in blocks that wait for one commit", proves: 2, 3, 16
        ) { world in
            let store = try DeleteRuleCases.open(world)

            let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(Shelf(5)) },
                { try $0.delete(id: 1, of: Shelf.self) },
                { try $0.delete(id: ItemID<Person>(rawValue: 2)) },
                { accessor in
                    try accessor.delete(id: ItemID<Person>(rawValue: 1))
                    throw OwnError()
                },
                { accessor in
                    do { try accessor.delete(id: 1, of: Shelf.self) } catch DataStoreError.Code.deletionDenied
                    {}
                    try accessor.insert(Shelf(6))
                },
                { try $0.deleteAllItems(of: Passport.self) },
            ]
            let results = try WaitingWriteCases.results(of: blocks, in: store)

            try expect(
                WaitingWriteCases.codes(results),
                equals: ["stored", "deletionDenied", "stored", "OwnError(number: 1)", "stored", "stored"])
            try expect(try store.items(Shelf.all).map(\.id), equals: [1, 2, 5, 6])
            try expect(try store.items(Person.all).map(\.id.rawValue), equals: [1, 3])
            try expect(try store.items(Book.all).map(\.id), equals: [1, 3])
            try expect(try store.items(Book.all).map { $0.editor?.id.rawValue ?? 0 }, equals: [0, 1])
            try expect(try store.count(Passport.all), equals: 0)
        }
        ConformanceCase(
            "Items that are being read one by one do not go with others", proves: 4
        ) { world in
            let store = try DeleteRuleCases.open(world)

            try store.writeSync { accessor in
                try accessor.forEachItem(for: Book.where(\.id == 1)) { _ in
                    let error = try expectError(.changedDuringIteration) {
                        try accessor.delete(id: ItemID<Person>(rawValue: 1))
                    }
                    try expect(error.itemType, equals: "Book")
                    try expect(try accessor.delete(id: "b", of: Passport.self), "an item of another type")
                }
            }

            try expect(try store.count(Person.all), equals: 3)
            try expect(try store.count(Book.all), equals: 3)
            try expect(try store.count(Passport.all), equals: 1)
        }
    }
}
