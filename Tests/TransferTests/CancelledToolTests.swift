import Foundation
import Larder
import LarderFiles
import LarderLMDB
import LarderRecords
import LarderSQLite
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// What takes long leaves everything as it was in a task that was cancelled.
struct CancelledToolTests {
    private let folder: TemporaryFolder
    private static let count = 5_000

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The tools of an engine.
    enum Tool: CaseIterable {
        case check, backup, compact

        func run(on store: any DataStore, backup: URL) throws {
            switch (self, store) {
            case (.check, let store as SQLiteDataStore): _ = try store.checkIntegrity()
            case (.check, let store as LMDBDataStore): _ = try store.checkIntegrity()
            case (.backup, let store as SQLiteDataStore): try store.backup(to: backup)
            case (.backup, let store as LMDBDataStore): try store.backup(to: backup)
            case (.compact, let store as SQLiteDataStore): try store.compact()
            case (.compact, let store as LMDBDataStore):
                // A store of LMDB is compacted while nobody has it open.
                try store.tearDown()
                try store.compact()
            default: Issue.record("\(store) has no tools")
            }
        }

        /// The form that is awaited.
        func runAsync(on store: any FileDataStore, backup: URL) async throws {
            switch (self, store) {
            case (.check, _): _ = try await store.checkIntegrityAsync()
            case (.backup, _): try await store.backupAsync(to: backup)
            case (.compact, let store as SQLiteDataStore): try await store.compactAsync()
            case (.compact, let store as LMDBDataStore):
                try await store.tearDownAsync()
                try await store.compactAsync()
            default: Issue.record("\(store) has no tools")
            }
        }
    }

    @Test(arguments: Engine.files, Tool.allCases)
    func `a tool in a cancelled task says so and changes nothing`(_ engine: Engine, _ tool: Tool) async throws
    {
        let place = folder.place(engine, "store")
        let store = place.makeStore(storing: [Keyed<Int64>.self])
        try store.setup()
        try await store.writeAsync { accessor in
            try accessor.insert(contentsOf: (0..<Self.count).map { Keyed(Int64($0), label: "\($0)") })
        }
        let names = try folder.names
        let backup = folder.file("backup")

        let error = await thrownWhenCancelled { try tool.run(on: store, backup: backup) }

        #expect(error?.code == .cancelled, "\(error?.description ?? "nothing was thrown")")
        #expect(error?.advice == "Repeat it; nothing was changed.")
        #expect(try folder.names.filter { !names.contains($0) } == [])
        try store.tearDown()
        try store.setup()
        #expect(try store.read { try $0.countItems(for: Keyed<Int64>.all) } == Self.count)
        try tool.run(on: store, backup: backup)
        try store.tearDown()
    }

    @Test(arguments: Engine.files, Tool.allCases)
    func `an awaited tool stops with its task, and changes nothing`(_ engine: Engine, _ tool: Tool)
        async throws
    {
        let place = folder.place(engine, "store")
        let store = try #require(place.makeStore(storing: [Keyed<Int64>.self]) as? any FileDataStore)
        try store.setup()
        try await store.writeAsync { accessor in
            try accessor.insert(contentsOf: (0..<Self.count).map { Keyed(Int64($0), label: "\($0)") })
        }
        let names = try folder.names
        let backup = folder.file("backup")

        let error = await thrownWhenCancelled(awaiting: {
            try await tool.runAsync(on: store, backup: backup)
        })

        #expect(error?.code == .cancelled, "\(error?.description ?? "nothing was thrown")")
        #expect(try folder.names.filter { !names.contains($0) } == [])
        try await store.tearDownAsync()
        try store.setup()
        #expect(try store.read { try $0.countItems(for: Keyed<Int64>.all) } == Self.count)
        try await tool.runAsync(on: store, backup: backup)
        try await store.tearDownAsync()
    }

    @Test(arguments: Engine.files)
    func `a cut-over in a cancelled task moves nothing, there or back`(_ engine: Engine) async throws {
        let (source, _, cutOver) = try folder.copied(engine)
        let files = source.files

        let finalizing = await thrownWhenCancelled { try cutOver.finalize() }
        #expect(finalizing?.code == .cancelled)
        #expect(source.files == files)
        #expect(source.filesAside == [])
        try cutOver.finalize()

        let rollingBack = await thrownWhenCancelled { try cutOver.rollBack() }
        #expect(rollingBack?.code == .cancelled)
        #expect(source.files == [""])
        #expect(source.filesAside == files)
        try cutOver.rollBack()
        #expect(source.files == files)
    }

    @Test(arguments: Engine.files)
    func `an import that fails after a commit says how much of it is stored`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try place.withStore(storing: [Keyed<Int64>.self]) { _ in }
        let mapping = try Self.mapping()
        let records = Self.records([1, 2, 3, 4, 1])

        let error = thrown {
            try UntypedImport(into: place.address, committingEvery: 2).run(JSONRecords(records), by: mapping)
        }

        #expect(error?.code == .duplicateIdentifier)
        #expect(
            error?.advice
                == "\(DataStoreError(.duplicateIdentifier, "").advice) The first 4 sources are imported: "
                + "repeat it by a key, or with the others alone.")
    }

    @Test(arguments: Engine.files)
    func `an import that is cancelled after a commit says how much of it is stored`(_ engine: Engine)
        async throws
    {
        let place = folder.place(engine, "store")
        try place.withStore(storing: [Keyed<Int64>.self]) { _ in }
        let address = place.address
        let mapping = try Self.mapping()
        let records = Self.records(Array(1...6))

        let error = await Task {
            thrown {
                try UntypedImport(into: address, committingEvery: 2)
                    .run(JSONRecords(records), by: mapping) { progress in
                        if progress.done == 4 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
            }
        }.value

        #expect(error?.code == .cancelled, "\(error?.description ?? "nothing was thrown")")
        #expect(
            error?.advice
                == "The first 4 sources are imported: repeat it by a key, or with the others alone.")
        try place.withStore(storing: [Keyed<Int64>.self]) { store in
            let count = try store.read { try $0.countItems(for: Keyed<Int64>.all) }
            #expect(count == 4)
        }
    }

    /// A mapping without a key, so that each record inserts an item.
    private static func mapping() throws -> ImportMapping {
        try ImportMapping(
            json: Data(#"{"entity": "Keyed by Int64", "values": {"id": "n", "rank": "n"}}"#.utf8))
    }

    private static func records(_ numbers: [Int]) -> Data {
        Data(numbers.map { "{\"n\": \($0)}" }.joined(separator: "\n").utf8)
    }
}
