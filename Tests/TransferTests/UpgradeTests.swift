import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Stores that are brought to the current version without being opened for an app.
struct UpgradeTests {
    private typealias One = HistoryCases.One
    private typealias Two = HistoryCases.Two
    private typealias Three = HistoryCases.Three

    private struct Stumble: Error {}

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let versions = HistoryCases.versions
    private static let history = HistoryCases.history()

    /// A store of the first version with seven items.
    private func filled(_ engine: Engine) throws -> Place {
        let place = folder.place(engine, "store")
        let store = place.makeStore(storing: SchemaHistory([Self.versions[0]]))
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: (1...7).map { One($0, .integer(60)) }) }
        try store.tearDown()
        return place
    }

    private static func hours(in place: Place) throws -> [Constant] {
        let store = place.makeStore(storing: history)
        try store.setup()
        defer { try? store.tearDown() }
        return try store.read { try $0.items(for: Three.all) }.map { $0.values[0] }
    }

    @Test(arguments: Engine.allCases)
    func `an old store is brought to the current version, once`(_ engine: Engine) throws {
        let place = try filled(engine)
        let reports = Locked<[String]>([])

        let forecast = try Self.history.requiredMigrations(for: place.address)
        let steps = try Self.history.upgradeIfNeeded(place.address) { report in
            reports.withLock { $0.append(report.description) }
        }

        #expect(steps.map(\.description) == ["1 → 2 inferred, 7 rows", "2 → 3 mapped, 7 rows"])
        #expect(steps == forecast)
        #expect(reports.withLock { $0.last } == "step 2 of 2, 2 → 3: 7 of 7")
        let stored = try place.address.storedSchema()
        #expect(stored?.version == "3")
        #expect(try Self.history.upgradeIfNeeded(place.address) == [])
        #expect(try place.address.storedSchema() == stored)
        #expect(try Self.hours(in: place) == Array(repeating: .real(1), count: 7))
    }

    @Test(arguments: Engine.allCases)
    func `no store is made where there is none`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")

        #expect(try Self.history.upgradeIfNeeded(place.address) == [])

        #expect(try folder.names == [])
        #expect(try place.address.storedSchema() == nil)
    }

    @Test(arguments: Engine.files)
    func `no store is made in the place of one that is removed meanwhile`(_ engine: Engine) throws {
        let place = try filled(engine)
        let address = place.address
        let raced = StoreAddress(
            engine: address.engine, location: address.location, fileSuffixes: address.fileSuffixes
        ) { _, access in
            if ![.reading, .readingQuickly].contains(access) {
                for suffix in address.fileSuffixes { unlink(address.location + suffix) }
            }
            return address.adapter(for: access)
        }

        let error = thrown { try Self.history.upgradeIfNeeded(raced) }

        #expect(error?.code == .cannotOpen)
        #expect(try folder.names == [])
    }

    @Test(arguments: Engine.files)
    func `a store of the current version is not written to`(_ engine: Engine) throws {
        let place = try filled(engine)
        try Self.history.upgradeIfNeeded(place.address)
        let bytes = try folder.bytes("store")

        #expect(try Self.history.upgradeIfNeeded(place.address) == [])

        #expect(try folder.bytes("store") == bytes)
    }

    @Test(arguments: Engine.allCases)
    func `small changes within a version are a step too`(_ engine: Engine) throws {
        let place = try filled(engine)
        let changed: SchemaHistory = ["1": [Two.self]]

        let steps = try changed.upgradeIfNeeded(place.address)

        #expect(steps.map(\.description) == ["1 → 1 inferred, 7 rows"])
        #expect(try changed.requiredMigrations(for: place.address) == [])
    }

    @Test(arguments: Engine.allCases)
    func `errors are those of setup, and nothing has changed`(_ engine: Engine) throws {
        let place = try filled(engine)
        let before = try place.address.storedSchema()
        let stumbling = HistoryCases.history { throw Stumble() }
        let loop = SchemaHistory(Self.versions, chain: ["1": "2", "2": "1"])
        let later = SchemaHistory(Array(Self.versions.dropFirst()))
        let described = SchemaHistory([
            Self.versions[0], SchemaVersion("2", describedBy: "Recipe\n  id: int64\n  minutes: int64"),
        ])

        for history in [stumbling, loop, later, described] {
            let refused = place.makeStore(storing: history)
            let expected = thrown { try refused.setup() }
            let error = thrown { try history.upgradeIfNeeded(place.address) }
            #expect(error?.code == expected?.code)
            #expect(error?.message == expected?.message)
            #expect(error != nil)
        }

        #expect(try place.address.storedSchema() == before)
        #expect(try Self.hours(in: place).count == 7)
    }

    @Test(arguments: Engine.files)
    func `a file that cannot be used stays where it is, whatever the recovery`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try Data("not a store of any engine".utf8).write(to: URL(fileURLWithPath: place.address.location))
        var options = DataStoreOptions()
        options.recovery = .recreate { _ in }

        let error = thrown { try Self.history.upgradeIfNeeded(place.address, options: options) }

        #expect(error?.code == .notADatabase)
        #expect(try folder.names == ["store"])
    }

    @Test(arguments: Engine.files)
    func `a store that this process has open is refused`(_ engine: Engine) throws {
        let place = try filled(engine)
        let store = place.makeStore(storing: SchemaHistory([Self.versions[0]]))
        try store.setup()
        defer { try? store.tearDown() }

        #expect(code { try Self.history.upgradeIfNeeded(place.address) } == .alreadyOpen)
    }

    @Test(arguments: Engine.allCases)
    func `steps that another process has taken meanwhile are not returned`(_ engine: Engine) throws {
        let place = try filled(engine)
        let address = place.address
        // The other process is faster by as much as lies between the forecast and the opening.
        let raced = StoreAddress(
            engine: address.engine, location: address.location, fileSuffixes: address.fileSuffixes
        ) { _, access in
            if access == .updating { _ = try? Self.hours(in: place) }
            return address.adapter(for: access)
        }

        #expect(try Self.history.upgradeIfNeeded(raced) == [])

        #expect(try address.storedSchema()?.version == "3")
    }

    @Test(arguments: Engine.allCases)
    func `an awaited upgrade stops with its task`(_ engine: Engine) async throws {
        let place = try filled(engine)
        let stopped = HistoryCases.history { withUnsafeCurrentTask { $0?.cancel() } }

        let running = Task { try await stopped.upgradeIfNeeded(place.address) }
        let late = await #expect(throws: DataStoreError.self) { try await running.value }
        let early = await thrownWhenCancelled(awaiting: {
            _ = try await Self.history.upgradeIfNeeded(place.address)
        })

        #expect([late?.code, early?.code] == [.cancelled, .cancelled])
        #expect(try place.address.storedSchema()?.version == "1")
        let steps = try await Self.history.upgradeIfNeeded(place.address)
        #expect(steps.map(\.to) == ["2", "3"])
    }
}
