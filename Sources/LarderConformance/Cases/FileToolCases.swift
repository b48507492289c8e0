import Foundation
import Larder
import LarderFiles

/// The tools of a store in a file; subjects whose stores are not `FileDataStore` pass.
enum FileToolCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A backup is a store of its own, of one moment while others read and write", proves: 12
        ) { world in
            guard let scene = FileScene(world), let store = try stocked(scene) else { return }
            let place = scene.file("copy")
            let (reading, written, end) = (Signal(), Signal(), Signal())
            let reader = Background {
                try store.read { accessor in
                    _ = try accessor.countItems(for: Restaurant.all)
                    reading.fire()
                    try end.wait()
                }
            }
            let writer = Background {
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: [Restaurant(4)])
                    written.fire()
                    try end.wait()
                }
            }
            try reading.wait()
            try written.wait()

            try store.backup(to: place)

            end.fire()
            try reader.value()
            try writer.value()
            try expect(try scene.names().filter { $0.hasPrefix(".") }, equals: [])
            let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
            try expect((attributes[.posixPermissions] as? NSNumber)?.intValue, equals: 0o600)
            let copy = try scene.store(at: place, [Restaurant.self, Dish.self])
            try copy.setup()
            try expect(try copy.items(Restaurant.all), equals: (1...3).map { Restaurant($0) })
            try expect(try (copy as? any FileDataStore)?.checkIntegrity(), equals: [])
            try expect(try store.count(Restaurant.all), equals: 4)
            try copy.tearDown()
            try store.tearDown()
        }
        ConformanceCase(
            "A backup of a store that is being written to is always whole", proves: 1, 12
        ) { world in try await wholeBackups(world) }
        ConformanceCase("A backup does not replace anything", proves: 12) { world in
            guard let scene = FileScene(world), let store = try stocked(scene) else { return }
            let copy = scene.file("copy")
            try Data("mine".utf8).write(to: copy)
            let nowhere = scene.folder.appendingPathComponent("missing/copy", isDirectory: false)

            for place in [copy, scene.url, nowhere] {
                try expectError(.cannotOpen) { try store.backup(to: place) }
            }

            try expect(try Data(contentsOf: copy), equals: Data("mine".utf8))
            try expect(try scene.names().filter { $0.hasPrefix(".") }, equals: [])
            try store.tearDown()
        }
        ConformanceCase("A sound store has no problems, even in types that the app does not know", proves: 12)
        { world in
            guard let scene = FileScene(world), let store = try stocked(scene) else { return }
            try expect(try store.checkIntegrity(), equals: [])
            try store.tearDown()

            guard let narrow = try scene.tools() else { return }
            try narrow.setup()
            try expect(try narrow.statistics().itemCounts, equals: ["Restaurant": 3, "Dish": 0])
            try expect(try narrow.checkIntegrity(), equals: [])
            try narrow.tearDown()
        }
        ConformanceCase("A text is a problem if its folded form is nil or another, even of nil", proves: 12) {
            world in
            guard let scene = FileScene(world), let store = try scene.tools([Visitor.self]) else { return }
            try store.setup()
            let visitors = [
                Visitor(1, "Anna", nickname: "Zoe"), Visitor(2, "Bert"), Visitor(3, "Carl", nickname: ""),
                Visitor(4, "Dora", nickname: "Dodo"),
            ]
            try store.writeSync { try $0.insert(contentsOf: visitors) }
            try expect(try store.checkIntegrity(), equals: [])

            try setFoldedNickname(of: 1, to: .null, in: store)
            try setFoldedNickname(of: 2, to: .text(""), in: store)
            try setFoldedNickname(of: 4, to: .text("dora"), in: store)

            let problems = [1, 2, 4].map { (number: Int64) in
                "Visitor.nickname: The text and the form of it that is kept for an index differ. "
                    + "(item \(AnyItemID.itemID(number)))"
            }
            try expect(try store.checkIntegrity(), equals: problems)
            try store.tearDown()
        }
        ConformanceCase("Statistics count what is there", proves: 12) { world in
            guard let scene = FileScene(world), let store = try stocked(scene) else { return }

            let statistics = try store.statistics()

            try expect(statistics.itemCounts, equals: ["Restaurant": 3, "Dish": 0])
            try expect(statistics.fileBytes, equals: try fileBytes(scene))
            try expect(statistics.pageBytes.nonzeroBitCount, equals: 1)
            try expect(statistics.pageCount > 1, "pages in \(statistics)")
            try store.tearDown()
        }
        ConformanceCase("A tool is refused inside a block", proves: 12) { world in
            guard let scene = FileScene(world), let store = try stocked(scene) else { return }
            try store.read { _ in try expectRefusals(.nestedTransaction, of: store, scene) }
            try store.writeSync { _ in try expectRefusals(.nestedTransaction, of: store, scene) }
            try store.tearDown()
        }
        ConformanceCase("A tool of a store that is not open is refused", proves: 12) { world in
            guard let scene = FileScene(world), let store = try scene.tools() else { return }
            try expectRefusals(.notSetUp, of: store, scene)
            try store.setup()
            try store.tearDown()
            try expectRefusals(.closed, of: store, scene)
            try expect(try scene.names().contains("copy"), equals: false)
        }
    }

    /// An open store with three restaurants.
    private static func stocked(_ scene: FileScene) throws -> (any FileDataStore)? {
        guard let store = try scene.tools([Restaurant.self, Dish.self]) else { return nil }
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: (1...3).map { Restaurant($0) }) }
        return store
    }

    /// Changes the folded form of a nickname alone, as another program might.
    private static func setFoldedNickname(
        of number: Int64, to value: Constant, in store: any FileDataStore
    ) throws {
        let schema = Visitor.schema
        let column = try require(schema.column(folding: 2, [.caseInsensitive, .diacriticInsensitive]))
        let (cells, arena) = (CellBuffer(count: schema.attributes.count), RowArena())
        cells.start[0] = .integer(number)
        cells.start[column] = try arena.cell(of: value)
        let mutation = RowMutation(.update, entity: 0, cells: cells.start, columns: ColumnSet([column]))
        let writing = try store.coordinator.adapter.beginWriting()
        defer { writing.end() }
        try expect(try writing.apply(mutation).count, equals: 1)
        try writing.commit()
        withExtendedLifetime((cells, arena)) {}
    }

    /// *Rule:* the file of an open store is not opened by other means, which would drop the engine's locks.
    private static func fileBytes(_ scene: FileScene) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: scene.url.path)
        return (attributes[.size] as? NSNumber)?.intValue
    }

    private static func expectRefusals(
        _ code: DataStoreError.Code, of store: any FileDataStore, _ scene: FileScene
    ) throws {
        try expectError(code) { try store.backup(to: scene.file("copy")) }
        try expectError(code) { _ = try store.checkIntegrity() }
        try expectError(code) { _ = try store.statistics() }
    }

    private static func wholeBackups(_ world: ConformanceWorld) async throws {
        guard let scene = FileScene(world), let store = try stocked(scene) else { return }
        let isDone = Locked(false)
        async let writing: Void = insertTens(into: store, isDone)
        var copies: [URL] = []
        repeat {
            let copy = scene.file("copy-\(copies.count)")
            try store.backup(to: copy)
            copies.append(copy)
            // The writes need this thread if all others that tasks share are busy.
            await Task.yield()
        } while !isDone.withLock({ $0 })
        try await writing

        for copy in copies {
            let restored = try scene.store(at: copy, [Restaurant.self, Dish.self])
            try await restored.setupAsync()
            let count = try await restored.readAsync { try $0.countItems(for: Restaurant.all) }
            try expect(count % 10, equals: 3)
            try expect(try (restored as? any FileDataStore)?.checkIntegrity(), equals: [])
            try restored.tearDown()
        }
        try store.tearDown()
    }

    @concurrent private static func insertTens(
        into store: any DataStore, _ isDone: Locked<Bool>
    ) async throws {
        defer { isDone.withLock { $0 = true } }
        for number in 1...50 as ClosedRange<Int64> {
            try await store.writeAsync {
                try $0.insert(contentsOf: (number * 10..<number * 10 + 10).map { Restaurant($0) })
            }
        }
    }
}
