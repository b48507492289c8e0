import Larder
import Testing

import struct Foundation.Data
import struct Foundation.Decimal
import struct Foundation.UUID
import typealias Foundation.uuid_t
@testable import AdapterTestSupport
@testable import LarderConformance

/// Random rows and requests, answered by an engine and by the reference of the seam.
@Suite struct `An engine and the reference` {
    @Test(arguments: Subjects.engines + [Subjects.withoutFunctions])
    func `give the same rows in the same order`(engine: ConformanceSubject) throws {
        let medium = try engine.makeMedium()
        defer { try? medium.cleanUp() }
        let store = try medium.makeStore(storing: [Sample.self], options: DataStoreOptions())
        try store.setup()
        defer { try? store.tearDown() }
        let seam = OpenSeam(
            seam: store.coordinator.adapter, schema: try StoreSchema(storing: [Sample.self]))
        var seed = Seed.ofProcess()
        let samples = (0..<150).map { _ in RandomSample.make(&seed) }
        try seam.insert(samples)
        let expected = try SampleRows(samples)

        try seam.read { scope throws in
            for _ in 0..<(engine.isOnServer ? 200 : 500) {
                let plan = try scope.plan(
                    Sample.self, where: RandomPredicate.make(&seed, depth: 3),
                    order: RandomPredicate.order(&seed),
                    offset: Int.random(in: 0..<3, using: &seed) * 5,
                    limit: Bool.random(using: &seed) ? Int.random(in: 0..<30, using: &seed) : nil)
                let ids = expected.answer(to: plan)

                #expect(try scope.items(Sample.self, for: plan).map(\.id) == ids, "\(plan)")
                #expect(try scope.transaction.count(for: plan) == ids.count, "\(plan)")
            }
        }
    }
}

private struct OpenSeam: SeamStore {
    let seam: any StorageAdapter
    let schema: StoreSchema
}

/// Rows in memory, filtered and sorted by what the seam calls the reference.
private final class SampleRows {
    private let samples: [Sample]
    private let cells: [UnsafeMutablePointer<Cell>]
    private let arena = RowArena()

    init(_ samples: [Sample]) throws {
        self.samples = samples
        var rows: [UnsafeMutablePointer<Cell>] = []
        for sample in samples {
            let row = UnsafeMutablePointer<Cell>.allocate(capacity: Sample.schema.attributes.count)
            var writer = RowWriter(cells: row, arena: arena, of: Sample.schema)
            try sample.encode(to: &writer)
            rows.append(row)
        }
        cells = rows
    }

    deinit {
        for row in cells { row.deallocate() }
    }

    func answer(to plan: RequestPlan) -> [UUID] {
        samples.indices
            .filter { plan.predicate.matches(cells[$0], of: plan.schema) }
            .sorted { plan.precedes(cells[$0], cells[$1]) }
            .dropFirst(plan.offset).prefix(plan.limit ?? .max)
            .map { samples[$0].id }
    }
}

/// Values from small sets, so that they meet.
private enum RandomValue {
    static let texts = [
        "", "a", "A", "ab", "aB", "b", "é", "É", "e\u{301}", "straße", "STRASSE", "a\0b", "🍰", "z",
    ]
    static let decimals = ["0", "1", "-1", "1.5", "10", "9", "-10.25"]
    static let unsigned: [UInt64] = [0, 1, 5, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]
    static let reals: [Double] = [0, 1, -1, 0.5, .infinity, -.infinity, 1e300]
    static let blobs: [[UInt8]] = [[], [0], [0, 0], [1], [255], [255, 0]]

    static func text(_ seed: inout Seed) -> String { texts[Int.random(in: 0..<texts.count, using: &seed)] }

    static func pick<Value>(_ values: [Value], _ seed: inout Seed) -> Value? {
        let index = Int.random(in: -1..<values.count, using: &seed)
        return index < 0 ? nil : values[index]
    }
}

private enum RandomSample {
    static func make(_ seed: inout Seed) -> Sample {
        var sample = Sample(id: UUID.random(&seed))
        sample.flag = RandomValue.pick([true, false], &seed)
        sample.tiny = RandomValue.pick([-2, 0, 3], &seed)
        sample.large = RandomValue.pick([.min, -1, 0, 1, 2, .max], &seed)
        sample.unsigned = RandomValue.pick(RandomValue.unsigned, &seed)
        sample.real = RandomValue.pick(RandomValue.reals, &seed)
        sample.text = RandomValue.pick(RandomValue.texts, &seed)
        sample.data = RandomValue.pick(RandomValue.blobs, &seed).map { Data($0) }
        sample.decimal = RandomValue.pick(RandomValue.decimals, &seed).flatMap { Decimal(string: $0) }
        return sample
    }
}

