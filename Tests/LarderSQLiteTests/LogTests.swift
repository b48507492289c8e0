import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `The write-ahead log` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private func makeStore(start: Int, gap: Int, gapLimit: Duration = .milliseconds(5)) throws -> TestStore {
        var options = SQLiteOptions.forTests
        options.checkpointPolicy.start = start
        options.checkpointPolicy.gap = gap
        options.checkpointPolicy.gapLimit = gapLimit
        return try TestStore(at: url, options: options)
    }

    private var logBytes: Int {
        get throws { try url.adding("-wal").fileBytes }
    }

    private func commit(_ numbers: Range<Int64>, to store: TestStore) throws {
        for number in numbers { try store.insert([Recipe(number, note: String(repeating: "x", count: 500))]) }
    }

    @Test func `readings are held back for 250 ms at most to empty the log`() {
        #expect(SQLiteOptions().checkpointPolicy.gapLimit == .milliseconds(250))
    }

    @Test func `the log stays small while nobody holds on to it`() throws {
        let store = try makeStore(start: 256 << 10, gap: 4 << 20)

        try commit(0..<600, to: store)

        #expect(try logBytes <= 512 << 10)
        #expect(try store.all(Recipe.self).count == 600)
    }

    @Test func `a long reading makes the log grow and it shrinks when the reading has ended`() throws {
        let store = try makeStore(start: 128 << 10, gap: 512 << 10)
        try commit(0..<1, to: store)
        let reading = try store.beginReading()
        #expect(try reading.count(Recipe.self) == 1)

        try commit(1..<501, to: store)

        #expect(try logBytes > 2 << 20)
        #expect(try reading.items(Recipe.self).count == 1)
        reading.transaction.end()
        try commit(501..<503, to: store)
        #expect(try logBytes < 128 << 10)
        #expect(try store.all(Recipe.self).count == 503)
    }

    @Test func `the log is bounded while readings overlap without end`() throws {
        let store = try makeStore(start: 128 << 10, gap: 512 << 10, gapLimit: .seconds(20))
        let log = url.adding("-wal")
        let isDone = Locked(false)
        let largest = Locked(0)
        let reader: @Sendable () throws -> Void = {
            while !isDone.withLock({ $0 }) {
                let reading = try store.beginReading()
                defer { reading.transaction.end() }
                _ = try reading.items(Recipe.self)
            }
        }
        let writer: @Sendable () throws -> Void = {
            defer { isDone.withLock { $0 = true } }
            for number in 0..<800 {
                try store.insert([Recipe(Int64(number), note: String(repeating: "x", count: 500))])
                let bytes = try log.fileBytes
                largest.withLock { $0 = max($0, bytes) }
            }
        }

        try sideBySide([reader, reader, reader, writer])

        #expect(largest.withLock { $0 } < 1 << 20)
        #expect(try store.all(Recipe.self).count == 800)
    }

    @Test func `a checkpoint empties the log and reports who prevents it`() throws {
        var options = SQLiteOptions.forTests
        options.busyTimeout = .milliseconds(10)
        let store = try TestStore(at: url, options: options)
        try commit(0..<10, to: store)
        let reading = try store.beginReading()
        _ = try reading.count(Recipe.self)
        try commit(10..<20, to: store)

        #expect(code { try store.adapter.checkpoint() } == .busy)

        reading.transaction.end()
        try store.adapter.checkpoint()
        #expect(try logBytes == 0)
        #expect(try store.all(Recipe.self).count == 20)
    }

    @Test func `a cursor that was not read to its end does not hold on to the log`() throws {
        let store = try makeStore(start: 1 << 30, gap: 1 << 30)
        try commit(0..<10, to: store)
        let reading = try store.beginReading()
        let cursor = try reading.transaction.rows(for: reading.plan(Recipe.self))
        #expect(try cursor.next(Recipe.self)?.id == 0)
        reading.transaction.end()

        try commit(10..<20, to: store)
        try store.adapter.checkpoint()

        #expect(try logBytes == 0)
    }
}
