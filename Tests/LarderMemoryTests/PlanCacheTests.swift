import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport

@testable import LarderEngine
@testable import LarderKernel
@testable import LarderKeyValue

/// Requests of one shape share one plan, and each gives the rows of its own values.
@Suite struct PlanCacheTests {
    private static let long = String(repeating: "long ", count: 120)
    private static let texts = ["", "\0", "a", "a\0b", "é", long, long + "a", long + "b"]
    private static let numbers: [Double] = [
        -.infinity, 0, .leastNonzeroMagnitude, 2.5, .greatestFiniteMagnitude, .infinity,
    ]
    private static let integers: [Int64] = [.min, -1, 0, 1, .max]

    /// Predicates that differ in their values only, a list for each shape.
    private static let shapes: [(name: String, predicates: [RowPredicate])] = [
        ("text ==", texts.map { .compare(column: 1, .equal, .text($0)) }),
        ("text >=", texts.map { .compare(column: 1, .greaterOrEqual, .text($0)) }),
        ("text <", texts.map { .compare(column: 1, .less, .text($0)) }),
        ("optional text ==", texts.map { .compare(column: 2, .equal, .text($0)) }),
        (
            "prefix",
            texts.map { .text(column: 1, TextTest(.hasPrefix, $0, ignoresCase: false), negated: false) }
        ),
        (
            "two texts",
            texts.map {
                .all([.compare(column: 2, .equal, .text("a")), .compare(column: 1, .equal, .text($0))])
            }
        ),
        ("list of two", texts.dropFirst().map { .isIn(column: 1, [.text(""), .text($0)], negated: false) }),
        ("real ==", numbers.map { .compare(column: 3, .equal, .real($0)) }),
        (
            "real span",
            numbers.map {
                .all([.compare(column: 3, .greater, .real(-1)), .compare(column: 3, .lessOrEqual, .real($0))])
            }
        ),
        ("unsigned >", [0, 1, 1 << 63, .max].map { .compare(column: 7, .greater, .unsigned($0)) }),
        (
            "flag and count",
            integers.map {
                .all([
                    .compare(column: 6, .equal, .integer(1)),
                    .compare(column: 5, .greaterOrEqual, .integer($0)),
                ])
            }
        ),
        ("id ==", integers.map { .compare(column: 0, .equal, .integer($0)) }),
        ("id <", integers.map { .compare(column: 0, .less, .integer($0)) }),
        (
            "ids",
            integers.dropFirst().map { .isIn(column: 0, [.integer(.min), .integer($0)], negated: false) }
        ),
        (
            "union",
            texts.map {
                .any([.compare(column: 1, .equal, .text($0)), .compare(column: 5, .equal, .integer(1))])
            }
        ),
        (
            "union of indexes",
            texts.map {
                .any([.compare(column: 1, .equal, .text($0)), .compare(column: 0, .equal, .integer(3))])
            }
        ),
        ("scan", numbers.map { .compare(column: 4, .notEqual, .real($0)) }),
    ]

    private static let orders: [[RequestPlan.SortTerm]] = [
        [], [.init(column: 0, isAscending: false)], [.init(column: 1, isAscending: true)],
        [.init(column: 4, isAscending: false)],
    ]

    @Test(arguments: shapes.indices)
    func `requests of one shape are planned once and give their own rows`(number: Int) throws {
        let (name, predicates) = Self.shapes[number]
        let (driver, model) = try filledStore()

        for order in Self.orders {
            try driver.read { (reader: any StorageReading) throws in
                let before = try madePlans(reader)
                for predicate in predicates + predicates.reversed() {
                    let plan = RequestPlan(
                        entity: 0, schema: Sample.schema, predicate: predicate, order: order)
                    #expect(try reader.items(of: Sample.self, for: plan) == model.items(for: plan), "\(name)")
                    #expect(try reader.count(for: plan) == model.items(for: plan).count, "\(name)")
                }
                #expect(try madePlans(reader) - before == 2, "one for rows and one for counts: \(name)")
            }
        }
    }

