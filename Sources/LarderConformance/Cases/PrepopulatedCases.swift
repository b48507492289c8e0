import Foundation
import Larder
import LarderFiles

/// A new store that begins with a copy of another, such as one in an app's bundle.
enum PrepopulatedCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A new store begins with a copy of the one it is given", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let source = try makeSource(scene, 1...3)
            let before = try scene.contents()
            let store = try scene.store { $0.prepopulatedFrom = source }

            try store.setup()

            try expect(try store.items(Restaurant.all), equals: (1...3).map { Restaurant($0) })
            try store.writeSync { _ = try $0.insert(Restaurant(4)) }
            try expect(try (store as? any FileDataStore)?.checkIntegrity() ?? [], equals: [])
            let attributes = try FileManager.default.attributesOfItem(atPath: scene.url.path)
            try expect((attributes[.posixPermissions] as? NSNumber)?.intValue, equals: 0o600)
            try store.tearDown()
            try expectUnchanged(before, in: scene)
            let original = try require(try identity(of: try scene.store(at: source)))
            let own = try require(try identity(of: store))
            try expect(own == original, equals: false)
            // The copy needs its source no more.
            try FileManager.default.removeItem(at: source)
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 4)
            try store.tearDown()
            try expect(try identity(of: store), equals: own)
        }
        ConformanceCase("A store that is there is not replaced by the one it could begin with", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile(7...7)
            let source = try makeSource(scene, 1...3)
            let store = try scene.store { $0.prepopulatedFrom = source }

            try store.setup()
            try expect(try store.items(Restaurant.all), equals: [Restaurant(7)])

            // A store that was destroyed is a new one again.
            try store.destroy()
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 3)
            try store.tearDown()
        }
        ConformanceCase("The copy of a store has what is in the files beside its own", proves: 3, 12) {
            world in
            guard let scene = FileScene(world) else { return }
            let source = try makeSource(scene, 1...2)
            let open = try scene.store(at: source)
            try open.setup()
            try open.writeSync { _ = try $0.insert(Restaurant(3)) }
            // The files of an open store, as a killed process leaves them.
            let bundle = scene.folder.appendingPathComponent("bundle")
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: false)
            for name in try scene.names() where name.hasPrefix("source") {
                try FileManager.default.copyItem(
                    at: scene.file(name), to: bundle.appendingPathComponent(name))
            }
            try open.tearDown()
            let files = try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted()
            let bytes = try files.map { try Data(contentsOf: bundle.appendingPathComponent($0)) }
            let modes: [FileAttributeKey: Any] = [.posixPermissions: 0o555]
            try FileManager.default.setAttributes(modes, ofItemAtPath: bundle.path)
            let store = try scene.store {
                $0.prepopulatedFrom = bundle.appendingPathComponent("source", isDirectory: false)
            }

            try store.setup()

            try expect(try store.items(Restaurant.all), equals: (1...3).map { Restaurant($0) })
            try store.tearDown()
            try expect(
                try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted(), equals: files)
            try expect(
                try files.map { try Data(contentsOf: bundle.appendingPathComponent($0)) }, equals: bytes)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle.path)
        }
        ConformanceCase("The copy of a store is brought to the app's types", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let source = try makeSource(scene, 1...2)
            let store = try scene.store([Restaurant.self, Dish.self]) { $0.prepopulatedFrom = source }

            try store.setup()

            try expect(try store.count(Restaurant.all), equals: 2)
            try expect(try store.count(Dish.all), equals: 0)
            try store.tearDown()
            // The source has the types that it was made with.
            let types = try scene.store(at: source).coordinator.adapter.storedSchema()?.entities.map(\.name)
            try expect(types, equals: ["Restaurant"])
        }
        ConformanceCase("A store that a new one cannot begin with is named, and none is made", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            let sound = try makeSource(scene, 1...40)
            let text = scene.file("text")
            try Data(repeating: 65, count: 10_000).write(to: text)
            let damaged = scene.file("damaged")
            try Data(contentsOf: sound).prefix(9000).write(to: damaged)
            let folder = scene.folder.appendingPathComponent("folder")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let unfit = try makeUnfit(scene, "unfit")
            let place = scene.folder.appendingPathComponent("Data/store", isDirectory: false)
            for source in [scene.file("missing"), text, damaged, folder, unfit] {
                let recreated = Reports([])
                var options = ConformanceWorld.options
                options.recovery = .recreate(keepingBackup: { kept in
                    recreated.withLock { $0.append(kept) }
                })
                for options in [ConformanceWorld.options, options] {
                    let store = try require(world.files).makeStore(
                        at: place, storing: [Restaurant.self], options: options
                    ) { $0.prepopulatedFrom = source }
                    let before = try scene.names()

                    let refused = try expectError(.cannotOpen) { try store.setup() }

                    try expect(refused.path, equals: source.path)
                    try expect(try scene.names(), equals: before)
                }
                try expect(recreated.withLock { $0.count }, equals: 0)
            }
            // With a sound one the same place becomes a store.
            let store = try scene.store(at: place) { $0.prepopulatedFrom = sound }
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 40)
            try store.tearDown()
        }
        ConformanceCase("A store that is set aside makes room for the copy of another", proves: 12) { world in
            guard let scene = FileScene(world), let files = world.files else { return }
            try makeUnfit(scene, "store")
            let source = try makeSource(scene, 1...2)
            var options = ConformanceWorld.options
            options.recovery = .recreate(keepingBackup: { _ in })
            let store = try files.makeStore(at: scene.url, storing: [Restaurant.self], options: options) {
                $0.prepopulatedFrom = source
            }

            try store.setup()

            try expect(try store.count(Restaurant.all), equals: 2)
            try expect(try scene.names().contains("store.set-aside-1"), equals: true)
            try store.tearDown()
        }
        ConformanceCase("A copy that does not fit either is not set aside", proves: 12) { world in
            guard let scene = FileScene(world), let files = world.files else { return }
            try makeUnfit(scene, "store")
            let source = try makeUnfit(scene, "source")
            let reports = Reports([])
            var options = ConformanceWorld.options
            options.recovery = .recreate(keepingBackup: { kept in reports.withLock { $0.append(kept) } })
            let store = try files.makeStore(at: scene.url, storing: [Restaurant.self], options: options) {
                $0.prepopulatedFrom = source
            }

            // Each launch of the app.
            for _ in 1...3 {
                let refused = try expectError(.cannotOpen) { try store.setup() }

                try expect(refused.path, equals: source.path)
                try expect(
                    try scene.names().filter { $0.hasPrefix("store.") || $0 == "store" },
                    equals: ["store.set-aside-1"])
            }
            try expect(reports.withLock { $0.count }, equals: 0)
            try FileManager.default.removeItem(at: source)
            _ = try makeSource(scene, 1...2)
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 2)
            try store.tearDown()
        }
        ConformanceCase("A store that is open is not copied to a new one", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let source = try makeSource(scene, 1...2)
            let open = try scene.store(at: source)
            try open.setup()
            let store = try scene.store { $0.prepopulatedFrom = source }

            let refused = try expectError(.alreadyOpen) { try store.setup() }

            try expect(refused.path, equals: source.path)
            try expect(FileManager.default.fileExists(atPath: scene.url.path), equals: false)
            try open.writeSync { _ = try $0.insert(Restaurant(3)) }
            try open.tearDown()
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 3)
            try store.tearDown()
        }
        ConformanceCase("A store that must exist is not copied from another", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let source = try makeSource(scene, 1...2)
            let changes: [(inout FileStoreOptions) -> Void] = [
                { $0.createsStore = false }, { $0.isReadOnly = true },
            ]
            for change in changes {
                let store = try scene.store {
                    change(&$0)
                    $0.prepopulatedFrom = source
                }

                let refused = try expectError(.cannotOpen) { try store.setup() }

                try expect(refused.message, equals: "No store exists at this path.")
                try expect(FileManager.default.fileExists(atPath: scene.url.path), equals: false)
            }
        }
        ConformanceCase("A copy that a killed process has left unfinished goes with the next", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            let source = try makeSource(scene, 1...2)
            let half = scene.file(".store.larder-new-0123456789abcdef")
            try Data(contentsOf: source).prefix(5000).write(to: half)
            let store = try scene.store { $0.prepopulatedFrom = source }

            try store.setup()

            try expect(try store.count(Restaurant.all), equals: 2)
            try expect(FileManager.default.fileExists(atPath: half.path), equals: false)
            try store.tearDown()
        }
    }

    private typealias Reports = Locked<[SetAsideStore]>

    /// Makes a closed store in a file `source`, with nothing beside it.
    private static func makeSource(_ scene: FileScene, _ numbers: ClosedRange<Int64>) throws -> URL {
        let url = scene.file("source")
        let store = try scene.store(at: url)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: numbers.map { Restaurant($0) }) }
        try store.tearDown()
        for name in try scene.names() where name.hasPrefix("source") && name != "source" {
            try FileManager.default.removeItem(at: scene.file(name))
        }
        return url
    }

    /// Makes a closed store that has no way to restaurants.
    @discardableResult
    private static func makeUnfit(_ scene: FileScene, _ name: String) throws -> URL {
        let store = try scene.store(at: scene.file(name), [Versioned<RecoveryCases.Numbered>.self])
        try store.setup()
        try store.tearDown()
        return scene.file(name)
    }

    private static func identity(of store: any DataStore) throws -> UUID? {
        try store.coordinator.adapter.storedSchema()?.identity
    }

    /// Fails unless the files that were in the folder have the same bytes, and only the store is beside them.
    private static func expectUnchanged(_ before: [String: Data], in scene: FileScene) throws {
        let after = try scene.contents()
        for (name, bytes) in before { try expect(after[name] == bytes, "\(name) is unchanged") }
        let added = Set(after.keys).subtracting(before.keys).filter { !$0.hasPrefix("store") }
        try expect(added.sorted(), equals: [])
    }
}
