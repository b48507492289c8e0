import Foundation
import Larder
import LarderFiles
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderLMDB
@testable import LarderSQLite

/// The rows that are counted before an upgrade.
struct UpgradeCountTests {
    private typealias One = HistoryCases.One
    private typealias Two = HistoryCases.Two
    private typealias Other = Keyed<Int64>

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let history = SchemaHistory([
        SchemaVersion("1", storing: [One.self, Other.self]),
        SchemaVersion("2", storing: [Two.self, Other.self]),
    ])

    /// Runs an upgrade of recipes, and returns the types whose rows are counted.
    private func countedTypes(_ engine: Engine, by mode: SchemaUpgradeMode) throws -> [String] {
        let place = folder.place(engine, "store")
        try place.withStore(storing: [One.self, Other.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(One(1, .integer(60)))
                try accessor.insert(contentsOf: [Other(1), Other(2)])
            }
        }
        let location = StorePlace(folder.file("store"))
        let file: any UpgradableFile =
            engine == .sqlite
            ? UpgradableSQLiteFile(place: location, options: SQLiteOptions())
            : UpgradableLMDBFile(place: location, options: LMDBOptions())
        let counted = Counted()
        var plan = Self.history.plan()
        plan.mode = mode
        let schema = try Self.history.current().schema()
        _ = try FileUpgrade(of: CountedFile(file: file, counted: counted), to: schema, by: plan).run()
        return counted.types.withLock { $0 }
    }

    @Test(arguments: Engine.files)
    func `in place only the rows of types that are written again are counted`(_ engine: Engine) throws {
        #expect(try countedTypes(engine, by: .inPlace) == ["Recipe"])
    }

    @Test(arguments: Engine.files)
    func `for a copy all rows are counted, as its room depends on them`(_ engine: Engine) throws {
        #expect(try Set(countedTypes(engine, by: .copying())) == ["Recipe", Other.schema.name])
    }
}

private final class Counted: Sendable {
    let types = Locked<[String]>([])
}

/// A file whose adapters note what they count.
private struct CountedFile: UpgradableFile {
    let file: any UpgradableFile
    let counted: Counted

    var address: StoreAddress {
        let address = file.address
        return StoreAddress(
            engine: address.engine, location: address.location, fileSuffixes: address.fileSuffixes
        ) { [counted] location, access in
            CountingAdapter(
                wrappedAdapter: address.renamed(to: location).adapter(for: access), counted: counted)
        }
    }

    var stateSuffixes: [String] { file.stateSuffixes }

    func whileAlone(
        _ body: (any SoleFile) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        try file.whileAlone(body)
    }
}

private final class CountingAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let counted: Counted

    init(wrappedAdapter: any StorageAdapter, counted: Counted) {
        self.wrappedAdapter = wrappedAdapter
        self.counted = counted
    }

    func decorated(_ reading: any StorageReading) -> any StorageReading {
        CountingReading(wrappedReading: reading, counted: counted)
    }
}

private final class CountingReading: ReadingDecorator {
    let wrappedReading: any StorageReading
    private let counted: Counted

    init(wrappedReading: any StorageReading, counted: Counted) {
        self.wrappedReading = wrappedReading
        self.counted = counted
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        counted.types.withLock { $0.append(plan.schema.name) }
        return try wrappedReading.count(for: plan)
    }
}