    @Test func `values that could change the choice are part of the shape`() throws {
        let (driver, model) = try filledStore()
        let isA = RowPredicate.compare(column: 2, .equal, .text("a"))
        let predicates: [RowPredicate] = [
            isA, .isNull(column: 2), .isNotNull(column: 2), isA, .isIn(column: 2, [], negated: false),
            .isIn(column: 2, [.text("a")], negated: false),
            .isIn(column: 2, [.text("a"), .text("é")], negated: false),
            .isIn(column: 2, [.text(""), .text("a"), .text("é")], negated: false), .always(false), isA,
        ]

        try driver.read { (reader: any StorageReading) throws in
            for order in [[], [RequestPlan.SortTerm(column: 1, isAscending: true)]] {
                let before = try madePlans(reader)
                for limit in [nil, 0, 2, 0, nil] {
                    for predicate in predicates {
                        let plan = RequestPlan(
                            entity: 0, schema: Sample.schema, predicate: predicate, order: order, limit: limit
                        )
                        let expected = model.items(for: plan)
                        #expect(try reader.items(of: Sample.self, for: plan) == expected, "\(plan)")
                        #expect(try reader.count(for: plan) == expected.count, "\(plan)")
                    }
                }
                // Eight predicates, without a limit, with one and with an empty window, for rows and for counts.
                #expect(try madePlans(reader) - before == 8 * 3 * 2)
            }
        }
    }

    @Test func `windows of one shape are planned once`() throws {
        let (driver, model) = try filledStore()

        try driver.read { (reader: any StorageReading) throws in
            for order in Self.orders {
                let before = try madePlans(reader)
                for (offset, limit) in [(1, 1), (3, 2), (1, 40), (40, 1), (1, .max), (.max, 1), (2, 3)] {
                    let plan = RequestPlan(
                        entity: 0, schema: Sample.schema, order: order, offset: offset, limit: limit)
                    #expect(try reader.items(of: Sample.self, for: plan) == model.items(for: plan), "\(plan)")
                }
                #expect(try madePlans(reader) - before == 1)
            }
        }
    }

    @Test func `plans are kept from block to block and no more than the cache holds`() throws {
        let (driver, model) = try filledStore()
        let reader = try driver.adapter.beginReading()
        let columns = Sample.schema.attributes.indices.map { $0 }
        func plan(_ number: Int) -> RequestPlan {
            RequestPlan(
                entity: 0, schema: Sample.schema, columns: .all,
                predicate: .any(
                    (0...number).map { .compare(column: columns[$0 % 2 == 0 ? 5 : 0], .equal, .integer(1)) }))
        }

        for number in 0..<(SnapshotReader.planCapacity + 10) {
            let plan = plan(number)
            #expect(try reader.items(of: Sample.self, for: plan) == model.items(for: plan))
        }
        #expect(try madePlans(reader) == SnapshotReader.planCapacity + 10)
        reader.end()
        #expect(try reader.beginAgain())

        // The plan 10 is the oldest one that is kept; once it is used again, the plan 11 goes before it.
        for number in [SnapshotReader.planCapacity + 9, 10] {
            _ = try reader.items(of: Sample.self, for: plan(number))
            #expect(try madePlans(reader) == SnapshotReader.planCapacity + 10)
        }
        for number in [0, 10] {
            _ = try reader.items(of: Sample.self, for: plan(number))
            #expect(try madePlans(reader) == SnapshotReader.planCapacity + 11)
        }
        _ = try reader.items(of: Sample.self, for: plan(11))
        #expect(try madePlans(reader) == SnapshotReader.planCapacity + 12)
        reader.end()
    }

    @Test func `a reader keeps no cursors of many shapes, but those that are in use`() throws {
        let (driver, model) = try filledStore()
        let reading = try driver.adapter.beginReading()
        defer { reading.end() }
        let reader = try #require(reading as? SnapshotReader)
        let all = RequestPlan(entity: 0, schema: Sample.schema)
        let rows = try reader.rows(for: all)
        var cells = [Cell](repeating: .null, count: Sample.schema.attributes.count)
        var count = 0
        while count < 5, try rows.next(into: &cells) { count += 1 }

        // The length of a list is part of the shape.
        for length in 1...(10 * SnapshotReader.planCapacity / 8) {
            let predicate = RowPredicate.isIn(
                column: 0, (0..<length).map { .integer(Int64($0)) }, negated: false)
            for column in 1...4 {
                for isAscending in [true, false] {
                    let order = RequestPlan.SortTerm(column: column, isAscending: isAscending)
                    let plan = RequestPlan(
                        entity: 0, schema: Sample.schema, predicate: predicate, order: [order])
                    #expect(try reader.items(of: Sample.self, for: plan).count == min(length, 60))
                }
            }
        }

        #expect(try madePlans(reader) == 10 * SnapshotReader.planCapacity + 1)
        #expect(reader.held.count <= 2 * SnapshotReader.planCapacity)
        while try rows.next(into: &cells) { count += 1 }
        #expect(count == model.items(for: all).count)
        rows.close()
    }

