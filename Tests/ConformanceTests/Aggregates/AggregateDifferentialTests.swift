import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Engines that answer aggregates by themselves give what the core computes from their rows.
struct AggregateDifferentialTests {
    @Test(arguments: Subjects.engines)
    func `an engine gives the same groups as the core, to the last bit`(engine: ConformanceSubject) throws {
        let medium = try engine.makeMedium()
        defer { try? medium.cleanUp() }
        let store = try Self.store(in: medium)
        defer { try? store.tearDown() }
        let schema = try StoreSchema(storing: [Product.self, Sale.self])
        var random = Seed.ofProcess()
        var answered = 0
        let rounds = engine.isOnServer ? Repetitions.count(2, long: 15) : Repetitions.count(4, long: 60)
        for round in 0..<rounds {
            var sales = RandomSales(seed: random.next())
            let items = sales.sales(count: random.number(below: 300)) + Self.extremes
            try store.writeSync { accessor in
                _ = try accessor.deleteAllItems(of: Sale.self)
                if round == 0 { try accessor.insert(contentsOf: Shop.products) }
                try accessor.insert(contentsOf: items)
            }
            let reading = try store.coordinator.adapter.beginReading()
            defer { reading.end() }
            let core = InCore(wrappedReading: reading)
            for _ in 0..<100 {
                let plan = try Self.plan(&random)
                let found = Result { try reading.groups(for: plan, in: schema) }
                let expected = Result { try core.groups(for: plan, in: schema) }
                #expect(Self.comparable(found) == Self.comparable(expected), "\(plan)")
                if (try? reading.groups(for: plan)) ?? nil != nil { answered += 1 }
            }
        }
        #expect(answered > rounds * 8, "An engine that leaves nearly all to the core is not tested.")
    }

    /// Beside random sales, values at the limits.
    private static let extremes = [
        Sale(1_000, units: .max, price: .infinity, stamp: .max),
        Sale(1_001, city: String(repeating: "long", count: 200), units: .min, price: -1e308, stamp: .max - 1),
        Sale(1_002, city: String(repeating: "long", count: 200) + "b", fee: 1e-20, time: .seconds(-7)),
    ]

    private static func store(in medium: any ConformanceMedium) throws -> any DataStore {
        let store = try medium.makeStore(
            storing: [Product.self, Sale.self], options: DataStoreOptions())
        try store.setup()
        return store
    }

    private static func plan(_ random: inout Seed) throws -> AggregatePlan {
        let attributes = Sale.schema.attributes
        var predicate = RowPredicate.always(true)
        switch random.number(below: 5) {
        case 0: predicate = .compare(column: 3, .greater, .integer(Int64(random.number(below: 60))))
        case 1: predicate = .compare(column: 2, .equal, .text(random.pick(Shop.cities)))
        case 2: predicate = .isNotNull(column: 8)
        default: break
        }
        let functions: [AggregateFunction] = [
            .count, .countValues, .countDistinct, .minimum, .maximum, .sum, .average(places: 127),
        ]
        var terms: [AggregatePlan.Term] = []
        for _ in 0..<random.number(below: 4) {
            let function = random.pick(functions)
            let column = random.number(below: attributes.count)
            let isSummed = [.integer, .real, .decimal].contains(attributes[column].type.storage)
            switch function {
            case .sum, .average: if !isSummed { continue }
            case .count, .countValues, .countDistinct, .minimum, .maximum: break
            }
            terms.append(AggregatePlan.Term(function, column: function == .count ? 0 : column))
        }
        let keys = [[], [2], [3], [9], [9, 4], [4, 9], [1], [8], [2, 9], [10], [0]]
        let key = random.pick(keys)
        if key.isEmpty, terms.isEmpty { terms = [AggregatePlan.Term(.count)] }
        let rows = RequestPlan(entity: 1, schema: Sale.schema, predicate: predicate)
        return AggregatePlan(rows, keys: key, terms: terms)
    }

