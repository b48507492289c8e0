import Larder
import LarderText

/// Stores that are made with the versions of an app's schema.
enum HistoryCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A store keeps the name of its version and is found again by it", proves: 12
        ) { world in
            let store = try open(world, history(upTo: 2))
            try store.writeSync { try $0.insert(Two(1, .integer(90), .text("slow"))) }
            try expect(try stored(world, store).version, equals: "2")

            let generation = try stored(world, store).generation
            let again = try open(world, history(upTo: 2))

            try expect(try again.items(Two.all), equals: [Two(1, .integer(90), .text("slow"))])
            let schema = try stored(world, again)
            try expect(schema.version, equals: "2")
            try expect(schema.generation, equals: generation)
        }
        ConformanceCase(
            "A store of any version comes to the current one by its way", proves: 12
        ) { world in
            let store = try open(world, history(upTo: 1))
            try store.writeSync { try $0.insert(contentsOf: [One(1, .integer(90)), One(2, .integer(30))]) }

            let today = try open(world, history())

            try expect(
                try today.items(Three.all),
                equals: [Three(1, .real(1.5), .null), Three(2, .real(0.5), .null)])
            try expect(try DataStoreRequest<Three>(filter: "hours > 1"), gives: [1], in: today)
            try expect(try stored(world, today).version, equals: "3")
        }
        ConformanceCase(
            "A store without a name is found by its shape, and gets its name without a change",
            proves: 12
        ) { world in
            let plain = try world.open(Two.self)
            try plain.writeSync { try $0.insert(Two(1, .integer(60), .null)) }
            let before = try stored(world, plain)
            try expect(before.version, equals: nil)

            let named = try stored(world, try open(world, history(upTo: 2)))

            try expect(named.version, equals: "2")
            try expect(named.generation, equals: before.generation)
            try expect(named.identity, equals: before.identity)
            // From there on the steps are taken.
            try expect(try open(world, history()).items(Three.all), equals: [Three(1, .real(1), .null)])
        }
        ConformanceCase(
            "A store whose types were changed within a version takes the steps all the same", proves: 12
        ) { world in
            // The store says that it is of version 2, and has no note yet.
            let early = SchemaHistory([SchemaVersion("2", storing: [One.self])])
            let store = try open(world, early)
            try store.writeSync { try $0.insert(One(1, .integer(60))) }

            let today = try open(world, history())

            try expect(try today.items(Three.all), equals: [Three(1, .real(1), .null)])
        }
        ConformanceCase(
            "A store of a version is not changed without its history", proves: 12
        ) { world in
            _ = try open(world, history(upTo: 1))
            // The same types change nothing.
            let same = try world.reopen(One.self)
            let before = try stored(world, same)
            try expect(before.version, equals: "1")
            try world.closeAll()
            let other = try world.makeStore(Two.self)
            let grown = try expectError(.schemaMismatch) { try other.setup() }
            try expect(grown.advice.contains("update the app"), grown.advice)
            try expect(try stored(world, same), equals: before)
            // The error for a later version's store does not advise an app of the current types to rename
            // anything.
            try world.closeAll()
            let early = try world.makeStore(Three.self)
            let error = try expectError(.schemaMismatch) { try early.setup() }
            try expect(error.advice.contains("of version 1 of a schema"), error.advice)
            try expect(error.advice.contains("update the app"), error.advice)
            try expect(!error.advice.contains("originalName"), error.advice)
            try expect(try stored(world, same), equals: before)

            try expect(try stored(world, try open(world, history(upTo: 2))).version, equals: "2")
        }
        ConformanceCase(
            "A store of a later version is refused and not changed", proves: 12
        ) { world in
            let store = try open(world, history())
            try store.writeSync { try $0.insert(Three(1, .real(2), .null)) }
            let before = try stored(world, store)

            for refusing in [history(upTo: 2), history(current: "2")] {
                try world.closeAll()
                let earlier = try world.makeStore(storing: refusing)
                try expectError(.schemaMismatch) { try earlier.setup() }
                try expect(try stored(world, store), equals: before)
            }
            try expect(try open(world, history()).items(Three.all), equals: [Three(1, .real(2), .null)])
        }
        ConformanceCase("A step down leads back to an earlier version", proves: 12) { world in
            let store = try open(world, history())
            try store.writeSync { try $0.insert(Three(1, .real(1.5), .text("slow"))) }

            let earlier = try open(world, history(current: "2", steps: [toHours, toMinutes]))

            try expect(try earlier.items(Two.all), equals: [Two(1, .integer(90), .text("slow"))])
            try expect(try stored(world, earlier).version, equals: "2")
        }
        ConformanceCase(
            "A step that throws leaves the store at the version it had", proves: 12
        ) { world in
            struct Stumble: Error {}
            let store = try open(world, history(upTo: 1))
            try store.writeSync { try $0.insert(contentsOf: [One(1, .integer(90)), One(2, .integer(30))]) }
            let before = try stored(world, store)
            let failing = SchemaStep(from: "2", to: "3") {
                Transform("Recipe") { old, new in
                    if try old["minutes", as: Int64.self] == 30 { throw Stumble() }
                    try new.make().set("hours", to: 1.0)
                }
            }

            let today = try world.makeStore(storing: history(steps: [failing]))
            try expectError(.migrationFailed) { try today.setup() }

            try expect(try stored(world, store), equals: before)
            try expect(
                try open(world, history(upTo: 1)).items(One.all),
                equals: [One(1, .integer(90)), One(2, .integer(30))])
        }
        ConformanceCase(
            "A mistake in the history is thrown by setup, and no store is made", proves: 12
        ) { world in
            let loop = SchemaHistory(versions, chain: ["1": "2", "2": "3", "3": "1"], current: "3")
            let described = SchemaHistory([SchemaVersion("1", describedBy: "Recipe\n  id: int64")])
            // The world asks for the current version, which a wrong history does not have.
            let store = try world.makeStore(storing: [Three.self], history: loop)

            let error = try expectError(.invalidSchema) { try store.setup() }
            try expect(error.message, equals: "The versions form a loop: 3 → 1 → 2 → 3.")
            let untyped = try world.makeStore(storing: [], history: described)
            try expectError(.invalidSchema) { try untyped.setup() }

            try expect(try open(world, history()).items(Three.all), equals: [])
        }
        ConformanceCase("The steps of a way report their progress", proves: 12) { world in
            let store = try open(world, history(upTo: 1))
            try store.writeSync { try $0.insert(contentsOf: [One(1, .integer(90)), One(2, .integer(30))]) }
            try world.closeAll()
            let reports = Locked<[String]>([])

            let today = try world.makeStore(storing: history()) { report in
                reports.withLock { $0.append(report.description) }
            }
            try today.setup()

            let last = reports.withLock { $0.last }
            try expect(last, equals: "step 2 of 2, 2 → 3: 2 of 2")
        }
        ConformanceCase(
            "Values that the current version keeps are not dropped on the way to a store's own version",
            proves: 12
        ) { world in
            // The store says that it is of version 1, and has a note already, as version 2 has.
            let store = try open(world, SchemaHistory([SchemaVersion("1", storing: [Two.self])]))
            try store.writeSync { try $0.insert(Two(1, .integer(90), .text("slow"))) }
            let before = try stored(world, store)

            let today = try world.makeStore(storing: history(upTo: 2))
            let error = try expectError(.schemaMismatch) { try today.setup() }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "note")
            try expect(try stored(world, store), equals: before)
        }
        ConformanceCase(
            "A step to a version that is described by a text drops nothing that may be renamed", proves: 12
        ) { world in
            let store = try open(world, history(upTo: 1))
            try store.writeSync { try $0.insert(One(1, .integer(90))) }
            let before = try stored(world, store)
            func renaming(_ steps: [SchemaStep]) -> SchemaHistory {
                SchemaHistory(
                    [
                        versions[0],
                        SchemaVersion("2", describedBy: "Recipe\n  id: int64\n  seconds: int64?"),
                        SchemaVersion("3", storing: [Versioned<Fourth>.self]),
                    ], steps: steps)
            }

            let refused = try world.makeStore(storing: renaming([]))
            let error = try expectError(.schemaMismatch) { try refused.setup() }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "minutes")
            try expect(try stored(world, store), equals: before)
            let step = SchemaStep(from: "1", to: "2") { Keep("Recipe").renaming("minutes", to: "seconds") }
            let today = try open(world, renaming([step]))
            try expect(
                try today.items(Versioned<Fourth>.all), equals: [Versioned<Fourth>(1, .integer(90))])
        }
        ConformanceCase(
            "A store that comes to its own version drops nothing that may be renamed", proves: 12
        ) { world in
            // A store of a development build, in which the attribute had its earlier name.
            let early = SchemaHistory([SchemaVersion("1", storing: [One.self])])
            let store = try open(world, early)
            try store.writeSync { try $0.insert(One(1, .integer(90))) }
            let before = try stored(world, store)
            func history(_ type: any DataStoreItem.Type) -> SchemaHistory {
                SchemaHistory([
                    SchemaVersion("1", describedBy: "Recipe\n  id: int64\n  seconds: int64?"),
                    SchemaVersion("2", storing: [type]),
                ])
            }

            let refused = try world.makeStore(storing: history(Versioned<Fifth>.self))
            let error = try expectError(.schemaMismatch) { try refused.setup() }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "minutes")
            try expect(error.message.contains("of version 1 of the schema"), error.message)
            try expect(try stored(world, store), equals: before)
        }
    }

    // MARK: Versions

    enum First: ItemVersion {
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("minutes", Int64.self)])
    }

    enum Second: ItemVersion {
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("minutes", Int64.self),
                .attribute("note", String?.self),
            ])
    }

    enum Third: ItemVersion {
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("hours", Double.self),
                .attribute("note", String?.self),
            ], indexes: [.index("hours")])
    }

    typealias One = Versioned<First>
    typealias Two = Versioned<Second>
    typealias Three = Versioned<Third>

    static let versions = [
        SchemaVersion("1", storing: [One.self]), SchemaVersion("2", storing: [Two.self]),
        SchemaVersion("3", storing: [Three.self]),
    ]

    private static let toHours = toHours {}

    /// The last step, which runs a closure for each row first.
    private static func toHours(before body: @escaping @Sendable () throws -> Void) -> SchemaStep {
        SchemaStep(from: "2", to: "3") {
            Transform("Recipe") { old, new in
                try body()
                try new.make().set("hours", to: Double(old["minutes", as: Int64.self]) / 60)
            }
        }
    }

    private static let toMinutes = SchemaStep(from: "3", to: "2") {
        Transform("Recipe") { old, new in
            try new.make().set("minutes", to: Int64(old["hours", as: Double.self] * 60))
        }
    }

    static func history(
        current: String? = nil, upTo count: Int = 3, steps: [SchemaStep] = [toHours]
    ) -> SchemaHistory {
        SchemaHistory(
            Array(versions.prefix(count)), steps: count < 3 ? [] : steps, current: current)
    }

    /// A history whose last step runs a closure for each row first.
    static func history(before body: @escaping @Sendable () throws -> Void) -> SchemaHistory {
        history(steps: [toHours(before: body)])
    }

    /// Opens the place with a history, after all stores over it are closed.
    static func open(_ world: ConformanceWorld, _ history: SchemaHistory) throws -> any DataStore {
        try world.closeAll()
        let store = try world.makeStore(storing: history)
        try store.setup()
        return store
    }

    static func stored(_ world: ConformanceWorld, _ store: any DataStore) throws -> StoredSchema {
        try world.closeAll()
        return try require(try store.coordinator.adapter.storedSchema())
    }

    // MARK: Cases

    private enum Fourth: ItemVersion {
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("seconds", Int64?.self)])
    }

    private enum Fifth: ItemVersion {
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("seconds", Int64?.self),
                .attribute("text", String?.self),
            ])
    }
}
