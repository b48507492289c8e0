import Foundation
import Larder

/// Steps in a copy of the store; subjects without files run them in place.
enum UpgradeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Steps in a copy end as steps in place do", proves: 12) { world in
            try fill(world, first[0], first[1])
            let before = try names(in: world)
            let reports = Locked<[String]>([])
            let store = try world.makeStore(
                storing: [Three.self], history: Way().history(),
                progress: { report in reports.withLock { $0.append(report.description) } },
                changing: { $0.schemaUpgrade = .copying() })

            try store.setup()

            try expect(try store.items(Three.all), equals: third)
            try expect(
                reports.withLock { $0 },
                equals: [
                    "step 1 of 2, 1 → 2: 0 of 2", "step 1 of 2, 1 → 2: 2 of 2",
                    "step 2 of 2, 2 → 3: 0 of 2", "step 2 of 2, 2 → 3: 2 of 2",
                ])
            try expectError(.uniqueViolation) {
                try store.writeSync { _ = try $0.insert(Three(3, .text("0.5 kg"))) }
            }
            try world.closeAll()
            try expect(try names(in: world), equals: before)
            try expect(try require(try store.coordinator.adapter.storedSchema()).version, equals: "3")
        }
        ConformanceCase("A backup holds the old store and its types", proves: 12) { world in
            try fill(world, first[0], first[1])
            let backups = Locked<[SchemaBackup]>([])
            let store = try makeStore(world, Way(), keeping: backups)

            try store.setup()

            try expect(try store.items(Three.all), equals: third)
            try store.tearDown()
            try store.setup()
            try store.tearDown()
            let kept = backups.withLock { $0.map(\.location) }
            guard let files = world.files else { return }
            try expect(kept.count, equals: 1)
            try expect(kept.allSatisfy { $0.hasSuffix("store.larder.backup-1") }, equals: true)
            for location in kept {
                let old = try files.makeStore(
                    at: URL(fileURLWithPath: location), isReadOnly: false, storing: [One.self],
                    options: ConformanceWorld.options)
                try expectError(.schemaMismatch) {
                    try files.makeStore(
                        at: URL(fileURLWithPath: location), isReadOnly: false, storing: [Two.self],
                        options: ConformanceWorld.options
                    ).setup()
                }
                try old.setup()
                try expect(try old.items(One.all), equals: first)
                try old.tearDown()
            }
        }
        ConformanceCase(
            "A cancelled upgrade continues after the last whole step", proves: 12
        ) { world in
            guard try cancelAfterFirstStep(world, Way()) else { return }
            let way = Way()
            let store = try makeStore(world, way)

            try store.setup()

            try expect(way.calls.withLock { $0 }, equals: ["2 → 3", "2 → 3"])
            try expect(try store.items(Three.all), equals: third)
            try world.closeAll()
            try expect(try names(in: world).filter { $0.contains("upgrade") }, equals: [])
        }
        ConformanceCase(
            "A copy of an earlier state of the store is not used", proves: 12
        ) { world in
            guard try cancelAfterFirstStep(world, Way()) else { return }
            try fill(world, One(3, .integer(30)))
            let way = Way()
            let store = try makeStore(world, way)

            try store.setup()

            try expect(way.calls.withLock { $0.count }, equals: 6)
            try expect(try store.items(Three.all), equals: third + [Three(3, .text("0.03 kg"))])
            try world.closeAll()
            try expect(try names(in: world).filter { $0.contains("upgrade") }, equals: [])
        }
        ConformanceCase(
            "A step that throws in a copy leaves the old store and no copy", proves: 12
        ) { world in
            try fill(world, first[0], first[1])
            let before = try names(in: world)
            let way = Way(failing: true)
            let store = try makeStore(world, way, keeping: Locked([]))

            let error = try expectError(.migrationFailed) { try store.setup() }

            try expect(error.path?.contains("upgrade") ?? false, equals: false)
            try expect(way.calls.withLock { $0 }, equals: ["1 → 2", "1 → 2"])
            try expect(try names(in: world), equals: before)
            let old = try world.makeStore(storing: Way().history(upTo: 1))
            try old.setup()
            try expect(try old.items(One.all), equals: first)
        }
        ConformanceCase("A store that is destroyed leaves no copy", proves: 12) { world in
            guard try cancelAfterFirstStep(world, Way()) else { return }
            let store = try makeStore(world, Way())

            try store.destroy()

            try expect(try names(in: world), equals: [])
        }
    }

    private enum First: ItemVersion {
        static let schema = EntitySchema(
            "Dish", attributes: [.attribute("id", Int64.self), .attribute("grams", Int64.self)])
    }

    private enum Second: ItemVersion {
        static let schema = EntitySchema(
            "Dish", attributes: [.attribute("id", Int64.self), .attribute("kilos", Double.self)])
    }

    private enum Third: ItemVersion {
        static let schema = EntitySchema(
            "Dish", attributes: [.attribute("id", Int64.self), .attribute("label", String.self)],
            indexes: [.unique("label")])
    }

    private typealias One = Versioned<First>
    private typealias Two = Versioned<Second>
    private typealias Three = Versioned<Third>
    private struct Stumble: Error {}

    /// Three versions, and the rows that their steps were given.
    private final class Way: Sendable {
        let calls = Locked<[String]>([])
        private let fails: Bool

        init(failing fails: Bool = false) {
            self.fails = fails
        }

        func history(upTo count: Int = 3) -> SchemaHistory {
            let versions = [
                SchemaVersion("1", storing: [One.self]), SchemaVersion("2", storing: [Two.self]),
                SchemaVersion("3", storing: [Three.self]),
            ]
            let steps = [
                SchemaStep(from: "1", to: "2") {
                    Transform("Dish") { [self] old, new in
                        calls.withLock { $0.append("1 → 2") }
                        try new.make().set("kilos", to: Double(old["grams", as: Int64.self]) / 1000)
                    }
                },
                SchemaStep(from: "2", to: "3") {
                    Transform("Dish") { [self] old, new in
                        if fails { throw Stumble() }
                        calls.withLock { $0.append("2 → 3") }
                        try new.make().set("label", to: "\(old["kilos", as: Double.self]) kg")
                    }
                },
            ]
            return SchemaHistory(Array(versions.prefix(count)), steps: Array(steps.prefix(count - 1)))
        }
    }

    private static func fill(_ world: ConformanceWorld, _ dishes: One...) throws {
        let store = try world.makeStore(storing: Way().history(upTo: 1))
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: dishes) }
        try world.closeAll()
    }

    private static func makeStore(
        _ world: ConformanceWorld, _ way: Way, keeping backups: Locked<[SchemaBackup]>? = nil,
        probe: (@Sendable (String) -> Void)? = nil
    ) throws -> any DataStore {
        try world.makeStore(
            storing: [Three.self], history: way.history(),
            changing: { options in
                options.upgradeProbe = probe
                options.schemaUpgrade =
                    if let backups {
                        .copying(keepingBackup: { kept in backups.withLock { $0.append(kept) } })
                    } else {
                        .copying()
                    }
            })
    }

    private static func names(in world: ConformanceWorld) throws -> [String] {
        guard let files = world.files else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: files.folder.path).sorted()
    }

    private static let first = [One(1, .integer(500)), One(2, .integer(2000))]
    private static let third = [Three(1, .text("0.5 kg")), Three(2, .text("2.0 kg"))]

    // MARK: Cases

    /// Cancels an upgrade after its first step; false if the subject has no files.
    private static func cancelAfterFirstStep(_ world: ConformanceWorld, _ way: Way) throws -> Bool {
        guard world.files != nil else { return false }
        try fill(world, first[0], first[1])
        let before = try names(in: world)
        let store = try makeStore(world, way) { place in
            if place == "step 1 → 2" { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let done = DispatchSemaphore(value: 0)
        let code = Locked<DataStoreError.Code?>(nil)
        Task.detached {
            do throws(DataStoreError) {
                try store.setup()
            } catch {
                code.withLock { $0 = error.code }
            }
            done.signal()
        }
        done.wait()
        try expect(code.withLock { $0 }, equals: .cancelled)
        try expect(way.calls.withLock { $0 }, equals: ["1 → 2", "1 → 2"])
        // The old store, and a copy that waits.
        try expect(try require(try store.coordinator.adapter.storedSchema()).version, equals: "1")
        try expect(try names(in: world).count > before.count, equals: true)
        return true
    }
}
