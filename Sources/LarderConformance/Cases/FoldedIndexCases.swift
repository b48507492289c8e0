import Larder

/// Indexes and uniqueness of text without regard to case, diacritics, or both.
enum FoldedIndexCases {
    private static let both: TextMatching = [.caseInsensitive, .diacriticInsensitive]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An index without regard to case gives the order of the folded texts", proves: 7, 8) {
            world in
            let store = try openVisitors(in: world)
            let byName: [Int64] = [6, 8, 1, 2, 4, 5, 7, 3]
            let byNickname: [Int64] = [1, 6, 4, 5, 7, 8, 2, 3]

            try expect(Visitor.all.sorted(by: \.name, .caseInsensitive), gives: byName, in: store)
            try expect(
                Visitor.all.sorted(by: \.name, .caseInsensitive, .descending), gives: byName.reversed(),
                in: store)
            try expect(Visitor.all.sorted(by: \.nickname, both), gives: byNickname, in: store)
            try expect(
                Visitor.all.sorted(by: \.nickname, both, .descending), gives: byNickname.reversed(), in: store
            )
            // No such column is kept for these.
            try expect(
                Visitor.all.sorted(by: \.nickname, .caseInsensitive), gives: [1, 6, 5, 7, 8, 3, 2, 4],
                in: store
            )
            try expect(Visitor.all.sorted(by: \.name), gives: [6, 8, 1, 2, 5, 4, 7, 3], in: store)
        }
        ConformanceCase("Filters without regard to case find the same with an index", proves: 7) { world in
            let store = try openVisitors(in: world)

            try expect(filters, in: store)
            try store.writeSync { accessor in
                for (filter, ids) in filters { try expect(Visitor.where(filter), gives: ids, in: accessor) }
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { _ = try $0.update(Visitor.all, .set(\.table, to: 1)) }
            try expect(filters, in: child)
        }
        ConformanceCase("A changed text is found by its new folding alone", proves: 4, 7) { world in
            let store = try openVisitors(in: world)

            try store.writeSync { accessor in
                try visitor(1, in: accessor).name = "DORA"
                try expect(
                    Visitor.where(.equals(\.name, "dora", .caseInsensitive)), gives: [1], in: accessor)
                try accessor.update(Visitor.where(\.name == "Bert"), .set(\.nickname, to: \.name))
                try accessor.update(Visitor(4, "Elan", nickname: nil))
                try visitor(5, in: accessor).table = 9
            }

            try expect(Visitor.where(.equals(\.name, "anna", .caseInsensitive)), gives: [Int64](), in: store)
            try expect(Visitor.where(.equals(\.nickname, "BERT", both)), gives: [2], in: store)
            try expect(Visitor.where(.hasPrefix(\.nickname, "ecl", both)), gives: [5], in: store)
            try expect(Visitor.where(.equals(\.name, "ELAN", .caseInsensitive)), gives: [4], in: store)
        }
        ConformanceCase("A text that differs in case alone is not unique", proves: 11) { world in
            let store = try openVisitors(in: world)
            let changes: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { _ = try $0.insert(Visitor(20, "ANNA")) },
                { try $0.insert(contentsOf: [Visitor(20, "new"), Visitor(21, "aNNa")]) },
                { try visitor(2, in: $0).name = "anna" },
                { _ = try $0.update(Visitor(2, "anna")) },
                { _ = try $0.update(Visitor.where(\.name == "Bert"), .set(\.name, to: "ANNA")) },
                { _ = try $0.upsert(Visitor(20, "ANNA")) },
            ]

            for change in changes {
                let error = try expectError(.uniqueViolation, writingTo: store) { try change($0) }
                try expect(error.itemType, equals: "Visitor")
                try expect(error.attribute, equals: "name")
                try expect(error.identifier, equals: .integer(1))
                try expect(try store.items(Visitor.all), equals: Visitor.all)
            }
            let error = try expectError(.uniqueViolation, writingTo: store) {
                _ = try $0.insert(Visitor(20, "ANNA"))
            }
            let holder = Visitor.all[0].id.anyItemID
            try expect(
                error.message,
                equals: "The item \(holder) already has the name \"Anna\", which equals \"ANNA\" "
                    + "without regard to case.")
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(contentsOf: [Visitor(20, "stra\u{DF}e!"), Visitor(21, "STRASSE!")])
            }
        }
        ConformanceCase("Texts that differ in case may be exchanged, and the case of one changed", proves: 11)
        {
            world in
            let store = try openVisitors(in: world)

            try store.writeSync { accessor in
                let (first, second) = (try visitor(1, in: accessor), try visitor(2, in: accessor))
                (first.name, second.name) = ("BERT", "ANNA")
                try visitor(4, in: accessor).name = "ELAN"
                try accessor.delete(id: Visitor.all[4].id, of: Visitor.self)
                try accessor.insert(Visitor(20, "stra\u{DF}e"))
            }

            try expect(Visitor.where(.equals(\.name, "bert", .caseInsensitive)), gives: [1], in: store)
            try expect(Visitor.where(\.name == "ELAN"), gives: [4], in: store)
            try expect(Visitor.where(.equals(\.name, "STRASSE", .caseInsensitive)), gives: [20], in: store)
        }
        ConformanceCase("An upsert by a text finds the item without regard to case", proves: 11) { world in
            let store = try openVisitors(in: world)

            try store.writeSync { accessor in
                let anna = try accessor.upsert(Visitor(30, "ANNA", table: 7), by: \.name)
                try expect(anna.id.rawValue, equals: 1)
                let bert = try accessor.findOrInsert(Visitor(31, "BERT", table: 7), by: \.name)
                try expect([bert.name, "\(bert.table)"], equals: ["Bert", "0"])
                let counts = try accessor.upsert(
                    contentsOf: [
                        Visitor(32, "ELAN", table: 3), Visitor(33, "new"), Visitor(34, "NEW", table: 4),
                    ],
                    by: \.name)
                try expect([counts.inserted, counts.updated], equals: [1, 2])
            }

            try expect(Visitor.where(\.name == "ANNA"), gives: [1], in: store)
            try expect(Visitor.where(.equals(\.name, "new", .caseInsensitive)), gives: [33], in: store)
            try expect(Visitor.where(\.table > 0).sorted(by: \.table), gives: [4, 33, 1], in: store)
        }
        ConformanceCase("An import by a text finds the item without regard to case", proves: 11) { world in
            let store = try openVisitors(in: world)
            let map = ImportMap<Visitor, (String, Int)>(by: \.name, from: \.0) {
                Import(\.table, from: \.1)
            }.inserting { Visitor(Int64($0.1) + 100, $0.0) }
            let sources = [("ANNA", 5), ("new", 6), ("NEW", 7)]

            let counts = try store.writeSync { try $0.importItems(from: sources, using: map) }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 2))
            // A key is what an item was found by: the stored text stays.
            try expect(Visitor.where(\.name == "Anna"), gives: [1], in: store)
            try expect(Visitor.where(\.name == "new"), gives: [106], in: store)
            try expect(Visitor.where(\.table > 0).sorted(by: \.table), gives: [1, 106], in: store)
        }
        ConformanceCase("A savepoint and a rollback undo folded texts", proves: 3, 11) { world in
            let store = try openVisitors(in: world)

            try store.writeSync { accessor in
                try expectOwnError {
                    try accessor.savepoint {
                        try visitor(1, in: accessor).name = "Dora"
                        try accessor.insert(Visitor(20, "Emil"))
                        throw OwnError()
                    }
                }
                try accessor.insert(Visitor(21, "EMIL"))
            }
            try expectOwnError {
                try store.writeSync { accessor in
                    try visitor(2, in: accessor).name = "Dora"
                    throw OwnError()
                }
            }

            try store.writeSync { try $0.insert(Visitor(22, "DORA")) }
            try expect(Visitor.where(.equals(\.name, "anna", .caseInsensitive)), gives: [1], in: store)
            try expect(Visitor.where(.equals(\.name, "emil", .caseInsensitive)), gives: [21], in: store)
        }
        ConformanceCase("Pages follow an index without regard to case", proves: 7, 8) { world in
            let store = try openVisitors(in: world)
            let request = Visitor.all.sorted(by: \.nickname, both)
            var pages: [[Int64]] = []

            try store.read { accessor in
                var last: Visitor?
                repeat {
                    let page = try accessor.page(of: request, after: last, size: 3)
                    pages.append(page.items.map(\.id.rawValue))
                    last = page.hasMore ? page.items.last : nil
                } while last != nil
            }

            try expect(pages, equals: [[1, 6, 4], [5, 7, 8], [2, 3]])
        }
        ConformanceCase("A merge keeps folded texts right by every policy", proves: 7, 19) { world in
            for (policy, name) in [(MergePolicy.parentWins, "ANNA"), (.childWins, "Carl")] {
                let store = try openVisitors(in: world)
                let child = try store.makeChildDataStore()
                try child.writeSync { try visitor(1, in: $0).name = "Carl" }
                try store.writeSync { try visitor(1, in: $0).name = "ANNA" }
                let staged = try child.stagedChanges
                try expect(try staged.updated(Visitor.self).map(\.attributes), equals: [["name"]])

                try store.merge(child, policy: policy)

                try expect(Visitor.where(.equals(\.name, name, .caseInsensitive)), gives: [1], in: store)
                let other = name == "Carl" ? "anna" : "carl"
                try expect(
                    Visitor.where(.equals(\.name, other, .caseInsensitive)), gives: [Int64](), in: store)
                try expect(
                    Visitor.where(.equals(\.name, name, .caseInsensitive)), gives: [1], in: child)
                try store.destroy()
            }
        }
        ConformanceCase("A merge finds texts that differ in case alone", proves: 11, 19) { world in
            let store = try openVisitors(in: world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.insert(Visitor(20, "Dora"))
                try visitor(2, in: accessor).name = "Emil"
            }
            try store.writeSync { try $0.insert(contentsOf: [Visitor(21, "DORA"), Visitor(22, "EMIL")]) }

            let error = try expectError(.mergeConflict) { try store.merge(child) }

            let holders = [21, 22].map { ItemID<Visitor>(rawValue: $0).anyItemID }
            try expect(
                Set(error.conflicts.map(\.description)).count, equals: 2)
            for holder in holders {
                let kind = MergeConflict.Kind.notUnique(attribute: "name", holder: holder)
                try expect(error.conflicts.contains { $0.kind == kind }, "a clash with \(holder)")
            }
            try store.merge(child, policy: .parentWins)
            try expect(Visitor.where(.equals(\.name, "bert", .caseInsensitive)), gives: [2], in: store)
            try expect(Visitor.where(.equals(\.name, "dora", .caseInsensitive)), gives: [21], in: store)
        }
        ConformanceCase("A merge exchanges texts in another case", proves: 11, 19) { world in
            let store = try openVisitors(in: world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                let (first, second) = (try visitor(1, in: accessor), try visitor(2, in: accessor))
                (first.name, second.name) = ("BERT", "ANNA")
            }

            try store.merge(child)

            try expect(Visitor.where(.equals(\.name, "bert", .caseInsensitive)), gives: [1], in: store)
            try expect(Visitor.where(\.name == "ANNA"), gives: [2], in: store)
        }
        ConformanceCase("A text that a hook changes is folded and judged", proves: 11, 22) { world in
            let store = try world.open(Visitor.self) { options in
                options.setHooks(
                    ItemHooks(Visitor.self).beforeInsert { $0.name += "!" }
                        .beforeUpdate { visitor, _ in visitor.nickname = visitor.name })
            }
            try store.writeSync { try $0.insert(contentsOf: [Visitor(1, "Anna"), Visitor(2, "Bert")]) }

            try expect(Visitor.where(.equals(\.name, "ANNA!", .caseInsensitive)), gives: [1], in: store)
            try expect(Visitor.where(.equals(\.name, "ANNA", .caseInsensitive)), gives: [Int64](), in: store)
            // The name as it is given is free.
            let error = try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Visitor(3, "ANNA"))
            }
            try expect(error.identifier, equals: .integer(1))
            try store.writeSync { try visitor(2, in: $0).table = 4 }
            try expect(Visitor.where(.equals(\.nickname, "BERT!", both)), gives: [2], in: store)
        }
        ConformanceCase("A list without regard to case follows the texts of its items", proves: 7, 21) {
            world in
            let store = try openVisitors(in: world)
            let request = Visitor.where(.hasPrefix(\.name, "E", .caseInsensitive))
            var lists = ObservedLists(
                store.list(request.sorted(by: \.name, .caseInsensitive)), of: store)
            try await lists.expectFirst([[4]])

            try await lists.expect("insert 0.0, insert 0.2", [[20, 4, 21]]) {
                try $0.insert(contentsOf: [Visitor(20, "EBBA"), Visitor(21, "Emma")])
            }
            try await lists.expect("move 0.0→0.2 updated", [[4, 21, 20]]) {
                try visitor(20, in: $0).name = "EZRA"
            }
            try await lists.expect("update 0.1→0.1", [[4, 21, 20]]) {
                try visitor(21, in: $0).name = "EMMA"
            }
            try await lists.expect("delete 0.0", [[21, 20]]) { try visitor(4, in: $0).name = "lan" }
        }
        ConformanceCase("A child that follows its parent follows folded texts", proves: 7, 19) { world in
            let store = try openVisitors(in: world)
            let child = try store.makeChildDataStore()
            try child.writeSync { try visitor(1, in: $0).table = 5 }
            try store.writeSync { try visitor(1, in: $0).name = "Dora" }

            try child.refresh()

            try expect(Visitor.where(.equals(\.name, "DORA", .caseInsensitive)), gives: [1], in: child)
            try expect(Visitor.where(.equals(\.name, "anna", .caseInsensitive)), gives: [Int64](), in: child)
        }
    }

    private static let filters: [(Filter<Visitor>, [Int64])] = [
        (.equals(\.name, "ANNA", .caseInsensitive), [1]),
        (.equals(\.name, "stra\u{DF}e", .caseInsensitive), [5]),
        (.equals(\.name, "\u{E9}LAN", .caseInsensitive), [3]),
        (.equals(\.name, "a\u{0}B", .caseInsensitive), [8]),
        (.equals(\.name, "", .caseInsensitive), [6]),
        (.equals(\.name, Visitor.all[6].name.uppercased(), .caseInsensitive), [7]),
        (.equals(\.nickname, "ZOE", both), [2, 3]),
        (!.equals(\.nickname, "ZOE", both), [1, 4, 5, 6, 7, 8]),
        (.hasPrefix(\.name, "EL", .caseInsensitive), [4]),
        (.hasPrefix(\.nickname, "Ecl", both), [4, 5]),
        (.contains(\.name, "aSs", .caseInsensitive), [5]),
        (.hasSuffix(\.name, "RT", .caseInsensitive), [2]),
        (.like(\.nickname, "E*", both), [4, 5]),
        (.equals(\.name, "elan", .diacriticInsensitive), [4]),
    ]

    private static func openVisitors(in world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Visitor.self)
        try store.writeSync { try $0.insert(contentsOf: Visitor.all) }
        return store
    }

    private static func visitor(
        _ number: Int64, in accessor: DataStoreReadWriteAccessor
    ) throws -> Mutable<Visitor> {
        try require(try accessor.mutableItem(id: ItemID(rawValue: number), of: Visitor.self))
    }
}
