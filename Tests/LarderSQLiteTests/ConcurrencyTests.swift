import Larder
import LarderSQLite
import Testing

import struct Foundation.URL
@testable import AdapterTestSupport

@Suite struct `Many readers and one writer` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    @Test func `the option limits how many blocks read at once`() {
        let store = SQLiteDataStore(at: url, storing: [], options: SQLiteOptions(maximumReaders: 2))

        #expect(store.coordinator.adapter.maximumReaders == 2)
    }

    @Test func `every reader sees whole transactions while one writes`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1, rating: 0), Recipe(2, rating: 0)])
        let isDone = Locked(false)
        let torn = Locked(0)
        let reader: @Sendable () throws -> Void = {
            while !isDone.withLock({ $0 }) {
                try store.read { scope throws in
                    let first = try scope.item(Recipe.self, 1)?.rating
                    let second = try scope.items(Recipe.self).last?.rating
                    if first != second { torn.withLock { $0 += 1 } }
                }
            }
        }
        let writer: @Sendable () throws -> Void = {
            defer { isDone.withLock { $0 = true } }
            for number in 1...300 {
                try store.write { scope throws in
                    try scope.update(Recipe(1, rating: Double(number)), 2)
                    try scope.update(Recipe(2, rating: Double(number)), 2)
                }
            }
        }

        try sideBySide([reader, reader, reader, writer])

        #expect(torn.withLock { $0 } == 0)
        #expect(try store.all(Recipe.self).map(\.rating) == [300, 300])
    }

    @Test func `more shapes of requests are asked than statements are kept`() throws {
        let store = try TestStore(at: url)
        try store.insert((1...400).map { Recipe($0) })

        try store.read { scope throws in
            for round in 0..<2 {
                for length in 2...300 {
                    let list = (1...length).map { Constant.integer(Int64($0)) }
                    let isIn = RowPredicate.isIn(column: 0, list, negated: round == 1)
                    #expect(try scope.count(Recipe.self, where: isIn) == (round == 0 ? length : 400 - length))
                }
            }
        }
    }
}