    /// The groups in one order, or the attribute of the error.
    private static func comparable(_ result: Result<GroupRows, any Error>) -> [String] {
        switch result {
        case .success(let rows):
            (0..<rows.count).map { group in
                rows.values[(group * rows.width)..<((group + 1) * rows.width)].map(bits).joined(
                    separator: " | ")
            }.sorted()
        case .failure(let error as DataStoreError): ["\(error.code.rawValue) \(error.attribute ?? "")"]
        case .failure(let error): ["\(error)"]
        }
    }

    private static func bits(_ constant: Constant) -> String {
        if case .real(let number) = constant { "\(number.bitPattern)" } else { "\(constant)" }
    }

    @Test func `SQLite says how it finds aggregates`() throws {
        let medium = try Subjects.sqlite.makeMedium()
        defer { try? medium.cleanUp() }
        let store = try Self.store(in: medium)
        defer { try? store.tearDown() }

        try store.read { accessor in
            let lines1 = try accessor.explain(Sale.all, .sum(\.price))
            expect(lines1, ["index Sale(isPaid, price)", "aggregate in SQL"])
            let lines2 = try accessor.explain(Sale.where(\.city == "Rome"), .average(\.units), .count)
            expect(lines2, ["index Sale(city)", "aggregate in SQL"])
            let lines3 = try accessor.explain(Sale.all, .maximum(\.units))
            expect(lines3, ["index Sale(units)"])
            let lines4 = try accessor.explain(Sale.all.grouped(by: \.city), .count)
            expect(lines4, ["index Sale(city)", "group in SQL"])
            let lines5 = try accessor.explain(Sale.all.grouped(by: \.isPaid), .sum(\.price))
            expect(lines5, ["index Sale(isPaid, price)", "group in SQL"])
            let lines6 = try accessor.explain(Sale.all.grouped(by: \.city), .sum(\.price))
            expect(lines6, ["scan", "group rows"])
            let lines7 = try accessor.explain(Sale.all.limit(3), .sum(\.price))
            expect(lines7, ["scan", "aggregate rows"])
            let lines8 = try accessor.explain(Sale.where(\.product.name == "Tea"), .sum(\.price))
            expect(lines8, ["index Sale(product)", "scan of Product", "aggregate in SQL"])
            let lines9 = try accessor.explain(
                Sale.all.grouped(by: \.product.name, \.date[.year, in: .gmt]), .count)
            expect(lines9, ["scan", "group rows by product.name, year of date"])
        }
    }

    @Test(arguments: [Subjects.memory, Subjects.lmdb])
    func `a key-value engine says how it finds aggregates`(engine: ConformanceSubject) throws {
        let medium = try engine.makeMedium()
        defer { try? medium.cleanUp() }
        let store = try Self.store(in: medium)
        defer { try? store.tearDown() }

        try store.read { accessor in
            let lines10 = try accessor.explain(Sale.all, .sum(\.price))
            expect(lines10, ["scan", "aggregate"])
            let lines11 = try accessor.explain(Sale.all, .sum(\.discount))
            expect(lines11, ["scan", "aggregate"])
            let lines12 = try accessor.explain(Sale.where(\.city == "Rome"), .average(\.units))
            expect(lines12, ["index Sale(city) where city == ?", "aggregate"])
            let lines13 = try accessor.explain(Sale.all, .minimum(\.units), .maximum(\.units))
            expect(lines13, ["index Sale(units)", "index Sale(units) backwards"])
            let lines14 = try accessor.explain(Sale.all.grouped(by: \.city), .count)
            expect(lines14, ["index Sale(city)", "count entries"])
            let lines15 = try accessor.explain(Sale.all.grouped(by: \.units), .sum(\.units))
            expect(lines15, ["index Sale(units)", "group"])
            let lines16 = try accessor.explain(Sale.all.grouped(by: \.city), .sum(\.price))
            expect(lines16, ["scan", "group"])
        }
    }

    private func expect(
        _ lines: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lines == expected, sourceLocation: sourceLocation)
    }
}

/// A reading that leaves all groups to the core.
private final class InCore: ReadingDecorator {
    let wrappedReading: any StorageReading

    init(wrappedReading: any StorageReading) { self.wrappedReading = wrappedReading }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? { nil }
}
