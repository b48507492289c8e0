import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A damaged store is upgraded in a copy, or refused as what it is: its damage is no fault of the copy or of the disk.
struct UpgradeDamageTests {
    private static let entries = (1...100 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))

    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("store")
    }

    private static func pageBytes(_ engine: Engine) -> Int { engine == .sqlite ? 1024 : 4096 }

    private func makeStore(_ engine: Engine, upTo count: Int) -> any DataStore {
        let history = EntryHistory.history(upTo: count) { _ in }
        var options = DataStoreOptions()
        options.schemaUpgrade = .copying()
        return switch engine {
        case .sqlite:
            SQLiteDataStore(
                at: file, storing: history,
                options: SQLiteOptions(durability: .none, pageBytes: Self.pageBytes(engine)),
                storeOptions: options)
        case .lmdb:
            // LMDB trusts its pages: it would end the process.
            LMDBDataStore(
                at: file, storing: history,
                options: LMDBOptions(durability: .none, verification: .structure), storeOptions: options)
        case .postgresql: ServerPlace.makeStore(at: file, storing: history, storeOptions: options)
        }
    }

    private func makeOriginal(_ engine: Engine) throws -> [UInt8] {
        let store = makeStore(engine, upTo: 1)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Self.entries) }
        try store.tearDown()
        return [UInt8](try Data(contentsOf: file))
    }

    private func names() throws -> [String] {
        try folder.names.filter { !$0.hasSuffix("-lock") && !$0.hasSuffix("-writer") }
    }

    /// The errors of a store that cannot be used.
    private static let refusals: Set<DataStoreError.Code> = [
        .damaged, .notADatabase, .foreignStore, .newerFormat, .schemaMismatch,
    ]

    @Test(arguments: Engine.inFiles)
    func `a store damaged at random is upgraded, or refused with its own name and left as it was`(
        _ engine: Engine
    ) throws {
        var random = Seed.ofProcess()
        let original = try makeOriginal(engine)
        var codes: [String: Int] = [:]

        for round in Repetitions.rounds(40, long: 4400) {
            var bytes = original
            let damage = FileDamage(of: &bytes, pageBytes: Self.pageBytes(engine), &random)
            let comment: Comment = "\(engine), round \(round), \(random): \(damage)"
            for name in try folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
            try Data(bytes).write(to: file)
            let store = makeStore(engine, upTo: 3)

            let error = thrown { try store.setup() }

            codes[error?.code.rawValue ?? "upgraded", default: 0] += 1
            if let error {
                #expect(Self.refusals.contains(error.code), "\(comment): \(error)")
                #expect(error.path == file.path, comment)
                #expect(try Data(contentsOf: file) == Data(bytes), comment)
            } else {
                try store.tearDown()
                #expect(try engine.address(at: file).storedSchema()?.version == "3", comment)
            }
            #expect(try names() == ["store"], comment)
        }

        print("\(engine): \(codes.sorted { $0.key < $1.key })")
        let rounds = codes.values.reduce(0, +)
        #expect(codes["upgraded", default: 0] > rounds / 20)
        #expect(codes["damaged", default: 0] > rounds / 5)
    }

    /// No page is wrong then, and SQLite's own checks find nothing.
    @Test func `an index that SQLite has filed under a name in another case is damage`() throws {
        var bytes = try makeOriginal(.sqlite)
        let filed = Array("larder_index_Entry(block)Entry".utf8)
        let place = try #require((0..<1024).first { bytes[$0...].starts(with: filed) })
        bytes[place + filed.count - 1] ^= 0x20
        try Data(bytes).write(to: file)

        let error = thrown { try makeStore(.sqlite, upTo: 3).setup() }

        #expect(error?.code == .damaged)
        #expect(
            error?.message
                == "The structure of the file is wrong: index larder_index_Entry(block) is filed under EntrY."
        )
        #expect(error?.path == file.path)
        #expect(try Data(contentsOf: file) == Data(bytes))
        #expect(try names() == ["store"])
    }
}
