import Foundation
import Larder
import LarderKeyValue
import LarderMemory
import Testing

@testable import func AdapterTestSupport.code
@testable import LarderKernel
@testable import AdapterTestSupport

@Suite struct CursorTests {
    private let storage = MemoryStorage()
    private let ascending = RequestPlan(entity: 0, schema: Named.schema)
    private let byRank = RequestPlan(
        entity: 0, schema: Named.schema, order: [.init(column: 1, isAscending: false)])

    @Test func `several cursors are open side by side`() throws {
        let driver = try filledDriver(count: 500)

        try driver.read { reader in
            let cursors = [try reader.rows(for: ascending), try reader.rows(for: byRank)]
            var cells = [Cell](repeating: .null, count: 3)
            var ranks: [[Int64]] = [[], []]
            for _ in 0..<500 {
                for (position, cursor) in cursors.enumerated() {
                    guard try cursor.next(into: &cells) else { continue }
                    ranks[position].append(cells[1].integer)
                }
            }
            #expect(ranks[0] == Array(0..<500))
            #expect(ranks[1] == Array((0..<500).reversed()))
        }
    }

    @Test func `a cursor goes on while rows of others are written and taken back`() throws {
        let driver = try filledDriver(count: 300)
        let byIndex = RequestPlan(
            entity: 0, schema: Named.schema,
            predicate: .isIn(
                column: 1, (0..<300).map { .integer($0) }, negated: false))

        try driver.write { writer in
            for plan in [ascending, byRank, byIndex] {
                let cursor = try writer.rows(for: plan)
                var cells = [Cell](repeating: .null, count: 3)
                var random = Seed.ofProcess()
                var count = 0
                while try cursor.next(into: &cells) {
                    #expect(cells[2].string == "label of " + cells[0].string)
                    try writer.setSavepoint()
                    try writer.apply(.insert, Sample.random(Int64(count), using: &random), entity: 1)
                    if count % 2 == 0 {
                        try writer.rollBackToSavepoint()
                    } else {
                        try writer.releaseSavepoint()
                    }
                    count += 1
                }
                cursor.close()
                #expect(count == 300)
                _ = try writer.deleteAll(entity: 1)
            }
        }
    }

    @Test func `a cursor may be closed early and twice`() throws {
        let driver = try filledDriver(count: 10)

        try driver.read { reader in
            for plan in [ascending, byRank] {
                let cursor = try reader.rows(for: plan)
                var cells = [Cell](repeating: .null, count: 3)
                _ = try cursor.next(into: &cells)
                cursor.close()
                cursor.close()
                let hasMore = try cursor.next(into: &cells)
                #expect(!hasMore)
            }
        }
    }

    @Test func `a damaged row is refused`() throws {
        let driver = try filledDriver(count: 3)
        let transaction = try MemoryEngine(in: storage).beginWriting()
        let rows = try #require(try transaction.table(named: "e1", .bytes))
        try Array("id 001".utf8).withUnsafeBytes { key in
            _ = try transaction.put(key, at: key, in: rows, overwrites: true)
        }
        try transaction.commit()
        let filtered = RequestPlan(
            entity: 0, schema: Named.schema, predicate: .compare(column: 1, .greater, .integer(-1)))

        try driver.read { reader in
            for plan in [ascending, byRank, filtered] {
                let refusal = code {
                    _ = try reader.items(of: Named.self, for: plan)
                }
                #expect(refusal == .damaged)
            }
            #expect(code({ _ = try reader.item(Named.self, .text("id 001")) }) == .damaged)
        }
    }

    @Test func `an index entry without its row is damage`() throws {
        let driver = try filledDriver(count: 3)
        let transaction = try MemoryEngine(in: storage).beginWriting()
        let rows = try #require(try transaction.table(named: "e1", .bytes))
        _ = try Array("id 001".utf8).withUnsafeBytes { try transaction.delete($0, in: rows) }
        try transaction.commit()
        let plan = RequestPlan(
            entity: 0, schema: Named.schema, predicate: .compare(column: 1, .equal, .integer(1)))

        let error = #expect(throws: DataStoreError.self) {
            try driver.read { _ = try $0.items(of: Named.self, for: plan) }
        }

        #expect(error?.code == .damaged)
        #expect(error?.identifier == .string("id 001"))
    }

    private func filledDriver(count: Int) throws -> SeamDriver {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: Named.self, Sample.self)
        try driver.write { writer in
            for rank in 0..<count {
                let id = "id " + String(format: "%03d", rank)
                try writer.apply(.insert, Named(id: id, rank: rank, label: "label of \(id)"))
            }
        }
        return driver
    }
}
