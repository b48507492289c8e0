import Foundation
import Larder
import LarderEngine
import LarderText
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderTransfer

/// Items that a copy leaves out, and those that refer to them.
struct SkippedItemTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let ada = "Person 0000000000001"
    private static let chapters = [3, 1].map { "00000000-0000-0000-0000-00000000000\($0)" }

    /// What the others lose with Ada, in the order in which the types are copied.
    private static let lost = [
        "Person 0000000000002 referred to \(ada) by mentor, which is left out.",
        "Passport P1 referred to \(ada) by holder, which is left out.",
        "Book 2 referred to \(ada) by editor, which is left out.",
        "Book 1 was linked with Label new by labels, and one of them is left out.",
        "Book 1 was linked with Label fresh by labels, and one of them is left out.",
    ]

    /// Puts bytes that are no text into the first attribute of an item.
    private static func spoil(_ place: Place, _ entity: String, _ identifier: Constant) throws {
        try place.withAdapter { adapter, schema in
            let number = try schema.number(ofEntityNamed: entity)
            let arena = RowArena()
            let cells = try arena.makeCells(schema.entities[number].attributes.count)
            for column in schema.entities[number].attributes.indices { cells[column] = .null }
            cells[0] = try arena.cell(of: identifier)
            let writing = try adapter.beginWriting()
            defer { writing.end() }
            try [0xFF, 0xFE].map { UInt8($0) }.withUnsafeBytes { bytes in
                cells[1] = .text(bytes)
                let mutation = RowMutation(
                    .update, entity: number, cells: UnsafePointer(cells), columns: ColumnSet([1]))
                _ = try withUnsafePointer(to: mutation) {
                    try writing.apply(UnsafeBufferPointer(start: $0, count: 1))
                }
            }
            try writing.commit()
        }
    }

    /// A library without Ada, who wrote the first book and edited the second.
    private func fillAndSpoil(_ place: Place) throws {
        try GraphCargo.fill(place)
        try Self.spoil(place, "Person", .integer(1))
    }

    private func expectWithoutAda(_ place: Place) throws {
        try place.withStore(storing: Library.types) { store in
            try store.read { accessor in
                #expect(try accessor.items(for: Person.all) == [Person(2, "Bo")])
                #expect(try accessor.items(for: Passport.all).map(\.holder) == [nil])
                let books = try accessor.items(for: Book.all)
                #expect(books == [Book(2, "Soups", by: 2)])
                #expect(try accessor.items(books[0].labels).map(\.id) == ["fresh"])
                #expect(try accessor.items(books[0].chapters).count == 1)
                #expect(try accessor.countItems(for: Label.all) == 3)
            }
        }
        #expect(try place.ownProblems() == [])
    }

    @Test(arguments: Engine.pairs)
    func `a copy loses what refers to an item that is left out`(_ pair: Pair) throws {
        let (source, copy) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
        try fillAndSpoil(source)
        var transfer = StoreTransfer(from: source.address, to: copy.address)
        transfer.options.itemsPerBatch = 2

        #expect(code { _ = try transfer.run() } == .undecodable)
        transfer.options.undecodableRows = .skip
        let report = try transfer.run()

        #expect(report.isResumed)
        #expect(report.skippedRows == 2)
        #expect(report.skipped.map(\.code) == [.undecodable, .targetNotFound])
        #expect(report.skipped.map(\.identifier) == [.itemID(1), .integer(1)])
        #expect(
            report.skipped[1].message == "Book 1 requires \(Self.ada) by author, which is left out.")
        // Two chapters of the first book, whose links are named in the order of their own identifiers.
        #expect(report.lostReferences == Self.lost.count + 2)
        #expect(report.lost.prefix(Self.lost.count).map(\.message) == Self.lost)
        let expected: [String] = Self.chapters.reversed().map {
            "Book 1 was linked with Chapter \($0) by chapters, and one of them is left out."
        }
        #expect(report.lost.suffix(2).map(\.message) == expected)
        #expect(report.lost.map(\.attribute).suffix(2) == ["chapters", "chapters"])
        #expect(report.digests == (try copy.digests()))
        try expectWithoutAda(copy)
    }

    @Test(arguments: Engine.pairs)
    func `lines lose what refers to an item that is left out`(_ pair: Pair) throws {
        let (source, copy) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
        try fillAndSpoil(source)
        var options = StoreTransferOptions()
        options.undecodableRows = .skip
        let store = try UntypedStore(reading: source.address)
        defer { try? store.close() }
        var lines = Data()

        let report = try store.read { reader in
            try JSONLinesExport(of: reader, options: options).run { lines.append($0) }
        }
        let imported = try copy.importing(lines)

        #expect(report.skippedRows == 2)
        #expect(report.lostReferences == Self.lost.count + 2)
        #expect(Set(report.lost.map(\.message)).isSuperset(of: Self.lost))
        #expect(imported.digests == report.digests)
        try expectWithoutAda(copy)
    }

    @Test(arguments: Engine.files)
    func `a copy without some items is cut over to like any other`(_ engine: Engine) throws {
        let (source, copy) = (folder.place(engine, "source"), folder.place(engine, "copy"))
        try fillAndSpoil(source)
        var transfer = StoreTransfer(from: source.address, to: copy.address)
        transfer.options.undecodableRows = .skip
        _ = try transfer.run()
        let cutOver = StoreCutOver(from: source.address, to: copy.address)

        try cutOver.finalize()
        #expect(try cutOver.state() == .finalized)
        try cutOver.rollBack()
        try source.withAdapter { adapter, schema in
            let number = try schema.number(ofEntityNamed: "Label")
            let batch = RowBatch(of: number, schema.entities[number], limit: 1)
            let arena = RowArena()
            let cells = try arena.makeCells(2)
            cells[0] = try arena.cell(of: .text("last"))
            cells[1] = .integer(0)
            try batch.insert(cells)
            try batch.commit(to: adapter)
        }

        #expect(code { try cutOver.finalize() } == .sourceChanged)
    }

    @Test func `a reference that may lead nowhere stays as it is`() throws {
        let (source, copy) = (folder.place(.memory, "source"), folder.place(.sqlite, "copy"))
        let types: [any DataStoreItem.Type] = [Versioned<Ghost>.self, Versioned<OrderOfGhost>.self]
        try source.withStore(storing: types) { store in
            try store.writeSync { accessor in
                try accessor.insert(Versioned<Ghost>(1, .text("Ada")))
                try accessor.insert(Versioned<OrderOfGhost>(1, .integer(1)))
            }
        }
        try Self.spoil(source, "Cook", .integer(1))
        var transfer = StoreTransfer(from: source.address, to: copy.address)
        transfer.options.undecodableRows = .skip

        let report = try transfer.run()

        #expect(report.skippedRows == 1)
        #expect(report.lostReferences == 0)
        let orders = try copy.withStore(storing: types) { store in
            try store.read { try $0.items(for: Versioned<OrderOfGhost>.all) }
        }
        #expect(orders == [Versioned<OrderOfGhost>(1, .integer(1))])
    }

    @Test(arguments: Engine.pairs)
    func `links go with an item that is left out, whatever the delete rules`(_ pair: Pair) throws {
        let (source, copy) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
        let types: [any DataStoreItem.Type] = [Versioned<Recipe>.self, Versioned<Tag>.self]
        try source.withStore(storing: types) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...2).map { Versioned<Recipe>($0, .text("recipe")) })
                try accessor.insert(contentsOf: (1...2).map { Versioned<Tag>($0, .text("tag")) })
            }
        }
        let links: [(Int64, Int64)] = [(1, 2), (2, 1), (2, 2)]
        try source.insert(
            into: "Recipe.tags",
            links.enumerated().map { number, link in
                [.integer(Int64(number + 1)), .integer(link.0), .integer(link.1)]
            })
        try Self.spoil(source, "Recipe", .integer(1))
        try Self.spoil(source, "Tag", .integer(1))
        var options = StoreTransferOptions()
        options.undecodableRows = .skip
        let store = try UntypedStore(reading: source.address)
        defer { try? store.close() }
        var lines = Data()

        let report = try store.read { reader in
            try JSONLinesExport(of: reader, options: options).run { lines.append($0) }
        }
        let imported = try copy.importing(lines)

        #expect(report.skipped.map(\.itemType) == ["Recipe", "Tag"])
        #expect(
            report.lost.map(\.message) == [
                "Recipe 1 was linked with Tag 2 by tags, and one of them is left out.",
                "Recipe 2 was linked with Tag 1 by tags, and one of them is left out.",
            ])
        #expect(imported.digests == report.digests)
        #expect(try copy.ownProblems() == [])
    }

    @Test func `items that require each other go together`() throws {
        let (source, copy) = (folder.place(.lmdb, "source"), folder.place(.memory, "copy"))
        let types: [any DataStoreItem.Type] = [Versioned<Part>.self]
        try source.withStore(storing: types) { store in
            try store.writeSync { accessor in
                // 2, 3 and 4 are a chain to 1; 6 and 7 require each other, and 5 only itself.
                let whole: [(Int64, Int64)] = [(1, 1), (2, 1), (3, 2), (4, 3), (5, 5), (6, 7), (7, 6)]
                try accessor.insert(
                    contentsOf: whole.map { Versioned<Part>($0.0, .text("part"), .integer($0.1)) })
            }
        }
        try Self.spoil(source, "Part", .integer(1))
        try Self.spoil(source, "Part", .integer(7))
        var transfer = StoreTransfer(from: source.address, to: copy.address)
        transfer.options.undecodableRows = .skip

        let report = try transfer.run()

        #expect(
            report.skipped.map(\.identifier)
                == [1, 2, 3, 4, 6, 7].map { AnyItemID.integer($0) })
        #expect(report.skippedRows == 6)
        let parts = try copy.withStore(storing: types) { store in
            try store.read { try $0.ids(for: Versioned<Part>.all) }
        }
        #expect(parts == [5])
    }

    private enum Ghost: ItemVersion {
        static let schema = EntitySchema(
            "Cook", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [
                .relationship(
                    "orders", ToMany<Versioned<OrderOfGhost>>.self, of: Versioned<Ghost>.self,
                    inverse: Attribute<Versioned<OrderOfGhost>, ToOne<Versioned<Ghost>>>(indexedColumn: 1),
                    deleteRule: .noAction)
            ])
    }

    private enum OrderOfGhost: ItemVersion {
        static let schema = EntitySchema(
            "Order",
            attributes: [
                .attribute("id", Int64.self), .attribute("cook", ToOne<Versioned<Ghost>>.self),
            ])
    }

    private enum Recipe: ItemVersion {
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [
                .relationship("tags", ToMany<Versioned<Tag>>.self, deleteRule: .noAction)
            ])
    }

    private enum Tag: ItemVersion {
        static let schema = EntitySchema(
            "Tag", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [
                .relationship(
                    "recipes", ToMany<Versioned<Recipe>>.self, of: Versioned<Tag>.self,
                    inverse: RelationshipAttribute<Versioned<Recipe>, ToMany<Versioned<Tag>>>(number: 0),
                    deleteRule: .noAction)
            ])
    }

    private enum Part: ItemVersion {
        static let schema = EntitySchema(
            "Part",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("whole", ToOne<Versioned<Part>>.self),
            ],
            relationships: [
                .relationship(
                    "parts", ToMany<Versioned<Part>>.self, of: Versioned<Part>.self,
                    inverse: Attribute<Versioned<Part>, ToOne<Versioned<Part>>>(indexedColumn: 2),
                    deleteRule: .cascade)
            ])
    }
}
