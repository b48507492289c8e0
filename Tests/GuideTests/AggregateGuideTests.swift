import Foundation
import Larder
import LarderMemory
import Testing

/// The type of the section on aggregates in the migration guide.
enum Market {
    @StoredItem
    struct Sale {
        @Indexed var city: String
        var units: Int
        var price: Decimal
        var discount: Double?
        @Indexed var soldAt: Date
    }
}

/// The code of the section on aggregates in the migration guide.
struct AggregateGuideTests {
    private typealias Sale = Market.Sale

    private struct CityTotal: Equatable {
        let city: String
        let count: Int
        let total: Decimal

        init(_ city: String, _ count: Int, _ total: Decimal) {
            (self.city, self.count, self.total) = (city, count, total)
        }
    }

    private static func makeStore() throws -> any DataStore {
        let store = MemoryDataStore(storing: [Sale.self])
        try store.setup()
        let day = { Date(timeIntervalSinceReferenceDate: $0 * 86_400) }
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Sale(city: "Rome", units: 2, price: 3, discount: 0.5, soldAt: day(0)),
                Sale(city: "Rome", units: 0, price: 4, soldAt: day(3)),
                Sale(city: "Oslo", units: 5, price: 10, soldAt: day(40)),
                Sale(city: "Oslo", units: 1, price: 1, discount: 1, soldAt: day(41)),
                Sale(city: "Rome", units: 1, price: 20, soldAt: day(41)),
            ])
        }
        return store
    }

    @Test func `several aggregates in one pass`() throws {
        let store = try Self.makeStore()

        let (count, total, latest) = try store.read { accessor in
            try accessor.aggregate(Sale.where(\.units > 0), .count, .sum(\.price), .maximum(\.soldAt))
        }

        #expect(count == 4)
        #expect(total == 34)
        #expect(latest == Date(timeIntervalSinceReferenceDate: 41 * 86_400))
    }

    @Test func `groups in order`() throws {
        let store = try Self.makeStore()
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }

        let months = Sale.all
            .grouped(by: \.city, \.soldAt[.month, in: .gmt])
            .having(.count > 1)
            .sorted(by: .sum(\.price), .descending)
            .limit(10)
        try store.read { accessor in
            for ((city, month), count, total) in try accessor.groups(for: months, .count, .sum(\.price)) {
                show("\(city), month \(month): \(count) sales, \(total)")
            }
        }

        #expect(shown == ["Oslo, month 2: 2 sales, 11", "Rome, month 1: 2 sales, 7"])
    }

    @Test func `groups as values`() throws {
        let store = try Self.makeStore()

        let totals = try store.read { accessor in
            try accessor.groups(for: Sale.all.grouped(by: \.city), .count, .sum(\.price), as: CityTotal.init)
        }

        #expect(totals == [CityTotal("Oslo", 2, 11), CityTotal("Rome", 3, 27)])
    }

    @Test func `the calls of the table`() throws {
        let store = try Self.makeStore()

        try store.read { accessor in
            #expect(try accessor.sum(\.units, for: Sale.all) == 9)
            #expect(try accessor.countValues(\.discount, for: Sale.all) == 2)
            #expect(try accessor.distinctValues(for: Sale.all, \.city) == ["Oslo", "Rome"])
            let units = try accessor.groups(for: Sale.all.grouped(by: \.city), .sum(\.units))
            #expect(units.map(\.1) == [6, 3])
            let busy = try accessor.groups(for: Sale.all.grouped(by: \.city).having(.count > 2), .count)
            #expect(busy.map(\.0) == ["Rome"])
            #expect(try accessor.sum(\.units, for: Sale.all.sorted(by: \.soldAt).limit(3)) == 7)
        }
    }
}
