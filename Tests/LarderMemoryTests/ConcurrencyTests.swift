import Foundation
import Larder
import LarderMemory
import Testing

@testable import LarderKernel

@Suite struct ConcurrencyTests {
    @Test func `readers beside a writer see whole commits only`() throws {
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        let plan = RequestPlan(entity: 0, schema: Named.schema)
        let itemCount = 200
        try driver.write { writer in
            for number in 0..<itemCount {
                try writer.apply(.insert, Named(id: "id \(number)", rank: 0, label: nil))
            }
        }

        let seen = Locked<[[Int]]>([])
        let group = DispatchGroup()
        for _ in 0..<4 {
            Self.run(in: group) {
                let commits = try Self.commitsSeen(by: driver, plan, itemCount: itemCount)
                seen.withLock { $0.append(commits) }
            }
        }
        Self.run(in: group) {
            for commit in 1...100 { try Self.commit(commit, in: driver, itemCount: itemCount) }
        }
        group.wait()

        #expect(seen.withLock { $0.count } == 4)
        #expect(seen.withLock { $0.allSatisfy { $0 == $0.sorted() } })
        let last = try driver.read { try $0.items(of: Named.self, for: plan) }
        #expect(Set(last.map(\.rank)) == [100])
    }

    /// Runs a body on a thread of its own: the tasks of a pool would wait for each other.
    private static func run(in group: DispatchGroup, _ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            group.leave()
        }
    }

    /// Reads until the last commit is seen; each snapshot must show one commit in all rows.
    private static func commitsSeen(
        by driver: SeamDriver, _ plan: RequestPlan, itemCount: Int
    ) throws -> [Int] {
        var seen: [Int] = []
        while seen.last != 100 {
            try driver.read { reader in
                let ranks = try reader.items(of: Named.self, for: plan).map(\.rank)
                let commits = Set(ranks)
                #expect(ranks.count == itemCount)
                #expect(commits.count == 1)
                seen.append(commits.first ?? -1)
                let byIndex = RequestPlan(
                    entity: 0, schema: Named.schema,
                    predicate: .compare(column: 1, .equal, .integer(Int64(commits.first ?? -1))))
                let count = try reader.count(for: byIndex)
                #expect(count == itemCount)
            }
        }
        return seen
    }

    private static func commit(_ commit: Int, in driver: SeamDriver, itemCount: Int) throws {
        try driver.write { writer in
            for number in 0..<itemCount {
                try writer.apply(
                    .update, Named(id: "id \(number)", rank: commit, label: nil), columns: [1])
            }
        }
    }
}
