import struct Foundation.UUID
import Larder

/// Merging references, links and deletions: what one side has done to items to which the other refers.
enum MergeGraphCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A target that is gone meanwhile is a conflict", proves: 15, 19) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.insert(Book(20, by: 4))
                try accessor.insert(Book(21, by: 1, editedBy: 4))
                let book = try require(try accessor.mutableItem(id: 11, of: Book.self))
                book.editor = ToOne(id: ItemID(rawValue: 4))
                book.title = "child"
                try book.labels.add(id: "unused")
            }
            try store.writeSync { accessor in
                try accessor.delete(id: .init(rawValue: 4), of: Person.self)
                try accessor.delete(id: "unused", of: Label.self)
            }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            let gone = AnyItemID.itemID(4)
            try expect(
                Set(error.conflicts.map(\.kind)),
                equals: [
                    .targetNotFound(relationship: "author", target: gone),
                    .targetNotFound(relationship: "editor", target: gone),
                    .targetNotFound(relationship: "labels", target: .string("unused")),
                ])
            try expect(error.conflicts.count, equals: 4)
            try store.merge(child, policy: .parentWins)
            let books = try store.items(Book.all)
            try expect(books.map(\.id), equals: [10, 11, 12, 13, 14, 21])
            try expect(books[1].title, equals: "child")
            try expect(books[1].editor, equals: nil)
            try expect(books[5].editor, equals: nil)
        }
        ConformanceCase("A deletion that a rule denies meanwhile is a conflict", proves: 16, 19) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.delete(id: 2, of: Shelf.self)
                try accessor.insert(Label("fresh"))
            }
            try store.writeSync {
                try require(try $0.mutableItem(id: 12, of: Book.self)).shelf = ToOne(id: 2)
            }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(error.conflicts.count, equals: 1)
            guard case .deletionDenied = error.conflicts[0].kind else {
                return try expect("\(error.conflicts[0].kind)", equals: "a denied deletion")
            }
            try expect(error.conflicts[0].identifier, equals: .integer(2))
            try expect(try store.count(Label.all), equals: 4)
            let result = try store.merge(child, policy: .parentWins)
            try expect(result.settled.count, equals: 1)
            try expect(try store.items(Shelf.all).map(\.id), equals: [1, 2])
            try expect(try store.count(Label.all), equals: 5)
        }
        ConformanceCase(
            "An item deleted along in the child and changed in the parent is a conflict", proves: 16, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            // Ada's books go with her in the child: 10, 11 and 13.
            try child.writeSync { try $0.delete(id: .init(rawValue: 1), of: Person.self) }
            try store.writeSync { accessor in
                // One of them is Bo's by now, and there is another one of hers.
                try require(try accessor.mutableItem(id: 11, of: Book.self)).author = ToOne(
                    id: ItemID(rawValue: 2))
                try accessor.insert(Book(15, by: 1))
            }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(error.conflicts.map(\.kind), equals: [.deletedInChild])
            try expect(error.conflicts[0].identifier, equals: .integer(11))
            let result = try store.merge(child, policy: .parentWins)
            // Ada, three books and their six chapters; freed are another book, two pupils and a passport.
            try expect([result.inserted, result.updated, result.deleted], equals: [0, 4, 10])
            try expect(try store.count(Chapter.all), equals: 0)
            try expect(try store.items(Book.all).map(\.id), equals: [11, 12, 14])
            try expect(try LinkFixture.labels(of: 11, in: store), equals: ["new"])
        }
        ConformanceCase(
            "Deletions that followed in the child are merged though their cause is not", proves: 16, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                // Inserted again, so that their deletion does not say any more what has followed from it.
                try accessor.delete(id: .init(rawValue: 2), of: Person.self)
                try accessor.insert(Library.people[1])
                try accessor.delete(id: "old", of: Label.self)
                try accessor.insert(Library.labels[1])
                // Only in the child does the book go with its author.
                try require(try accessor.mutableItem(id: 11, of: Book.self)).author = ToOne(
                    id: ItemID(rawValue: 3))
                try accessor.delete(id: .init(rawValue: 3), of: Person.self)
            }
            func contents(_ store: any DataStore) throws -> [[String]] {
                try store.read { accessor in
                    let books = try accessor.items(for: Book.all.prefetching(\.labels)).map { book in
                        let labels = book.labels.items?.map(\.id) ?? []
                        return ["\(book.id)", book.editor.map { "\($0.id)" } ?? "nil"] + labels
                    }
                    let holders = try accessor.items(for: Passport.all).map(\.holder)
                    return books + [holders.map { $0.map { "\($0.id)" } ?? "nil" }]
                }
            }
            let expected = try contents(child)
            try expect(
                expected,
                equals: [
                    ["10", "nil", "new"], ["13", "nil", "new", "\u{142}ong"],
                    ["\(ItemID<Person>(rawValue: 1))", "nil", "nil"],
                ])
            let result = try store.merge(child)
            try expect(try contents(store), equals: expected)
            try expect(result.settled, equals: [])
            try expect(!child.hasChanges, "nothing staged after the merge")
        }
        ConformanceCase(
            "Links of both sides between the same items go together", proves: 15, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            for side in [child, store] as [any DataStore] {
                try side.writeSync { try MutableLinks(accessor: $0).add("unused", to: 10) }
            }
            let grandchild = try child.makeChildDataStore()
            try grandchild.writeSync { try MutableLinks(accessor: $0).remove("unused", from: 10) }
            try child.merge(grandchild)
            try expect(try LinkFixture.labels(of: 10, in: child), equals: ["new", "old"])
            try store.merge(child)
            try expect(try LinkFixture.labels(of: 10, in: store), equals: ["new", "old"])
        }
        ConformanceCase(
            "A link that a child has removed stays so if its parent makes it again", proves: 15, 18, 19
        ) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                let links = MutableLinks(accessor: accessor)
                try links.remove("old", from: 10)
                try links.remove("new", from: 13)
            }
            try store.writeSync { accessor in
                let links = MutableLinks(accessor: accessor)
                try links.remove("old", from: 10)
                try links.remove("new", from: 13)
            }
            try store.writeSync { accessor in
                let links = MutableLinks(accessor: accessor)
                try links.add("old", to: 10)
                try links.add("new", to: 13)
            }
            try expect(try LinkFixture.labels(of: 10, in: child), equals: ["new"])
            try expect(try LinkFixture.labels(of: 13, in: child), equals: ["old", "\u{142}ong"])
            try child.read { accessor in
                let book = try require(try accessor.item(id: 10, of: Book.self))
                try expect(try accessor.countItems(book.labels), equals: 1)
                try expect(try accessor.ids(for: Book.where(\.labels.count == 1)), equals: [10, 11, 14])
            }
            // The user wants it after all.
            try child.writeSync { try MutableLinks(accessor: $0).add("new", to: 13) }
            try expect(try LinkFixture.labels(of: 13, in: child), equals: ["new", "old", "\u{142}ong"])
            try expect(try store.merge(child).settled, equals: [])
            for side in [child, store] as [any DataStore] {
                try expect(try LinkFixture.labels(of: 10, in: side), equals: ["new"])
                try expect(try LinkFixture.labels(of: 13, in: side), equals: ["new", "old", "\u{142}ong"])
            }
        }
        ConformanceCase("Links merge by their ends", proves: 15, 19) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            func edit(_ store: any DataStore, _ body: (MutableLinks) throws -> Void) throws {
                try store.writeSync { try body(MutableLinks(accessor: $0)) }
            }
            try edit(child) { links in
                try links.add("unused", to: 10)
                try links.add("unused", to: 11)
                try links.remove("old", from: 10)
                try links.remove("new", from: 13)
                try links.remove("new", from: 11)
                try links.add("new", to: 11)
            }
            try edit(store) { links in
                try links.add("unused", to: 10)
                try links.add("\u{142}ong", to: 10)
                try links.remove("old", from: 10)
                try links.remove("new", from: 13)
                try links.add("new", to: 13)
            }
            try expect(try store.merge(child).settled, equals: [])
            try expect(
                try LinkFixture.labels(of: 10, in: store), equals: ["new", "unused", "\u{142}ong"])
            try expect(try LinkFixture.labels(of: 11, in: store), equals: ["new", "unused"])
            try expect(try LinkFixture.labels(of: 13, in: store), equals: ["old", "\u{142}ong"])
        }
        ConformanceCase("A link moved on both sides is a conflict", proves: 15, 19) { world in
            let store = try Library.open(world)
            let child = try store.makeChildDataStore()
            func chapters(_ store: any DataStore) throws -> [UInt8] {
                try store.read { accessor in
                    let book = try require(try accessor.item(id: 13, of: Book.self))
                    return try accessor.items(book.chapters).map { $0.id.uuid.15 }
                }
            }
            func move(_ from: Int, to place: Int, in store: any DataStore) throws {
                try store.writeSync {
                    try require(try $0.mutableItem(id: 13, of: Book.self)).chapters.move(
                        from: from, to: place)
                }
            }
            try expect(try chapters(store), equals: [6, 5, 4, 3, 2, 1])
            try move(0, to: 5, in: child)
            try move(4, to: 0, in: store)
            // Links that the child has not touched follow the parent.
            try expect(try chapters(child), equals: [2, 5, 4, 3, 1, 6])
            try expect(try chapters(store), equals: [2, 6, 5, 4, 3, 1])
            try store.merge(child)
            try expect(try chapters(store), equals: [2, 5, 4, 3, 1, 6])

            try move(0, to: 2, in: child)
            try move(0, to: 5, in: store)
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(error.conflicts.map(\.kind), equals: [.changedOnBothSides(attribute: "chapters")])
            try expect(error.conflicts[0].itemType, equals: "Book")
            try expect(error.conflicts[0].identifier, equals: .integer(13))
            try store.merge(child, policy: .childWins)
            try expect(try chapters(store), equals: [5, 4, 2, 3, 1, 6])
        }
        ConformanceCase(
            "A unique value that goes with a deletion is free in the merge", proves: 11, 16, 19
        ) { world in
            let store = try world.open(Voucher.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Voucher(1, "a"), Voucher(2, "b"), Voucher(3, "c")])
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.delete(id: 1, of: Voucher.self)
                try accessor.update(Voucher(2, "wanted"))
                try accessor.insert(Voucher(4, "also wanted"))
            }
            // They go with the voucher that the child has deleted, the second one with the first.
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Voucher(5, "wanted", under: 1), Voucher(6, "also wanted", under: 5),
                ])
            }

            let result = try store.merge(child)
            try expect([result.inserted, result.updated, result.deleted], equals: [1, 1, 3])
            try expect(result.settled, equals: [])
            try expect(
                try store.items(Voucher.all).map { "\($0.id) \($0.code)" },
                equals: ["2 wanted", "3 c", "4 also wanted"])

            // A value that stays is not free.
            try child.writeSync { accessor in
                try accessor.delete(id: 3, of: Voucher.self)
                try accessor.insert(Voucher(7, "taken"))
            }
            try store.writeSync { _ = try $0.insert(Voucher(8, "taken", under: 2)) }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(
                error.conflicts.map(\.kind), equals: [.notUnique(attribute: "code", holder: .integer(8))])
        }
        ConformanceCase(
            "Names that differ in the bytes of a letter alone are two in a merge", proves: 7, 19
        ) { world in
            let store = try world.open(Accented.self)
            try store.writeSync { try $0.insert(contentsOf: [Accented(1, "base"), Accented(2, "base")]) }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.update(Accented(1, "child"))
                let item = try require(try accessor.mutableItem(id: 1, of: Accented.self))
                try item.composedLinks.add(id: 2)
                try item.decomposedLinks.add(id: 2)
            }
            try store.writeSync { _ = try $0.update(Accented(1, "parent")) }
            let linked = try child.stagedChanges.linked
            try expect(
                linked.map { Array($0.relationship.utf8) },
                equals: ["\u{F6}", "o\u{308}"].map { Array($0.utf8) })
            try expect(Set(linked).count, equals: 2)

            let asked = Locked<[[UInt8]]>([])
            let policy = MergePolicy.resolve { conflict in
                guard case .changedOnBothSides(let attribute) = conflict.kind else { return .parent }
                let bytes = Array(attribute.utf8)
                asked.withLock { $0.append(bytes) }
                return .value("\(bytes.count) bytes")
            }
            let settled = try store.merge(child, policy: policy).settled

            try expect(asked.withLock { $0 }, equals: ["\u{E9}", "e\u{301}"].map { Array($0.utf8) })
            try expect(Set(settled).count, equals: 2)
            let merged = try require(try store.item(1, of: Accented.self))
            try expect([merged.composed, merged.decomposed], equals: ["2 bytes", "3 bytes"])
        }
    }

    private struct MutableLinks {
        let accessor: DataStoreReadWriteAccessor

        func add(_ label: String, to book: Int64) throws {
            try require(try accessor.mutableItem(id: book, of: Book.self)).labels.add(id: label)
        }

        func remove(_ label: String, from book: Int64) throws {
            try require(try accessor.mutableItem(id: book, of: Book.self)).labels.remove(id: label)
        }
    }
}