    @Test func `a cursor keeps no memory that only a large request has needed`() throws {
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        let writing = try driver.adapter.beginWriting()
        defer { writing.end() }
        // The texts are cut in the index, so that all but the first are one run.
        let label = String(repeating: "x", count: 500)
        let first = String(repeating: "a", count: 1 << 20)
        try writing.apply(.insert, Named(id: "1", rank: 1, label: first))
        var identifiers: [Constant] = []
        for rank in 10_000..<20_000 {
            try writing.apply(.insert, Named(id: "\(rank)", rank: rank, label: label + "\(rank)"))
            identifiers.append(.text("\(rank)"))
        }
        let named = RowPredicate.isIn(column: 0, identifiers, negated: false)
        func plan(_ predicate: RowPredicate, sortedBy columns: Int...) -> RequestPlan {
            RequestPlan(
                entity: 0, schema: Named.schema, predicate: predicate,
                order: columns.map { RequestPlan.SortTerm(column: $0, isAscending: true) })
        }
        let plans: [(name: String, plan: RequestPlan, count: Int)] = [
            ("sorted rows", plan(.always(true), sortedBy: 2), 10_001),
            ("runs of an index", plan(.always(true), sortedBy: 2, 1), 10_001),
            ("identifiers", plan(named), 10_000),
            ("a union", plan(.any([named, .compare(column: 1, .equal, .integer(1))])), 10_001),
        ]
        let writer = try #require(writing as? SnapshotReader)
        var cells = [Cell](repeating: .null, count: 3)

        for (name, request, expected) in plans {
            let rows = writer.idleRows(for: request, isCounting: false)
            try rows.begin(request)
            var count = 0
            while try rows.next(into: &cells) { count += 1 }
            #expect(count == expected, "\(name)")
            #expect(rows.keptBytes > 128 << 10, "\(name)")
            rows.close()
            #expect(rows.keptBytes < 128 << 10, "\(name)")
        }
    }

    @Test func `a walk in a transaction keeps two runs of cut texts, however many there are`() throws {
        let driver = try SeamDriver(MemoryAdapter(), storing: Named.self)
        let writing = try driver.adapter.beginWriting()
        defer { writing.end() }
        // Each is cut in the index behind a beginning of its own, and so is a run.
        let end = String(repeating: "x", count: 600)
        for rank in 100..<400 {
            try writing.apply(.insert, Named(id: "\(rank)", rank: rank, label: "\(rank)" + end))
        }
        let plan = RequestPlan(
            entity: 0, schema: Named.schema,
            order: [2, 1].map { RequestPlan.SortTerm(column: $0, isAscending: true) })
        let writer = try #require(writing as? SnapshotReader)
        let rows = writer.idleRows(for: plan, isCounting: false)
        var cells = [Cell](repeating: .null, count: 3)
        var ranks: [Int64] = []
        var most = 0

        try rows.begin(plan)
        while try rows.next(into: &cells) {
            ranks.append(cells[1].integer)
            most = max(most, rows.keptBytes)
        }
        rows.close()

        #expect(ranks == Array(100..<400))
        // The row of each run and the row after it, each in a chunk of 1,024 bytes.
        #expect(most == 4096)
    }

    private func madePlans(_ reader: any StorageReading) throws -> Int {
        try #require(reader as? SnapshotReader).plans.insertedCount
    }

    private func filledStore() throws -> (SeamDriver, PlanModel<Sample>) {
        var random = Seed.ofProcess()
        var items = (0..<60).map { Sample.random(Int64($0), using: &random) }
        items.append(Sample.random(.min, using: &random))
        items.append(Sample.random(.max, using: &random))
        let driver = try SeamDriver(MemoryAdapter(), storing: Sample.self)
        try driver.write { for item in items { _ = try $0.apply(.insert, item) } }
        return (driver, try PlanModel(items))
    }
}
