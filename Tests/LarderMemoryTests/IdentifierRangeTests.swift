import Larder
import LarderMemory
import Testing

@testable import LarderKernel

@Suite struct IdentifierRangeTests {
    private static let names = ["\0", "a", "a\0", "aa", "b", "é", String(repeating: "x", count: 200)]
    private static let bounds = ["", "\0\0", "a", "ab", "é", "é\0", String(repeating: "x", count: 600)]

    @Test(arguments: [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual], [true, false])
    func `ranges of text identifiers have the rows of their predicate`(
        comparison: Comparison, isAscending: Bool
    ) throws {
        let items = Self.names.map { Named(id: $0, rank: 0, label: nil) }
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }
        let model = try PlanModel(items)

        for bound in Self.bounds {
            let plan = RequestPlan(
                entity: 0, schema: Named.schema, predicate: .compare(column: 0, comparison, .text(bound)),
                order: [.init(column: 0, isAscending: isAscending)])
            let (lines, found) = try driver.read { reader in
                (try reader.explain(plan), try reader.items(of: Named.self, for: plan))
            }
            #expect(
                lines == [
                    "range of ids where id \(comparison.rawValue) ?" + (isAscending ? "" : " backwards")
                ])
            #expect(found == model.items(for: plan), "\(plan)")
        }
    }

    @Test(arguments: [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual], [true, false])
    func `ranges of text identifiers behind a value of an index have the rows of their predicate`(
        comparison: Comparison, isAscending: Bool
    ) throws {
        let all = Self.names.flatMap { name -> [Named] in
            let longer = (0...2).map { Named(id: name + "\($0)", rank: $0, label: nil) }
            return longer + [Named(id: name, rank: 1, label: nil)]
        }
        let items = all.filter { $0.id.utf8.count <= 200 }
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }
        let model = try PlanModel(items)

        for bound in Self.bounds {
            let plan = RequestPlan(
                entity: 0, schema: Named.schema,
                predicate: .all([
                    .compare(column: 1, .equal, .integer(1)), .compare(column: 0, comparison, .text(bound)),
                ]),
                order: [.init(column: 0, isAscending: isAscending)])
            let (lines, found) = try driver.read { reader in
                (try reader.explain(plan), try reader.items(of: Named.self, for: plan))
            }
            // A text that is not included, or too long for a key, is tested besides.
            let range = comparison == .lessOrEqual ? "" : " and id \(comparison.rawValue) ?"
            #expect(
                lines.first == "index Named(rank) where rank == ?\(range)" + (isAscending ? "" : " backwards")
            )
            #expect(found == model.items(for: plan), "\(plan)")
        }
    }

    @Test(arguments: ["", "\0", "a", "a\0", "ab", "é", "\u{10FFFF}", String(repeating: "x", count: 600)])
    func `a prefix is a range of text identifiers, as far as bounds do not make it smaller`(
        prefix: String
    ) throws {
        let names = Self.names + ["a\0b", "a\u{10FFFF}", "a\u{10FFFF}b", "\u{10FFFF}", "\u{10FFFF}\0"]
        let items = names.map { Named(id: $0, rank: 0, label: nil) }
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }
        let model = try PlanModel(items)
        let begins = RowPredicate.text(
            column: 0, TextTest(.hasPrefix, prefix, ignoresCase: false), negated: false)

        for isAscending in [true, false] {
            func expectRange(_ predicate: RowPredicate, _ condition: String) throws {
                let plan = RequestPlan(
                    entity: 0, schema: Named.schema, predicate: predicate,
                    order: [.init(column: 0, isAscending: isAscending)])
                let (lines, found) = try driver.read { reader in
                    (try reader.explain(plan), try reader.items(of: Named.self, for: plan))
                }
                #expect(lines == ["range of ids where \(condition)" + (isAscending ? "" : " backwards")])
                #expect(found == model.items(for: plan), "\(plan)")
            }
            try expectRange(begins, "id hasPrefix ?")
            for bound in Self.bounds + names {
                for comparison in [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual] {
                    let isBounded = RowPredicate.compare(column: 0, comparison, .text(bound))
                    try expectRange(
                        .all([begins, isBounded]), "id \(comparison.rawValue) ? and id hasPrefix ?")
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `two bounds are two ends`(isAscending: Bool) throws {
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        try driver.write { writer in
            for number in 100..<600 {
                try writer.apply(.insert, Named(id: "\(number)", rank: number, label: nil))
            }
        }
        let plan = RequestPlan(
            entity: 0, schema: Named.schema,
            predicate: .all([
                .compare(column: 0, .greater, .text("250")), .compare(column: 0, .lessOrEqual, .text("253")),
            ]),
            order: [.init(column: 0, isAscending: isAscending)])

        let ranks = try driver.read { try $0.items(of: Named.self, for: plan).map(\.rank) }

        #expect(ranks == (isAscending ? [251, 252, 253] : [253, 252, 251]))
    }
}
