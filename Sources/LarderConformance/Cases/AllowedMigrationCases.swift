import Larder

/// Options that refuse to change the stored schema.
enum AllowedMigrationCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A store refuses the steps that its options do not allow", proves: 12) { world in
            let store = try HistoryCases.open(world, HistoryCases.history(upTo: 1))
            try store.writeSync { try $0.insert(One(1, .integer(90))) }
            let before = try HistoryCases.stored(world, store)

            for allowed in [AllowedMigration.oneStep, .smallChanges, .nothing] {
                let error = try refusal(allowed, storing: HistoryCases.history(), in: world)
                try expect(
                    error.message,
                    equals: "The store needs the steps 1 → 2, 2 → 3, which its options do not allow.")
            }

            try expect(try HistoryCases.stored(world, store), equals: before)
            try store.setup()
            try expect(try store.items(One.all), equals: [One(1, .integer(90))])
        }
        ConformanceCase("A store takes the one step that its options allow", proves: 12) { world in
            let store = try HistoryCases.open(world, HistoryCases.history(current: "2"))
            try store.writeSync { try $0.insert(HistoryCases.Two(1, .integer(90), .null)) }
            try world.closeAll()

            let error = try refusal(.smallChanges, storing: HistoryCases.history(), in: world)
            let today = try makeStore(.oneStep, storing: HistoryCases.history(), in: world)
            try today.setup()

            try expect(
                error.message, equals: "The store needs the step 2 → 3, which its options do not allow.")
            try expect(try today.items(Three.all), equals: [Three(1, .real(1.5), .null)])
        }
        ConformanceCase("Small changes to a store's own version are not counted as a step", proves: 12) {
            world in
            // The store says that it is of version 2, and has no note yet.
            let early = SchemaHistory([SchemaVersion("2", storing: [One.self])])
            let store = try HistoryCases.open(world, early)
            try store.writeSync { try $0.insert(One(1, .integer(90))) }
            try world.closeAll()

            let error = try refusal(.smallChanges, storing: HistoryCases.history(), in: world)
            let today = try makeStore(.oneStep, storing: HistoryCases.history(), in: world)
            try today.setup()

            try expect(
                error.message,
                equals: "The store needs the steps 2 → 2, 2 → 3, which its options do not allow.")
            try expect(try today.items(Three.all), equals: [Three(1, .real(1.5), .null)])
        }
        ConformanceCase("A store that its options let be opens with its own types only", proves: 12) {
            world in
            let store = try HistoryCases.open(world, HistoryCases.history(upTo: 1))
            try store.writeSync { try $0.insert(One(1, .integer(90))) }
            try world.closeAll()

            let same = try makeStore(.nothing, storing: HistoryCases.history(upTo: 1), in: world)
            try same.setup()

            try expect(try same.items(One.all), equals: [One(1, .integer(90))])
            let place = try world.sibling()
            let new = try makeStore(.nothing, storing: HistoryCases.history(), in: place)
            try new.setup()
            try expect(try new.count(Three.all), equals: 0, "a new store is made")
        }
        ConformanceCase("A store refuses small changes, and is not set aside for it", proves: 12) { world in
            let store = try world.open(One.self)
            try store.writeSync { try $0.insert(One(1, .integer(90))) }
            try world.closeAll()
            let backups = Locked(0)

            let error = try expectError(.migrationRefused) {
                try world.makeStore(storing: [HistoryCases.Two.self]) { options in
                    options.allowedMigration = .nothing
                    options.recovery = .recreate(keepingBackup: { _ in backups.withLock { $0 += 1 } })
                }.setup()
            }

            try expect(
                error.message,
                equals: "The store needs small changes of Recipe, which its options do not allow.")
            try expect(backups.withLock { $0 }, equals: 0)
            try world.closeAll()
            let changed = try world.makeStore(storing: [HistoryCases.Two.self]) { options in
                options.allowedMigration = .smallChanges
            }
            try changed.setup()
            try expect(
                try changed.items(HistoryCases.Two.all), equals: [HistoryCases.Two(1, .integer(90), .null)])
        }
    }

    private typealias One = HistoryCases.One
    private typealias Three = HistoryCases.Three

    private static func makeStore(
        _ allowed: AllowedMigration, storing history: SchemaHistory, in world: ConformanceWorld
    ) throws -> any DataStore {
        try world.makeStore(
            storing: try history.current().schema().types, history: history,
            changing: { $0.allowedMigration = allowed })
    }

    private static func refusal(
        _ allowed: AllowedMigration, storing history: SchemaHistory, in world: ConformanceWorld
    ) throws -> DataStoreError {
        let error = try expectError(.migrationRefused) {
            try makeStore(allowed, storing: history, in: world).setup()
        }
        try world.closeAll()
        return error
    }
}
