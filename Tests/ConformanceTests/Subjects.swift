import Foundation
import Larder
import LarderConformance
import LarderLMDB
import LarderMemory
import LarderRouting
import LarderSQLite
import PostgreSQLTestSupport

@testable import AdapterTestSupport

/// The engines that are held to the contract here.
enum Subjects {
    static let all = whole + sharing

    /// The engines of their own.
    static let engines = [memory, sqlite, lmdb] + postgreSQL

    /// The subjects of the random models.
    static let ofModels = chosen(from: engines + [reference])

    /// The subjects of random operations without rules between items.
    static let modelled = Repetitions.isLong ? chosen(from: all) : ofModels

    /// Those whose names contain the value of `LARDER_SUBJECT`; all if it is not set.
    static func chosen(from subjects: [ConformanceSubject]) -> [ConformanceSubject] {
        Chosen.elements(of: subjects, by: "LARDER_SUBJECT")
    }

    /// The subjects that run every case in every run.
    static let whole =
        engines + [
            ConformanceSubject("child of memory") { ChildWorld(over: MemoryWorld()) }
        ]
    /// The subjects that share the cases among them in short runs: each differs from one of ``whole`` only in
    /// what passes calls on, or serves the tests alone.
    static let sharing =
        [
            reference, decorated, copying, copyingLMDB, withoutFunctions,
            ConformanceSubject("child of SQLite") { ChildWorld(over: try SQLiteWorld()) },
            ConformanceSubject("child of LMDB") { ChildWorld(over: try LMDBWorld()) },
            ConformanceSubject("grandchild of memory") { ChildWorld(over: MemoryWorld(), depth: 2) },
            ConformanceSubject("merging child of memory") {
                ChildWorld(over: MemoryWorld(), mergesMidway: true)
            },
        ] + variantsOfPostgreSQL

    static let memory = ConformanceSubject("memory") { MemoryWorld() }
    static let sqlite = ConformanceSubject("SQLite") { try SQLiteWorld() }
    static let lmdb = ConformanceSubject("LMDB") { try LMDBWorld() }
    static let reference = ConformanceSubject("reference") { ReferenceWorld() }
    static let copying = ConformanceSubject("SQLite with steps in copies") {
        CopyingWorld(over: try SQLiteWorld())
    }
    static let copyingLMDB = ConformanceSubject("LMDB with steps in copies") {
        CopyingWorld(over: try LMDBWorld())
    }
    /// SQLite as an engine that cannot call the core: what SQL has no words for is tested on the rows that it finds.
    static let withoutFunctions = ConformanceSubject("SQLite without functions") {
        try SQLiteWorld(callsFunctions: false)
    }
    /// The subjects over several parts, which share the cases of ``CasesInParts``; a server is a part in long runs alone.
    static let inParts = [routed] + dealingOutItems + (isThorough ? routedToServer : [])
    static let dealingOutItems = [partitioned] + (isThorough ? partitionedToServer : [])
    private static let isThorough = Repetitions.isLong || Chosen.isSet("LARDER_SUBJECT")

    /// Item types in turn on SQLite and LMDB.
    private static let routed = ConformanceSubject("SQLite and LMDB") {
        RoutedWorld(try SQLiteWorld(), try LMDBWorld())
    }
    /// The items of each type in turn on SQLite and LMDB.
    private static let partitioned = ConformanceSubject("SQLite and LMDB for each type") {
        RoutedWorld(try SQLiteWorld(), try LMDBWorld(), dealsOutItems: true)
    }
    /// A few item types on LMDB, and all others on SQLite.
    static let routedBeside = ConformanceSubject("SQLite beside LMDB") {
        RoutedWorld(try SQLiteWorld(), try LMDBWorld(), with: ["Draft", "Narrow", "Note"])
    }
    static let decorated = ConformanceSubject("decorated memory") { DecoratedWorld() }

    /// A server of the tests' own; none if it is not installed, or the build is without the engine.
    #if PostgreSQL
        static let postgreSQL = servers.map { server in
            ConformanceSubject("PostgreSQL") { PostgreSQLWorld(on: server) }
        }
        private static let variantsOfPostgreSQL = servers.flatMap { server in
            [
                ConformanceSubject("PostgreSQL that reads from a standby") {
                    guard let standby = TestServer.sharedStandby else { return PostgreSQLWorld(on: server) }
                    return PostgreSQLWorld(on: server, readingFrom: standby)
                },
                ConformanceSubject("PostgreSQL through a pooler") {
                    PostgreSQLWorld(on: server, through: TestPooler.shared)
                },
                ConformanceSubject("child of PostgreSQL") { ChildWorld(over: PostgreSQLWorld(on: server)) },
                ConformanceSubject("grandchild of PostgreSQL") {
                    ChildWorld(over: PostgreSQLWorld(on: server), depth: 2)
                },
            ]
        }
        private static let routedToServer = servers.map { server in
            ConformanceSubject("SQLite and PostgreSQL") {
                RoutedWorld(try SQLiteWorld(), PostgreSQLWorld(on: server))
            }
        }
        private static let partitionedToServer = servers.map { server in
            ConformanceSubject("SQLite and PostgreSQL for each type") {
                RoutedWorld(try SQLiteWorld(), PostgreSQLWorld(on: server), dealsOutItems: true)
            }
        }
        private static let servers = TestServer.shared.map { [$0] } ?? []
    #else
        static let postgreSQL: [ConformanceSubject] = []
        private static let variantsOfPostgreSQL: [ConformanceSubject] = []
        private static let routedToServer: [ConformanceSubject] = []
        private static let partitionedToServer: [ConformanceSubject] = []
    #endif
}

