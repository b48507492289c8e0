import CSQLite
import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `Transactions` {
    let store: TestStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = try TestStore(at: folder.file("store.db"), storing: [Recipe.self, Tag.self])
        try store.insert([Recipe(1), Recipe(2), Recipe(3)])
    }

    // MARK: Reading

    @Test func `a reading sees the state of its first request and nothing later`() throws {
        let reading = try store.beginReading()
        try store.insert([Recipe(4)])
        #expect(try reading.count(Recipe.self) == 4)

        try store.insert([Recipe(5)])

        #expect(try reading.count(Recipe.self) == 4)
        #expect(try reading.items(Recipe.self).count == 4)
        #expect(try reading.item(Recipe.self, 5) == nil)
        reading.transaction.end()
        #expect(try store.all(Recipe.self).count == 5)
    }

    @Test func `a reading that begins with one row keeps its snapshot for the next requests`() throws {
        let reading = try store.beginReading()
        #expect(try reading.item(Recipe.self, 1) == Recipe(1))

        try store.write { scope throws in
            try scope.insert([Recipe(4)])
            try scope.delete(Recipe.self, [2])
        }

        #expect(try reading.items(Recipe.self).map(\.id) == [1, 2, 3])
        #expect(try reading.item(Recipe.self, 4) == nil)
        reading.transaction.end()
    }

    @Test func `a reading that begins with a row that is not there keeps its snapshot too`() throws {
        let reading = try store.beginReading()
        #expect(try reading.item(Recipe.self, 4) == nil)

        try store.insert([Recipe(4)])

        #expect(try reading.item(Recipe.self, 4) == nil)
        #expect(try reading.count(Recipe.self) == 3)
        reading.transaction.end()
    }

    #if os(Linux)
        @Test func `a request whose constant finds no memory does not take it for nil`() async throws {
            await #expect(processExitsWith: .success) { [path = folder.file("full.db").path as String] in
                func isOther(_ name: String) -> RowPredicate {
                    .compare(column: Recipe.Column.name, .notEqual, .text(name))
                }
                let store = try TestStore(at: URL(fileURLWithPath: path))
                try store.insert([Recipe(1), Recipe(2)])
                let large = String(repeating: "x", count: 1 << 20)
                let reading = try store.beginReading()
                // The statement is there, so that nothing but the constant needs much memory.
                guard try reading.count(Recipe.self, where: isOther("x")) == 2 else { exit(2) }

                sqlite3_hard_heap_limit64(sqlite3_memory_used() + 1 << 18)
                let failure = code { try reading.count(Recipe.self, where: isOther(large)) }
                sqlite3_hard_heap_limit64(0)

                guard failure == .engine else { exit(3) }
                reading.transaction.end()
                let count = try store.read { try $0.count(Recipe.self, where: isOther(large)) }
                guard count == 2 else { exit(4) }
            }
        }

        @Test func `a reading that ran out of memory reads no other state`() async throws {
            await #expect(processExitsWith: .success) { [path = folder.file("full.db").path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path))
                try store.insert([Recipe(1), Recipe(2)])
                let reading = try store.beginReading()
                let sorted = try reading.plan(Recipe.self, order: [.ascending(Recipe.Column.name)])
                guard try reading.items(Recipe.self, for: sorted).count == 2 else { exit(2) }
                try store.insert([Recipe(3)])

                sqlite3_hard_heap_limit64(sqlite3_memory_used())
                let failure = code { try reading.items(Recipe.self, for: sorted) }
                sqlite3_hard_heap_limit64(0)

                guard failure == .engine else { exit(3) }
                guard code({ try reading.count(Recipe.self) }) == .snapshotLost else { exit(4) }
                guard code({ try reading.item(Recipe.self, 3) }) == .snapshotLost else { exit(5) }
                reading.transaction.end()
                guard try store.all(Recipe.self).count == 3 else { exit(6) }
            }
        }
    #endif

    @Test func `rows are read side by side by cursors of the same request`() throws {
        try store.read { scope throws in
            let plan = try scope.plan(Recipe.self)
            let first = try scope.transaction.rows(for: plan)
            let second = try scope.transaction.rows(for: plan)

            #expect(try first.next(Recipe.self)?.id == 1)
            #expect(try first.next(Recipe.self)?.id == 2)
            #expect(try second.next(Recipe.self)?.id == 1)
            first.close()
            first.close()
            #expect(try second.next(Recipe.self)?.id == 2)
            #expect(try first.next(Recipe.self) == nil)
            second.close()
        }
    }

    @Test func `a cursor gives nothing more after the end of its transaction`() throws {
        let reading = try store.beginReading()
        let cursor = try reading.transaction.rows(for: reading.plan(Recipe.self))
        #expect(try cursor.next(Recipe.self)?.id == 1)

        reading.transaction.end()

        #expect(try cursor.next(Recipe.self) == nil)
        cursor.close()
        #expect(code { try reading.count(Recipe.self) } == .accessorExpired)
    }

    @Test func `a reader of the row that was shown last does not see a later row in its place`() throws {
        let reading = try store.beginReading()
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 5)
        defer { cells.deallocate() }

        #expect(try reading.transaction.row(at: .integer(2), of: 0, into: cells))
        #expect(cells[1].string == "Recipe 2")
        #expect(try !reading.transaction.row(at: .integer(9), of: 0, into: cells))
        #expect(try reading.transaction.row(at: .integer(3), of: 0, into: cells))
        #expect(cells[1].string == "Recipe 3")
        reading.transaction.end()
    }

    // MARK: Writing

    @Test func `a transaction that ends without commit changes nothing`() throws {
        let writing = try store.beginWriting()
        try writing.insert([Recipe(4)])
        #expect(try writing.count(Recipe.self) == 4)

        writing.transaction.end()

        #expect(try store.all(Recipe.self).count == 3)
    }

    @Test func `mutations tell how many rows they touched`() throws {
        try store.write { scope throws in
            #expect(try scope.update(Recipe(1, name: "Soup"), 1) == 1)
            #expect(try scope.update(Recipe(9, name: "Soup"), 1) == 0)
            #expect(try scope.update(Recipe(1), 0) == 0)
            #expect(try scope.delete(Recipe.self, [1, 9]) == 1)
            #expect(try scope.deleteAll(Recipe.self) == 2)
            #expect(try scope.deleteAll(Recipe.self) == 0)
        }
    }

    @Test func `an update changes the columns it names and no others`() throws {
        try store.write { scope throws in
            try scope.update(Recipe(1, name: "Soup", rating: 5, note: "hot"), 2, 4)
            try scope.update(Recipe(2, name: "Cake", rating: 5), 1)
        }

        #expect(
            try store.all(Recipe.self) == [
                Recipe(1, rating: 5, note: "hot"), Recipe(2, name: "Cake"), Recipe(3),
            ])
    }

    @Test func `more sets of columns are updated than statements are kept`() throws {
        try store.write { scope throws in
            for set in 1..<16 {
                for _ in 0..<3 {
                    let columns = (1...4).filter { set & (1 << ($0 - 1)) != 0 }
                    let changed = Recipe(
                        1, name: "n\(set)", rating: Double(set), slug: "s\(set)", note: "o\(set)")
                    try scope.update(changed, columns: columns)
                }
            }
        }

        #expect(
            try store.all(Recipe.self).first == Recipe(1, name: "n15", rating: 15, slug: "s15", note: "o15"))
    }

    @Test func `a second row with an identifier is refused and named and the first ones stay`() throws {
        for count in [3, 40] {
            let writing = try store.beginWriting()
            let rows = (100..<(100 + count)).map { Recipe(Int64($0)) }

            let refused = thrown { try writing.insert(rows + [Recipe(2)] + [Recipe(200)]) }

            #expect(refused?.code == .duplicateIdentifier)
            #expect(refused?.itemType == "Recipe")
            #expect(refused?.identifier == .integer(2))
            #expect(try writing.count(Recipe.self) == 3 + count)
            writing.transaction.end()
        }
    }

    @Test func `a text identifier that is taken is named`() throws {
        try store.insert([Tag("é")])

        let refused = thrown { try store.insert((0..<20).map { Tag("\($0)") } + [Tag("é")]) }

        #expect(refused?.code == .duplicateIdentifier)
        #expect(refused?.identifier == .string("é"))
        #expect(try store.all(Tag.self) == [Tag("é")])
    }

    @Test func `many rows of several types are inserted in their order`() throws {
        try store.write { scope throws in
            try scope.insert((10..<200).map { Recipe(Int64($0)) })
            try scope.insert((0..<33).map { Tag("t\($0)", weight: $0) })
        }

        #expect(try store.all(Recipe.self).count == 193)
        #expect(try store.all(Recipe.self).last == Recipe(199))
        #expect(try store.all(Tag.self).map(\.weight).sorted() == Array(0..<33))
    }

    @Test func `rows may be changed while a cursor reads another type`() throws {
        try store.insert((0..<50).map { Tag("\($0)") })
        try store.write { scope throws in
            let cursor = try scope.transaction.rows(for: scope.plan(Tag.self))
            var count = 0
            while let tag = try cursor.next(Tag.self) {
                try scope.insert([Recipe(Int64(100 + count), name: tag.id)])
                count += 1
            }
            #expect(count == 50)
        }

        #expect(try store.all(Recipe.self).count == 53)
    }

    @Test func `only one write transaction is open at a time`() throws {
        let writing = try store.beginWriting()

        #expect(code { try store.beginWriting() } == .nestedTransaction)

        writing.transaction.end()
        #expect(code { try store.insert([Recipe(4)]) } == nil)
    }

    // MARK: Savepoints

    @Test func `savepoints nest and undo what was done since`() throws {
        try store.write { scope throws in
            let transaction = scope.transaction
            try transaction.setSavepoint()
            try scope.insert([Recipe(4)])
            try transaction.setSavepoint()
            try scope.insert([Recipe(5)])
            try transaction.rollBackToSavepoint()
            #expect(try scope.items(Recipe.self).map(\.id) == [1, 2, 3, 4])
            try transaction.setSavepoint()
            try scope.insert([Recipe(6)])
            try transaction.releaseSavepoint()
            try transaction.releaseSavepoint()
            try transaction.setSavepoint()
            try scope.deleteAll(Recipe.self)
            try transaction.rollBackToSavepoint()
        }

        #expect(try store.all(Recipe.self).map(\.id) == [1, 2, 3, 4, 6])
    }

    @Test func `a cursor reads on after a savepoint was undone`() throws {
        try store.write { scope throws in
            let cursor = try scope.transaction.rows(for: scope.plan(Recipe.self))
            #expect(try cursor.next(Recipe.self)?.id == 1)
            try scope.transaction.setSavepoint()
            try scope.insert([Tag("a")])
            try scope.transaction.rollBackToSavepoint()
            #expect(try cursor.next(Recipe.self)?.id == 2)
            cursor.close()
        }
    }

    // MARK: The end

    @Test func `a transaction is over after its commit`() throws {
        let writing = try store.beginWriting()
        try writing.insert([Recipe(4)])
        try writing.transaction.commit()
        writing.transaction.end()

        #expect(code { try writing.insert([Recipe(5)]) } == .accessorExpired)
        #expect(code { try writing.count(Recipe.self) } == .accessorExpired)
        #expect(try store.all(Recipe.self).count == 4)
    }

    @Test func `a store is not closed while a reading is open`() throws {
        let reading = try store.beginReading()
        _ = try reading.count(Recipe.self)

        #expect(code { try store.adapter.close() } == .nestedTransaction)

        reading.transaction.end()
        #expect(code { try store.adapter.close() } == nil)
        #expect(try folder.names == ["store.db"])
    }
}
