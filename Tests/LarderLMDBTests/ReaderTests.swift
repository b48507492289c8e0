import Foundation
import Larder
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `Many readers and one writer` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    @Test func `more readings are open at once than LMDB has places for by itself`() throws {
        let store = try TestStore(at: url, options: LMDBOptions(durability: .none, maximumReaders: 400))
        try store.insert([Recipe(1)])

        let readings = try (0..<400).map { _ in try store.beginReading() }
        #expect(try readings.allSatisfy { try $0.count(Recipe.self) == 1 })
        for reading in readings { reading.transaction.end() }

        try store.insert([Recipe(2)])
        #expect(try store.all(Recipe.self).count == 2)
    }

    @Test func `readings beyond the places of the lock file end as busy and work again later`() throws {
        var options = LMDBOptions(durability: .none, busyTimeout: .milliseconds(20))
        options.readerPlaces = 5
        let store = try TestStore(at: url, options: options)
        try store.insert([Recipe(1)])
        var readings: [ReadScope] = []

        let refused = thrown { while readings.count < 50 { readings.append(try store.beginReading()) } }

        #expect(refused?.code == .busy)
        #expect(refused?.underlying?.code == -30790)
        let count = readings.count
        #expect(count > 0 && count < 50)
        readings.removeLast().transaction.end()
        let again = try store.beginReading()
        #expect(try again.count(Recipe.self) == 1)
        for reading in readings + [again] { reading.transaction.end() }
    }

    @Test func `a reading beyond the places of the lock file waits for one to end`() throws {
        var options = LMDBOptions(durability: .none, busyTimeout: .seconds(60))
        options.readerPlaces = 2
        let store = try TestStore(at: url, options: options)
        try store.insert([Recipe(1)])
        let counts = Locked<[Int]>([])
        let reader: @Sendable () throws -> Void = {
            for _ in 0..<20 {
                let count = try store.all(Recipe.self).count
                counts.withLock { $0.append(count) }
            }
        }

        try sideBySide(Array(repeating: reader, count: 8))

        #expect(counts.withLock { $0 } == Array(repeating: 1, count: 160))
    }

    #if os(Linux) || os(macOS)
        private static var fewPlaces: LMDBOptions {
            var options = LMDBOptions(durability: .none, busyTimeout: .milliseconds(20))
            options.readerPlaces = 2
            return options
        }

        /// Takes all places that are free, in a process that is then killed.
        private static func takePlaces(_ path: String) async {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path), options: Self.fewPlaces)
                var readings: [ReadScope] = []
                let refused = code { while readings.count < 50 { readings.append(try store.beginReading()) } }
                guard refused == .busy else { exit(2) }
                kill(getpid(), SIGKILL)
            }
        }

        @Test func `places of killed processes are free for an opening and for a reading`() async throws {
            // LMDB itself frees them only if no process has the store open.
            let store = try TestStore(at: url, options: Self.fewPlaces)
            try store.insert([Recipe(1)])

            await Self.takePlaces(url.path)
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path), options: Self.fewPlaces)
                guard try store.all(Recipe.self) == [Recipe(1)] else { exit(2) }
            }

            await Self.takePlaces(url.path)
            let readings = try (0..<2).map { _ in try store.beginReading() }
            #expect(try readings.allSatisfy { try $0.count(Recipe.self) == 1 })
            for reading in readings { reading.transaction.end() }
        }
    #endif

    @Test func `a reading may end on another thread than it began on`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let reading = Locked<ReadScope?>(nil)

        try sideBySide([
            {
                let begun = try store.beginReading(); reading.withLock { $0 = begun }
            }
        ])
        let count = try reading.withLock { try $0?.count(Recipe.self) }
        reading.withLock { $0?.transaction.end() }

        #expect(count == 1)
        try store.insert([Recipe(2)])
    }

    @Test func `writers of several threads follow each other`() throws {
        let store = try TestStore(at: url)
        let turn = Lock()
        let writer: @Sendable (Int64) throws -> Void = { thread in
            for number in 0..<50 {
                try turn.withLock { try store.insert([Recipe(thread * 100 + Int64(number))]) }
            }
        }

        try sideBySide((0..<4).map { thread in { try writer(Int64(thread)) } })

        #expect(try store.all(Recipe.self).count == 200)
    }

    @Test func `a second write transaction is refused while one is open`() throws {
        let store = try TestStore(at: url)
        let writing = try store.beginWriting()

        #expect(code { try store.beginWriting() } == .nestedTransaction)

        writing.transaction.end()
        try store.insert([Recipe(1)])
    }

    @Test func `a write transaction that is committed on another thread is refused`() throws {
        let store = try TestStore(at: url)
        let writing = Locked<WriteScope?>(nil)
        let refused = Locked<DataStoreError.Code?>(nil)
        let begun = Locked(false)
        let tried = Locked(false)

        try sideBySide([
            {
                let scope = try store.beginWriting()
                try scope.insert([Recipe(1)])
                writing.withLock { $0 = scope }
                begun.withLock { $0 = true }
                while !tried.withLock({ $0 }) {}
                writing.withLock { $0?.transaction.end() }
            },
            {
                while !begun.withLock({ $0 }) {}
                let result = writing.withLock { scope in code { try scope?.transaction.commit() } }
                refused.withLock { $0 = result }
                tried.withLock { $0 = true }
            },
        ])

        #expect(refused.withLock { $0 } == .engine)
        #expect(try store.all(Recipe.self).isEmpty)
        try store.insert([Recipe(2)])
    }
}