extension ConformanceSubject {
    /// True if each request is a journey to a server, so that a random test makes fewer of them.
    var isOnServer: Bool { Subjects.postgreSQL.contains { $0.name == name } }
}

/// A piece of memory.
struct MemoryWorld: ConformanceMedium {
    private let storage = MemoryStorage()

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        MemoryDataStore(storing: types, in: storage, storeOptions: options)
    }

    func cleanUp() {}
}

/// A temporary folder with one SQLite file, in memory if there is room.
struct SQLiteWorld: ConformanceFileMedium {
    private let temporary: TemporaryFolder
    private let callsFunctions: Bool
    var folder: URL { temporary.url }

    /// - Parameter callsFunctions: False for statements without functions of the core's inside SQLite.
    init(callsFunctions: Bool = true) throws {
        temporary = try TemporaryFolder(.inMemory)
        self.callsFunctions = callsFunctions
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        try makeStore(at: temporary.file("store.larder"), storing: types, options: options) { _ in }
    }

    func makeStore(
        at url: URL, storing types: [any DataStoreItem.Type], options: DataStoreOptions,
        changing change: (inout FileStoreOptions) -> Void
    ) throws -> any DataStore {
        var own = SQLiteOptions(durability: .normal)
        own.callsFunctions = callsFunctions
        change(&own.file)
        return SQLiteDataStore(at: url, storing: types, options: own, storeOptions: options)
    }

    func cleanUp() throws { try FileManager.default.removeItem(at: folder) }
}

#if PostgreSQL
    extension PostgreSQLWorld: ConformanceMedium {}
#endif

/// A temporary folder with one LMDB file, in memory if there is room.
struct LMDBWorld: ConformanceFileMedium {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }

    init() throws {
        temporary = try TemporaryFolder(.inMemory)
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        try makeStore(at: temporary.file("store.larder"), storing: types, options: options) { _ in }
    }

    func makeStore(
        at url: URL, storing types: [any DataStoreItem.Type], options: DataStoreOptions,
        changing change: (inout FileStoreOptions) -> Void
    ) throws -> any DataStore {
        var own = LMDBOptions(durability: .none)
        change(&own.file)
        return LMDBDataStore(at: url, storing: types, options: own, storeOptions: options)
    }

    func cleanUp() throws { try FileManager.default.removeItem(at: folder) }
}

/// A place in files whose stores take schema steps in a copy.
struct CopyingWorld: ConformanceFileMedium {
    private let files: any ConformanceFileMedium
    var folder: URL { files.folder }

    init(over files: any ConformanceFileMedium) {
        self.files = files
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        try files.makeStore(storing: types, options: Self.copying(options))
    }

    func makeStore(
        at url: URL, storing types: [any DataStoreItem.Type], options: DataStoreOptions,
        changing change: (inout FileStoreOptions) -> Void
    ) throws -> any DataStore {
        try files.makeStore(at: url, storing: types, options: Self.copying(options), changing: change)
    }

    func cleanUp() throws { try files.cleanUp() }

    private static func copying(_ options: DataStoreOptions) -> DataStoreOptions {
        guard case .automatic = options.schemaUpgrade else { return options }
        var options = options
        options.schemaUpgrade = .copying()
        return options
    }
}

/// A store of two parts, among which the item types are dealt out by their names, or the items of each type by a value.
struct RoutedWorld: ConformanceMedium {
    private let worlds: [any ConformanceMedium]
    private let dealsOutItems: Bool
    private let others: Set<String>?

    /// - Parameters:
    ///   - others: The names of the item types in the second part; nil for every second one.
    ///   - dealsOutItems: True if both parts have all types.
    init(
        _ first: any ConformanceMedium, _ second: any ConformanceMedium, with others: Set<String>? = nil,
        dealsOutItems: Bool = false
    ) {
        worlds = [first, second]
        self.others = others
        self.dealsOutItems = dealsOutItems
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        let parts = try zip(["first", "second"], worlds).map { name, world in
            let own = types.filter { dealsOutItems || isInFirst($0.schema.name) == (name == "first") }
            return StorePart(name, try world.makeStore(storing: own, options: DataStoreOptions()))
        }
        return RoutedDataStore(
            parts, partitionedBy: dealsOutItems ? Self.keys(of: types) : [], storeOptions: options)
    }

    private func isInFirst(_ name: String) -> Bool {
        others.map { !$0.contains(name) } ?? name.utf8.count.isMultiple(of: 2)
    }

    /// A key for each type; types of one name, which the store refuses, have one between them.
    private static func keys(of types: [any DataStoreItem.Type]) -> [PartKey] {
        var names: Set<String> = []
        return types.filter { names.insert($0.schema.name).inserted }.map(key)
    }

    /// Deals out items by their first attribute after the identifier, whose changes move them, or by the identifier.
    private static func key(of type: any DataStoreItem.Type) -> PartKey {
        let storages = type.schema.attributes.prefix(2).map(\.type.storage)
        let column = storages.lastIndex { $0 == .integer || $0 == .text } ?? 0
        return PartKey(of: type, column: column) { value in
            let sum = value.bytes.reduce(value.kind == .integer ? value.bits : 0) { $0 &+ UInt64($1) }
            return sum.isMultiple(of: 2) ? nil : "second"
        }
    }

    func cleanUp() throws { for world in worlds { try world.cleanUp() } }
}

/// A piece of memory for reference stores.
struct ReferenceWorld: ConformanceMedium {
    private let medium = ReferenceMedium()

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        ReferenceDataStore(over: ReferenceAdapter(in: medium), storing: types, options: options)
    }

    func cleanUp() {}
}
