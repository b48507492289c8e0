import Foundation
import Larder

/// Stores that cannot be used are set aside if the app asks for it; subjects without files pass.
enum RecoveryCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A store that does not fit is set aside whole", proves: 12) { world in
            guard let files = world.files else { return }
            try storeRestaurants(files)
            let reports = Reports([])
            let store = try makeStore(files, [Versioned<Numbered>.self], reporting: reports)

            try store.setup()

            let kept = reports.withLock { $0 }
            let location = files.folder.appendingPathComponent("store.set-aside-1/store").path
            try expect(kept.map(\.location), equals: [location])
            try expect(kept.map(\.reason.code), equals: [.schemaMismatch])
            try expect(try names(files), equals: ["store", "store.set-aside-1"])
            try expect(try store.count(Versioned<Numbered>.all), equals: 0)
            try store.tearDown()
            try store.setup()
            try expect(reports.withLock { $0.count }, equals: 1, "another store set aside")
            try store.tearDown()
            try expectRestaurants(at: location, files, equal: [1, 2])
        }
        ConformanceCase("A store that may not migrate is not set aside for types that do not fit", proves: 12)
        {
            world in
            guard let files = world.files else { return }
            try storeRestaurants(files)
            let reports = Reports([])
            let store = try makeStore(
                files, [Versioned<Numbered>.self], reporting: reports, allowing: .smallChanges)

            try expectError(.schemaMismatch) { try store.setup() }

            try expect(reports.withLock { $0.count }, equals: 0)
            try expect(try names(files), equals: ["store"])
            try expectRestaurants(at: place(files).path, files, equal: [1, 2])
        }
        ConformanceCase(
            "A store that is set aside keeps what is not in its main file yet", proves: 3, 12
        ) { world in
            guard let files = world.files else { return }
            try storeRestaurants(files)
            // The files of the open store: some engines keep the last commits in another one.
            let open = try makeStore(files, [Restaurant.self])
            try open.setup()
            try open.writeSync { _ = try $0.insert(Restaurant(3)) }
            let copies = files.folder.appendingPathComponent("copies")
            try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
            for name in try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
            where name.hasPrefix("store") {
                try FileManager.default.copyItem(
                    at: files.folder.appendingPathComponent(name), to: copies.appendingPathComponent(name))
            }
            try open.tearDown()
            let reports = Reports([])
            var options = ConformanceWorld.options
            options.recovery = .recreate(keepingBackup: { kept in reports.withLock { $0.append(kept) } })
            let store = try files.makeStore(
                at: copies.appendingPathComponent("store"), isReadOnly: false,
                storing: [Versioned<Numbered>.self], options: options)

            try store.setup()

            try expect(try store.count(Versioned<Numbered>.all), equals: 0)
            try store.tearDown()
            let location = copies.appendingPathComponent("store.set-aside-1/store").path
            try expect(reports.withLock { $0.map(\.location) }, equals: [location])
            try expectRestaurants(at: location, files, equal: [1, 2, 3])
        }
        ConformanceCase("A second store is set aside under the next number", proves: 12) { world in
            guard let files = world.files else { return }
            let reports = Reports([])
            for types: [any DataStoreItem.Type] in [
                [Restaurant.self], [Versioned<Numbered>.self], [Restaurant.self],
            ] {
                let store = try makeStore(files, types, reporting: reports)
                try store.setup()
                try store.tearDown()
            }

            try expect(try names(files), equals: ["store", "store.set-aside-1", "store.set-aside-2"])
            try expect(reports.withLock { $0.count }, equals: 2)
        }
        ConformanceCase("A store that a link leads to is set aside where it is", proves: 12) { world in
            guard let files = world.files else { return }
            let data = files.folder.appendingPathComponent("data", isDirectory: true)
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
            try storeRestaurants(files)
            try FileManager.default.moveItem(at: place(files), to: data.appendingPathComponent("store"))
            try FileManager.default.createSymbolicLink(
                atPath: place(files).path, withDestinationPath: "data/store")
            let reports = Reports([])
            let store = try makeStore(files, [Versioned<Numbered>.self], reporting: reports)

            try store.setup()

            let location = data.appendingPathComponent("store.set-aside-1/store").path
            try expect(reports.withLock { $0.map(\.location) }, equals: [location])
            try expect(try store.count(Versioned<Numbered>.all), equals: 0)
            try store.tearDown()
            try expect(try names(files), equals: ["data", "store"])
            try expectRestaurants(at: location, files, equal: [1, 2])
        }
        ConformanceCase("A debug build begins again if the types have no way on", proves: 12) { world in
            guard let files = world.files else { return }
            try storeRestaurants(files)
            var options = ConformanceWorld.options
            options.recovery = .recreateInDebugBuilds
            let store = try files.makeStore(
                at: place(files), isReadOnly: false, storing: [Versioned<Numbered>.self], options: options)

            #if DEBUG
                try store.setup()

                try expect(try store.count(Versioned<Numbered>.all), equals: 0)
                try store.tearDown()
                try expect(try names(files), equals: ["store", "store.set-aside-1"])
            #else
                try expectError(.schemaMismatch) { try store.setup() }
                try expect(try names(files), equals: ["store"])
            #endif
        }
        ConformanceCase("A damaged store is set aside", proves: 12) { world in
            guard let files = world.files else { return }
            try storeRestaurants(files)
            let bytes = try Data(contentsOf: place(files)).prefix(9000)
            try bytes.write(to: place(files))
            try expectError(.damaged) { try makeStore(files, [Restaurant.self]).setup() }
            let reports = Reports([])
            let store = try makeStore(files, [Restaurant.self], reporting: reports)

            try store.setup()

            try store.writeSync { _ = try $0.insert(Restaurant(4)) }
            try expect(try store.count(Restaurant.all), equals: 1)
            try store.tearDown()
            let kept = reports.withLock { $0 }
            try expect(kept.map(\.reason.code), equals: [.damaged])
            for store in kept {
                try expect(try Data(contentsOf: URL(fileURLWithPath: store.location)), equals: bytes)
            }
        }
        ConformanceCase("Only unusable stores of ours are set aside", proves: 12) { world in
            guard let files = world.files else { return }
            let reports = Reports([])
            let letter = Data("a letter".utf8)
            try letter.write(to: place(files))
            try expectError(.notADatabase) {
                try makeStore(files, [Restaurant.self], reporting: reports).setup()
            }
            try expect(try Data(contentsOf: place(files)), equals: letter)
            try FileManager.default.removeItem(at: place(files))
            try storeRestaurants(files)
            try expectError(.schemaMismatch) {
                let store = try makeStore(
                    files, [Versioned<Numbered>.self], isReadOnly: true, reporting: reports)
                try store.setup()
            }
            try expectError(.schemaMismatch) { try makeStore(files, [Versioned<Numbered>.self]).setup() }

            try expect(try names(files), equals: ["store"])
            try expect(reports.withLock { $0.count }, equals: 0)
        }
        ConformanceCase("Wrong steps of the app set no store aside", proves: 12) { world in
            guard let files = world.files else { return }
            let reports = Reports([])
            let third = SchemaVersion("3", storing: [HistoryCases.Three.self])
            // A mapping that does not say where the hours come from.
            let incomplete = SchemaHistory(
                [first, third], steps: [SchemaStep(from: "1", to: "3") { Keep("Recipe") }])
            // A text does not say what was renamed.
            let described = SchemaHistory([
                first, SchemaVersion("2", describedBy: "Recipe\n  id: int64\n  seconds: int64?"), third,
            ])
            try storeFirst(files)
            for history in [incomplete, described, nil] {
                try expectError(.schemaMismatch) {
                    try makeStore(files, [HistoryCases.Three.self], history, reporting: reports).setup()
                }
            }
            let old = try makeStore(
                files, [HistoryCases.One.self], SchemaHistory([first]), reporting: reports)
            try old.setup()
            try old.destroy()
            try storeFirst(files, isNamed: false)
            let ambiguous = SchemaHistory([
                first, SchemaVersion("1b", storing: [HistoryCases.One.self]),
                SchemaVersion("2", storing: [HistoryCases.Two.self]),
            ])
            try expectError(.schemaMismatch) {
                try makeStore(files, [HistoryCases.Two.self], ambiguous, reporting: reports).setup()
            }

            try expect(try names(files), equals: ["store"])
            try expect(reports.withLock { $0.count }, equals: 0)
            let store = try makeStore(
                files, [HistoryCases.One.self], SchemaHistory([first]), reporting: reports)
            try store.setup()
            try expect(try store.items(HistoryCases.One.all), equals: [HistoryCases.One(1, .integer(90))])
            try store.tearDown()
        }
        ConformanceCase("A store of a later version is set aside", proves: 12) { world in
            guard let files = world.files else { return }
            try storeFirst(files)
            let reports = Reports([])
            let earlier = SchemaHistory([SchemaVersion("0", storing: [Versioned<Numbered>.self])])
            let store = try makeStore(files, [Versioned<Numbered>.self], earlier, reporting: reports)

            try store.setup()

            try expect(try store.count(Versioned<Numbered>.all), equals: 0)
            try store.tearDown()
            try expect(reports.withLock { $0.map(\.reason.code) }, equals: [.schemaMismatch])
            try expect(try names(files), equals: ["store", "store.set-aside-1"])
        }
    }

    /// A restaurant whose name is a number.
    enum Numbered: ItemVersion {
        static let schema = EntitySchema(
            "Restaurant", attributes: [.attribute("id", Int64.self), .attribute("name", Int64.self)])
    }

    /// The stores that were set aside.
    private typealias Reports = Locked<[SetAsideStore]>

    private static func makeStore(
        _ files: any ConformanceFileMedium, _ types: [any DataStoreItem.Type], isReadOnly: Bool = false,
        reporting reports: Reports? = nil, allowing allowed: AllowedMigration = .all
    ) throws -> any DataStore {
        var options = ConformanceWorld.options
        options.allowedMigration = allowed
        if let reports {
            options.recovery = .recreate(keepingBackup: { kept in reports.withLock { $0.append(kept) } })
        }
        return try files.makeStore(at: place(files), isReadOnly: isReadOnly, storing: types, options: options)
    }

    private static func place(_ files: any ConformanceFileMedium) -> URL {
        files.folder.appendingPathComponent("store", isDirectory: false)
    }

    private static func names(_ files: any ConformanceFileMedium) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: files.folder.path).sorted()
            .filter { !$0.hasPrefix("store-") }
    }

    private static func storeRestaurants(_ files: any ConformanceFileMedium) throws {
        let store = try makeStore(files, [Restaurant.self])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2)]) }
        try store.tearDown()
    }

    /// Opens a store that was set aside, and checks its restaurants.
    private static func expectRestaurants(
        at location: String, _ files: any ConformanceFileMedium, equal numbers: [Int64]
    ) throws {
        let old = try files.makeStore(
            at: URL(fileURLWithPath: location), isReadOnly: false, storing: [Restaurant.self],
            options: ConformanceWorld.options)
        try old.setup()
        try expect(try old.read { try $0.items(for: Restaurant.all) }, equals: numbers.map { Restaurant($0) })
        try old.tearDown()
    }

    // MARK: Histories

    private static let first = SchemaVersion("1", storing: [HistoryCases.One.self])

    /// Makes the place's store, of the first version, and closes it.
    private static func storeFirst(_ files: any ConformanceFileMedium, isNamed: Bool = true) throws {
        var options = ConformanceWorld.options
        if isNamed { options.versions = SchemaHistory([first]) }
        let store = try files.makeStore(
            at: place(files), isReadOnly: false, storing: [HistoryCases.One.self], options: options)
        try store.setup()
        try store.writeSync { try $0.insert(HistoryCases.One(1, .integer(90))) }
        try store.tearDown()
    }

    /// Makes a store of the place for a history; nil for none.
    private static func makeStore(
        _ files: any ConformanceFileMedium, _ types: [any DataStoreItem.Type], _ history: SchemaHistory?,
        reporting reports: Reports
    ) throws -> any DataStore {
        var options = ConformanceWorld.options
        options.versions = history
        options.recovery = .recreate(keepingBackup: { kept in reports.withLock { $0.append(kept) } })
        return try files.makeStore(at: place(files), isReadOnly: false, storing: types, options: options)
    }
}
