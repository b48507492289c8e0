import Foundation
import Larder
import LarderEngine
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// What the opening of a store will do, found without opening it for writing.
struct ForecastTests {
    private typealias One = HistoryCases.One
    private typealias Two = HistoryCases.Two
    private typealias Three = HistoryCases.Three

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let versions = HistoryCases.versions
    private static let history = HistoryCases.history()

    /// Stores seven items of the first version, with or without the name of the version.
    private static func fill(_ place: Place, isNamed: Bool = true) throws {
        let store =
            isNamed
            ? place.makeStore(storing: SchemaHistory([versions[0]])) : place.makeStore(storing: [One.self])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: (1...7).map { One($0, .integer(60)) }) }
        try store.tearDown()
    }

    @Test(arguments: Engine.allCases, [true, false])
    func `the forecast names the steps and their rows, and changes nothing`(
        _ engine: Engine, _ isNamed: Bool
    ) throws {
        let place = folder.place(engine, "store")
        try Self.fill(place, isNamed: isNamed)
        let stored = try place.address.storedSchema()
        let bytes = try place.files.reduce(0) { try $0 + folder.file("store" + $1).fileBytes }

        let forecast = try Self.history.forecast(for: place.address)

        #expect(forecast.from == "1" && forecast.to == "3")
        // A new attribute writes each row again.
        #expect(forecast.steps.map(\.description) == ["1 → 2 inferred, 7 rows", "2 → 3 mapped, 7 rows"])
        #expect(forecast.rows == 14 && !forecast.isEmpty && !forecast.lacksSpace)
        #expect(forecast.storeBytes == bytes)
        #expect((bytes > 0) == (engine != .memory))
        #expect(forecast.neededBytes == bytes * 4)
        #expect((forecast.availableBytes ?? 0 > 0) == (engine != .memory))
        #expect(try Self.history.requiredMigrations(for: place.address) == forecast.steps)
        #expect(try place.address.storedSchema() == stored)
        #expect(
            forecast.description
                == "1 → 3: 1 → 2 inferred, 7 rows; 2 → 3 mapped, 7 rows; about \(forecast.neededBytes) bytes of space"
        )
    }

    @Test(arguments: Engine.allCases)
    func `what setup does is what was forecast, and then there is nothing to do`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        #expect(try Self.history.forecast(for: place.address).isEmpty)
        #expect(try Self.history.requiredMigrations(for: place.address) == [])
        try Self.fill(place)

        let store = place.makeStore(storing: Self.history)
        try store.setup()
        #expect(
            try store.read { try $0.items(for: Three.all) }.map(\.values)
                == Array(repeating: [.real(1), .null], count: 7))
        try store.tearDown()

        let after = try Self.history.forecast(for: place.address)
        #expect(after.isEmpty && after.from == "3" && after.rows == 0 && after.neededBytes == 0)
        #expect(after.description == "3: nothing to do")
    }

    @Test(arguments: Engine.allCases)
    func `the forecast of a copy needs the store and its largest step`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try Self.fill(place)

        let copied = try Self.history.forecast(for: place.address, upgrading: .copying())
        let small = try Self.history.forecast(for: place.address, upgrading: .automatic)

        #expect(copied.isCopied == (engine != .memory))
        #expect(copied.neededBytes == copied.storeBytes * 3)
        #expect(copied.description.hasSuffix("bytes of space for a copy") == copied.isCopied)
        #expect(!small.isCopied)
    }

    @Test(arguments: [
        (1, 7, 64 << 20, false), (0, 7, 64 << 20, true), (0, 7, (64 << 20) - 1, false),
        (0, 0, 64 << 20, false),
    ])
    func `several steps through many rows are copied by themselves`(
        _ first: Int, _ rows: Int, _ bytes: Int, _ isCopied: Bool
    ) throws {
        let place = folder.place(.memory, "store")
        let store = place.makeStore(storing: SchemaHistory(Array(Self.versions.prefix(first + 1))))
        try store.setup()
        try store.tearDown()
        let stored = try #require(try place.address.storedSchema())
        let migration = try SchemaMigration(
            from: stored, to: try Self.history.current().schema(), by: Self.history.plan())
        let number = try #require(stored.entities.first?.number)

        let needs = UpgradeNeeds(of: migration, counts: [number: rows], storeBytes: bytes)

        #expect(needs.isCopied(by: .automatic) == isCopied)
        #expect(!needs.isCopied(by: .inPlace) && needs.isCopied(by: .copying()))
    }

    @Test(arguments: Engine.allCases)
    func `a store in another shape than its version needs small changes`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try Self.fill(place)
        let changed: SchemaHistory = ["1": [Two.self]]

        let steps = try changed.requiredMigrations(for: place.address)

        #expect(steps.map(\.description) == ["1 → 1 inferred, 7 rows"])
    }

    @Test(arguments: Engine.allCases)
    func `a way that does not exist or needs mappings is told before`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try Self.fill(place)
        let unmapped = SchemaHistory(Self.versions)
        let later = SchemaHistory(Array(Self.versions.dropFirst()))

        let error = thrown { try unmapped.forecast(for: place.address) }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.differences.map(\.attribute) == ["hours"])
        #expect(code { try later.forecast(for: place.address) } == .schemaMismatch)
        #expect(
            code {
                try SchemaHistory(Self.versions, chain: ["1": "2", "2": "1"]).forecast(for: place.address)
            }
                == .invalidSchema)
    }
}