/// An item with a code that no other one has; those under it go with it.
private struct Voucher: DataStoreItem {
    let id: Int64
    var code: String
    var owner: ToOne<Voucher>?
    var others: ToMany<Voucher> = .notGiven

    init(_ id: Int64, _ code: String, under owner: Int64? = nil) {
        self.id = id
        self.code = code
        self.owner = owner.map { ToOne(id: $0) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Voucher, Int64>(column: 0)
        let code = Attribute<Voucher, String>(column: 1)
        let owner = Attribute<Voucher, ToOne<Voucher>?>(indexedColumn: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Voucher",
        attributes: [
            .attribute("id", Int64.self), .attribute("code", String.self),
            .attribute("owner", ToOne<Voucher>?.self),
        ],
        indexes: [.unique("code")],
        relationships: [
            .relationship(
                "others", ToMany<Voucher>.self, of: Voucher.self, inverse: Voucher.attributes.owner,
                deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        code = try row.value(at: 1)
        owner = try row.value(at: 2)
        others = try row.value(atRelationship: 0, of: Voucher.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(owner, at: 2)
        try row.set(others, atRelationship: 0)
    }
}

/// An item with two names of each of two letters: as one scalar and as two.
private struct Accented: DataStoreItem {
    let id: Int64
    var composed: String
    var decomposed: String
    var composedLinks: ToMany<Accented> = .notGiven
    var decomposedLinks: ToMany<Accented> = .notGiven

    init(_ id: Int64, _ text: String) {
        self.id = id
        (composed, decomposed) = (text, text)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Accented, Int64>(column: 0)
        let composed = Attribute<Accented, String>(column: 1)
        let decomposed = Attribute<Accented, String>(column: 2)
        let composedLinks = RelationshipAttribute<Accented, ToMany<Accented>>(number: 0)
        let decomposedLinks = RelationshipAttribute<Accented, ToMany<Accented>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Accented",
        attributes: [
            .attribute("id", Int64.self), .attribute("\u{E9}", String.self),
            .attribute("e\u{301}", String.self),
        ],
        relationships: [
            .relationship("\u{F6}", ToMany<Accented>.self, inverse: nil),
            .relationship("o\u{308}", ToMany<Accented>.self, inverse: nil),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        composed = try row.value(at: 1)
        decomposed = try row.value(at: 2)
        composedLinks = try row.value(atRelationship: 0, of: Accented.self)
        decomposedLinks = try row.value(atRelationship: 1, of: Accented.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(composed, at: 1)
        try row.set(decomposed, at: 2)
        try row.set(composedLinks, atRelationship: 0)
        try row.set(decomposedLinks, atRelationship: 1)
    }
}