extension UUID {
    fileprivate static func random(_ seed: inout Seed) -> UUID {
        let (high, low) = (seed.next(), seed.next())
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

private enum RandomPredicate {
    private static let columns = [1, 2, 3, 4, 6, 7, 8, 12]
    private static let comparisons: [Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    static func make(_ seed: inout Seed, depth: Int) -> RowPredicate {
        let column = columns[Int.random(in: 0..<columns.count, using: &seed)]
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &seed) {
        case 0: return Bool.random(using: &seed) ? .isNull(column: column) : .isNotNull(column: column)
        case 1, 2:
            let comparison = comparisons[Int.random(in: 0..<comparisons.count, using: &seed)]
            return .compare(column: column, comparison, constant(column, &seed))
        case 3: return isIn(column, &seed)
        case 4: return text(&seed)
        case 5: return Bool.random(using: &seed) ? pattern(&seed) : expression(&seed)
        case 6:
            return .all((0..<Int.random(in: 0...3, using: &seed)).map { _ in make(&seed, depth: depth - 1) })
        case 7:
            return .any((0..<Int.random(in: 0...3, using: &seed)).map { _ in make(&seed, depth: depth - 1) })
        default: return .always(Bool.random(using: &seed))
        }
    }

    static func order(_ seed: inout Seed) -> [RequestPlan.SortTerm] {
        (0..<Int.random(in: 0...2, using: &seed)).map { _ in
            let column = Int.random(in: 0..<(columns.count + 1), using: &seed)
            return RequestPlan.SortTerm(
                column: column == columns.count ? 0 : columns[column], isAscending: .random(using: &seed))
        }
    }

    private static func isIn(_ column: Int, _ seed: inout Seed) -> RowPredicate {
        let storage = Sample.schema.storage(ofColumn: column)
        let values = Set((0..<Int.random(in: 1...5, using: &seed)).map { _ in constant(column, &seed) })
        let sorted = values.sorted { left, right in
            left.withCell { left in right.withCell { left.order(to: $0, storage: storage) < 0 } }
        }
        return .isIn(column: column, sorted, negated: .random(using: &seed))
    }

    private static func text(_ seed: inout Seed) -> RowPredicate {
        let kind = TextTest.Kind.allCases.randomElement(using: &seed) ?? .equals
        let test = TextTest(
            kind, RandomValue.text(&seed), ignoresCase: .random(using: &seed),
            ignoresDiacritics: .random(using: &seed))
        return .text(column: 7, test, negated: .random(using: &seed))
    }

    private static func pattern(_ seed: inout Seed) -> RowPredicate {
        let patterns: [(PatternTest.Syntax, String)] = [
            (.like, "*a*"), (.like, "?"), (.like, "?*s"), (.matches, "(a|s)+.*"), (.matches, ".*[^s]"),
            (.matches, ""),
        ]
        let (syntax, pattern) = patterns[Int.random(in: 0..<patterns.count, using: &seed)]
        guard let test = try? PatternTest(syntax, pattern, ignoresCase: .random(using: &seed)) else {
            return .always(false)
        }
        return .column(7, .pattern(test, negated: .random(using: &seed)))
    }

    /// A comparison of two columns, or of what is calculated from them.
    private static func expression(_ seed: inout Seed) -> RowPredicate {
        func column() -> (RowExpression, ValueKind) {
            let column = columns[Int.random(in: 0..<columns.count, using: &seed)]
            let type = Sample.schema.attributes[column].type
            return (.column(column, type), ValueKind(type))
        }
        let comparison = comparisons[Int.random(in: 0..<comparisons.count, using: &seed)]
        while true {
            let (left, right) = (column(), column())
            guard left.1.isComparable(to: right.1) else { continue }
            if left.1.calculated(with: right.1) == nil || Bool.random(using: &seed) {
                return .expression(
                    ExpressionTest(left.0, comparison, right.0, negated: .random(using: &seed)))
            }
            let signs: [ArithmeticOperator] = [.plus, .minus, .times, .divided]
            let sign = signs[Int.random(in: 0..<4, using: &seed)]
            return .expression(
                ExpressionTest(
                    .arithmetic(sign, left.0, right.0), comparison, .negative(right.0),
                    negated: .random(using: &seed)))
        }
    }

    private static func constant(_ column: Int, _ seed: inout Seed) -> Constant {
        switch Sample.schema.storage(ofColumn: column) {
        case .integer:
            .integer(column == 1 ? Int64.random(in: 0...1, using: &seed) : .random(in: -2...3, using: &seed))
        case .unsigned: .unsigned(RandomValue.unsigned[Int.random(in: 0..<6, using: &seed)])
        case .real: .real(RandomValue.reals[Int.random(in: 0..<7, using: &seed)])
        case .text, .json: .text(RandomValue.text(&seed))
        case .blob: .blob(RandomValue.blobs[Int.random(in: 0..<6, using: &seed)])
        case .decimal: .decimal(RandomValue.decimals[Int.random(in: 0..<7, using: &seed)])
        }
    }
}
