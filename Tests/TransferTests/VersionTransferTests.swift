import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Stores of an old version that move to another engine.
struct VersionTransferTests {
    private typealias Fixture = StepFixture

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let versions = [
        SchemaVersion("1", storing: Fixture.first), SchemaVersion("2", storing: StepCases.second),
    ]

    private static let history = SchemaHistory(
        versions,
        steps: [
            SchemaStep(from: "1", to: "2") {
                for mapping in StepCases.transform.mappings { mapping }
                Transform("Tag") { old, new in
                    if try old["name", as: String.self] != "vegan" { _ = try new.make() }
                }
            }
        ])

    /// A store of the first version with references and links.
    private func filled(_ engine: Engine, _ name: String) throws -> Place {
        let place = folder.place(engine, name)
        let store = place.makeStore(storing: SchemaHistory([Self.versions[0]]))
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: Fixture.kinds)
            try accessor.insert(contentsOf: Fixture.tags)
            try accessor.insert(contentsOf: Fixture.drafts)
            for recipe in Fixture.recipes {
                try accessor.insert(recipe).tags.add(ids: Fixture.links[recipe.id] ?? [])
            }
        }
        try store.tearDown()
        return place
    }

    private static func copy(_ source: Place, to destination: Place) throws {
        _ = try StoreTransfer(from: source.address, to: destination.address).run()
    }

    private static func links(in place: Place) throws -> [Int64: [Int64]] {
        let store = place.makeStore(storing: history)
        try store.setup()
        defer { try? store.tearDown() }
        return try store.writeSync { accessor in
            var links: [Int64: [Int64]] = [:]
            for recipe in try accessor.items(for: Tagged<StepCases.Recipe2>.all) {
                links[recipe.id] = try accessor.mutableItem(
                    id: recipe.id, of: Tagged<StepCases.Recipe2>.self)?
                    .tags.ids()
            }
            return links
        }
    }

    @Test(arguments: Engine.pairs)
    func `a copy has the version of its source and takes the same steps`(_ pair: Pair) throws {
        let source = try filled(pair.from, "source")
        let copied = folder.place(pair.to, "copied")
        try Self.copy(source, to: copied)
        #expect(try copied.address.storedSchema()?.version == "1")
        #expect(
            try Self.history.requiredMigrations(for: copied.address)
                == Self.history.requiredMigrations(for: source.address))

        // Copied first and then upgraded, and the other way round.
        let opened = folder.place(pair.to, "opened")
        try Self.copy(source, to: opened)
        let store = opened.makeStore(storing: Self.history)
        try store.setup()
        try store.tearDown()
        let steps = try Self.history.upgradeIfNeeded(copied.address)
        try Self.history.upgradeIfNeeded(source.address)
        let upgraded = folder.place(pair.to, "upgraded")
        try Self.copy(source, to: upgraded)

        #expect(steps.map(\.description) == ["1 → 2 mapped, 7 rows"])
        for place in [copied, opened, upgraded] {
            #expect(try place.address.storedSchema()?.version == "2")
            #expect(try source.differences(to: place).isEmpty)
            #expect(try Self.links(in: place) == [1: [1], 2: [2], 3: [], 5: [1, 2]])
            let items = try place.withHistory(Self.history) {
                try $0.items(for: Tagged<StepCases.Recipe2>.all)
            }
            #expect(items == StepCases.transformed)
        }
    }

    @Test(arguments: Engine.files)
    func `a copy is upgraded before or after the cut-over`(_ engine: Engine) throws {
        let dropping = SchemaHistory(
            [
                Self.versions[0],
                SchemaVersion("2", storing: [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self]),
            ],
            steps: [
                SchemaStep(from: "1", to: "2") {
                    Delete("Draft")
                    Transform("Recipe") { old, new in
                        if try old["author"].isNil == false { _ = try new.make() }
                    }
                }
            ])
        for upgradesFirst in [true, false] {
            let source = try filled(engine, "source \(upgradesFirst)")
            let copied = folder.place(engine == .sqlite ? .lmdb : .sqlite, "copied \(upgradesFirst)")
            try Self.copy(source, to: copied)
            let cutOver = StoreCutOver(from: source.address, to: copied.address)

            if upgradesFirst { try dropping.upgradeIfNeeded(copied.address) }
            try cutOver.finalize()
            if !upgradesFirst { try dropping.upgradeIfNeeded(copied.address) }

            #expect(try copied.withHistory(dropping) { try $0.countItems(for: Fixture.Recipe.all) } == 3)
            #expect(try copied.ownProblems() == [])
            // The steps are changes, which the source does not have.
            #expect(code { try cutOver.rollBack() } == .destinationChanged)
            try cutOver.rollBack(discardingChanges: true)
            #expect(try source.address.storedSchema()?.version == "1")
        }
    }

    @Test(arguments: Engine.files)
    func `a copy without a history may lose a relationship later`(_ engine: Engine) throws {
        let (source, copied) = (folder.place(.memory, "source"), folder.place(engine, "copied"))
        try source.withStore(storing: Fixture.first) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: Fixture.tags)
                try accessor.insert(Fixture.recipes[2]).tags.add(ids: [1, 3])
            }
        }
        try Self.copy(source, to: copied)

        let today: [any DataStoreItem.Type] = [Fixture.Kind.self, Fixture.Tag.self, Untagged.self]
        let recipes = try copied.withStore(storing: today) { try $0.read { try $0.items(for: Untagged.all) } }

        #expect(recipes.map(\.id) == [3])
        #expect(try copied.ownProblems() == [])
    }

    private typealias Untagged = Versioned<UntaggedRecipe>

    private enum UntaggedRecipe: ItemVersion {
        static let schema = EntitySchema(
            "Recipe", attributes: Fixture.Recipe1.schema.attributes, indexes: [.index("name")])
    }

    @Test(arguments: Engine.files)
    func `lines of text keep the version too`(_ engine: Engine) throws {
        let source = try filled(engine, "source")
        let imported = folder.place(engine == .sqlite ? .lmdb : .sqlite, "imported")

        _ = try imported.importing(source.exported())
        try Self.history.upgradeIfNeeded(imported.address)
        try Self.history.upgradeIfNeeded(source.address)

        #expect(try source.differences(to: imported).isEmpty)
        #expect(try Self.links(in: imported) == [1: [1], 2: [2], 3: [], 5: [1, 2]])
    }
}

extension Place {
    /// Reads the store, which is open with a history meanwhile.
    fileprivate func withHistory<Result>(
        _ history: SchemaHistory, _ body: (DataStoreReadAccessor) throws -> Result
    ) throws -> Result {
        let store = makeStore(storing: history)
        try store.setup()
        defer { try? store.tearDown() }
        return try store.read(body)
    }
}
