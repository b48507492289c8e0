import Foundation
import Larder
import LarderEngine
import LarderText
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderSQLite

/// nil in an attribute that may not be nil, which no write stores: only a damaged store holds one.
struct MissingValueTests {
    private typealias Item = Holder<String>

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A store of three holders, the second of which has lost its required text.
    private func damaged(_ engine: Engine) throws -> Place {
        let place = folder.place(engine, "store")
        try place.withStore(storing: [Item.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...3).map { Item($0, "item \($0)", optional: nil) })
            }
        }
        guard let adapter = place.address.adapter(for: .writing) as? SQLiteAdapter else {
            try place.withAdapter { adapter, schema in
                let number = try schema.number(ofEntityNamed: Item.schema.name)
                let writing = try adapter.beginWriting()
                defer { writing.end() }
                let cells: [Cell] = [.integer(2), .null, .null, .null, .null]
                try writing.apply(.update, number, cells, columns: [1])
                try writing.commit()
            }
            return place
        }
        try Self.loseText(inFileAt: adapter.location)
        return place
    }

    /// SQLite refuses nil by itself, as long as the table declares the column as required.
    private static func loseText(inFileAt path: String) throws {
        let (required, optional) = (#""plain" TEXT NOT NULL"#, #""plain" TEXT         "#)
        func declare(_ new: String, insteadOf old: String) throws {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let place = try #require(bytes.range(of: Data(old.utf8)))
            bytes.replaceSubrange(place, with: Data(new.utf8))
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        try declare(optional, insteadOf: required)
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .zero)
        try connection.execute(#"UPDATE "Holder of string" SET "plain" = NULL WHERE "id" = 2"#)
        connection.close()
        try declare(required, insteadOf: optional)
    }

    private static func expectDamage(_ error: DataStoreError?) {
        #expect(error?.code == .damaged, "\(String(describing: error))")
        #expect(error?.message == "The stored value is nil, and the attribute is required.")
        #expect(error?.advice == "Keep the file, and restore a backup; nothing was deleted.")
        #expect(error?.itemType == Item.schema.name)
        #expect(error?.attribute == "plain")
    }

    @Test(arguments: Engine.allCases)
    func `is damage in every reading of the item, and the others are read`(_ engine: Engine) throws {
        let place = try damaged(engine)

        try place.withStore(storing: [Item.self]) { store in
            let item = thrown { try store.read { try $0.item(id: 2, of: Item.self) } }
            let items = thrown { try store.read { try $0.items(for: Item.all) } }
            let values = thrown {
                let texts: [String] = try store.read { try $0.values(for: Item.all, \.plain) }
                return texts
            }
            let groups = thrown { try store.read { try $0.groups(for: Item.all.grouped(by: \.plain)) } }
            let handle = thrown { try store.writeSync { _ = try $0.mutableItem(id: 2, of: Item.self) } }

            for error in [item, items, values, groups, handle] { Self.expectDamage(error) }
            for error in [item, items, handle] { #expect(error?.identifier == .integer(2)) }
            #expect(try store.read { try $0.item(id: 3, of: Item.self) }?.plain == "item 3")
            // An item that cannot be read can still be corrected.
            let set = try store.writeSync { try $0.update(Item.where(\.id == 2), .set(\.plain, to: "new")) }
            #expect(set == 1)
            #expect(try store.read { try $0.item(id: 2, of: Item.self) }?.plain == "new")
        }
    }

    @Test(arguments: Engine.files)
    func `is a problem that the check reports`(_ engine: Engine) throws {
        let problems = try damaged(engine).problems()

        let sentence =
            "Holder of string.plain: The stored value is nil, and the attribute is required. (item 2)"
        #expect(problems.contains(sentence), "\(problems)")
    }

    /// Two steps that read the text, and one that only keeps it.
    private static let steps = [
        SchemaStep(from: "1", to: "2") {
            Transform("Holder of string") { old, new in
                try new.make().set("indexed", to: old["plain", as: String.self])
            }
        },
        SchemaStep(from: "1", to: "2") {
            Transform("Holder of string") { old, new in
                try old.source.forEachRow(of: old.type) { _ = try $0["plain", as: String.self] }
                _ = try new.make()
            }
        },
        SchemaStep(from: "1", to: "2") {
            Transform("Holder of string") { _, new in _ = try new.make() }
        },
    ]

    private enum Later: ItemVersion {
        static let schema = EntitySchema(
            "Holder of string",
            attributes: [
                .attribute("id", Int64.self), .attribute("plain", String.self),
                .attribute("indexed", String.self),
            ])
    }

    private static func history(_ step: SchemaStep) -> SchemaHistory {
        SchemaHistory(
            [
                SchemaVersion("1", storing: [Item.self]),
                SchemaVersion("2", storing: [Versioned<Later>.self]),
            ], steps: [step])
    }

    @Test(arguments: Engine.allCases, [0, 1, 2])
    func `is damage of the store in a step that reads or keeps it`(_ engine: Engine, _ step: Int) throws {
        let place = try damaged(engine)

        let error = thrown { _ = try Self.history(Self.steps[step]).upgradeIfNeeded(place.address) }

        Self.expectDamage(error)
        #expect(error?.identifier == .integer(2))
        #expect(try place.address.storedSchema()?.entities.first?.attributes.count == 5)
    }

    @Test(arguments: Engine.files, [0, 1, 2])
    func `is damage of the store, and not of its upgraded copy`(_ engine: Engine, _ step: Int) throws {
        let place = try damaged(engine)
        var options = DataStoreOptions()
        options.schemaUpgrade = .copying()
        let history = Self.history(Self.steps[step])

        let error = thrown { _ = try history.upgradeIfNeeded(place.address, options: options) }

        #expect(error?.code == .damaged, "\(String(describing: error))")
        #expect(error?.path == place.address.location)
        #expect(try place.address.storedSchema()?.entities.first?.attributes.count == 5)
    }

    @Test func `damage of another store that a step reads is not damage of this one`() throws {
        let place = folder.place(.memory, "store")
        try place.withStore(storing: [Item.self]) { store in
            _ = try store.writeSync { try $0.insert(Item(2, "item", optional: nil)) }
        }
        let other = try damaged(.sqlite)
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Holder of string") { _, _ in
                try other.withStore(storing: [Item.self]) { store in
                    _ = try store.read { try $0.items(for: Item.all) }
                }
            }
        }

        let error = thrown { _ = try Self.history(step).upgradeIfNeeded(place.address) }

        #expect(error?.code == .migrationFailed)
        #expect(error?.message.contains("The stored value is nil") == true)
    }

    @Test func `is undecodable in an attribute that may be nil, and a fallback stands for both`() throws {
        let arena = RowArena()
        defer { withExtendedLifetime(arena) {} }
        let cells = try arena.makeCells(5)
        for column in 0..<5 { cells[column] = .null }
        let row = RowReader(cells: cells, of: Item.schema)
        func code(_ column: Int) -> DataStoreError.Code? {
            thrown { _ = try row.value(at: column, as: String.self) }?.code
        }

        #expect(code(1) == .damaged)
        #expect(code(2) == .undecodable)
        #expect(try row.value(at: 1, fallback: "instead") == "instead")
        #expect(try row.value(at: 2, fallback: "instead") == "instead")
    }
}
