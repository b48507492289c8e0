import Foundation
import Larder

/// Requests for groups: their rows, their results, their mistakes, and random ones.
enum GroupRequestCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Exactly the items in the window of the request are grouped", proves: 13, 20, asking: .shop
        ) { accessor in
            let best = Sale.all.sorted(by: \.price, .descending).limit(4)

            let cities = try accessor.groups(for: best.grouped(by: \.city), .count, .sum(\.price))
            try expect(cities.map(\.0), equals: [Shop.cities[2], Shop.cities[1], "Rome"])
            try expect(cities.map(\.1), equals: [1, 1, 2])
            let names = try accessor.groups(for: best.offset(1).grouped(by: \.product.name), .count)
            try expect(names.map(\.0), equals: ["Bread", "Coffee", "Tea"])
            try expect(names.map(\.1), equals: [1, 1, 2])
            try expect(try accessor.groups(for: best.limit(0).grouped(by: \.city)), equals: [])
            let months = try accessor.groups(
                for: best.offset(0).limit(2).grouped(by: \.date[.month, in: .gmt]), .count)
            try expect(months.map(\.0), equals: [2, 12])
        }
        ConformanceCase("Groups become values of the app", proves: 20, asking: .shop) { accessor in
            let byCity = Sale.where(\.city >= "R").grouped(by: \.city)

            let totals = try accessor.groups(for: byCity, .count, .sum(\.price), as: CityTotal.init)
            try expect(totals, equals: [CityTotal(city: "Rome", count: 3, total: 3.5)])
            let byBoth = Sale.where(\.city >= "R").grouped(by: \.city, \.isPaid)
            let lines = try accessor.groups(for: byBoth, .count) { key, count in
                "\(key.0) \(key.1) \(count)"
            }
            try expect(lines, equals: ["Rome false 1", "Rome true 2"])
            try expectOwnError {
                _ = try accessor.groups(for: byCity, .count) { _, _ -> Int in throw OwnError() }
            }
        }
        ConformanceCase("Nothing has no groups", proves: 20, asking: .shop) { accessor in
            let none = Sale.where(\.units > 100)
            try expect(try accessor.groups(for: none.grouped(by: \.city), .count).count, equals: 0)
            try expect(
                try accessor.groups(for: none.grouped(by: \.product.name), .count).count, equals: 0)
            try expect(try accessor.groups(for: Sale.all.limit(0).grouped(by: \.units)), equals: [])
            try expect(
                try accessor.countGroups(for: Sale.where(.always(false)).grouped(by: \.units)), equals: 0)
        }
        ConformanceCase("A group whose sum overflows names the attribute", proves: 20) { world in
            let store = try Shop.open(world, [Int.max, 1, -1], \.units)

            try store.read { accessor in
                let groups = Sale.where(\.units > 0).grouped(by: \.city)
                let error = try expectError(.overflow) { _ = try accessor.groups(for: groups, .sum(\.units)) }
                try expect(error.attribute, equals: "units")
                try expectError(.overflow) { _ = try accessor.groups(for: groups.sorted(by: .sum(\.units))) }
                let sums = try accessor.groups(for: Sale.all.grouped(by: \.city), .sum(\.units))
                try expect(sums.map(\.1), equals: [.max])
            }
        }
        ConformanceCase("A key that groups do not have is refused", proves: 13, 20, asking: .shop) {
            accessor in
            let byCity = Sale.all.grouped(by: \.city)
            let zone = try require(TimeZone(identifier: "Asia/Tokyo"))

            let error = try expectError(.invalidRequest) {
                _ = try accessor.groups(for: byCity.sorted(by: \.price))
            }
            try expect(error.attribute, equals: "price")
            try expectError(.invalidRequest) {
                _ = try accessor.groups(for: byCity.having(.key(\.units) > 1))
            }
            try expectError(.invalidRequest) {
                _ = try accessor.groups(for: byCity.having(.sum(\.price) > .nan))
            }
            for request in [
                byCity.sorted(by: \.price), byCity.having(.key(\.units) > 1), byCity.limit(-1),
                byCity.having(!(.sum(\.price) == .nan)), Sale.all.limit(-1).grouped(by: \.city),
            ] {
                try expectError(.invalidRequest) { try request.validate() }
            }
            try byCity.sorted(by: .sum(\.price)).having(.count > 1).validate()
            let months = Sale.all.grouped(by: \.date[.month, in: .gmt])
            try expectError(.invalidRequest) {
                _ = try accessor.groups(for: months.sorted(by: \.date[.month, in: zone]))
            }
        }
        ConformanceCase("Requests for groups are values", proves: 13, 20) { world in
            let zone = try require(TimeZone(identifier: "Asia/Tokyo"))
            let requests = [
                Sale.all.grouped(by: \.date[.month, in: .gmt]),
                Sale.all.grouped(by: \.date[.month, in: zone]),
                Sale.all.grouped(by: \.date[.day, in: .gmt]),
                Sale.where(\.isPaid).grouped(by: \.date[.day, in: .gmt]),
                Sale.all.grouped(by: \.date[.day, in: .gmt]).having(.count > 1),
                Sale.all.grouped(by: \.date[.day, in: .gmt]).having(.count > 2),
                Sale.all.grouped(by: \.date[.day, in: .gmt]).sorted(by: .count),
                Sale.all.grouped(by: \.date[.day, in: .gmt]).limit(1),
            ]

            try expect(Set(requests).count, equals: requests.count)
            try expect(requests[0] == Sale.all.grouped(by: \.date[.month, in: .gmt]), "equal requests")
        }
        ConformanceCase("Random groups are what plain Swift computes", proves: 20) { world in
            for seed in [11, 12, 13] as [UInt64] {
                var random = RandomSales(seed: seed)
                let sales = random.sales(count: 300)
                let store = try world.openElsewhere(Product.self, Sale.self)
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: Shop.products)
                    try accessor.insert(contentsOf: sales)
                }
                try store.read { accessor in
                    for _ in 0..<20 {
                        let (request, found) = random.request(sales)
                        let place = "seed \(seed), \(request)"
                        try checkCities(accessor, request, found, place)
                        try checkNames(accessor, request, found, place)
                        let days = Dictionary(grouping: found) { sale in
                            sale.date.map { Int(($0.timeIntervalSinceReferenceDate / 3600).rounded(.down)) }
                                .map { ($0 % 24 + 24) % 24 }
                        }
                        let hours = try accessor.groups(
                            for: request.grouped(by: \.date[.hour, in: .gmt]), .count)
                        try expect(
                            Dictionary(uniqueKeysWithValues: hours), equals: days.mapValues(\.count), place)
                    }
                }
            }
        }
        ConformanceCase("Thousands of groups are found", proves: 20) { world in
            let store = try Shop.open(world, (0..<5_000).map { $0 / 2 }, \.units)

            try store.read { accessor in
                let groups = try accessor.groups(for: Sale.all.grouped(by: \.units), .count, .sum(\.id))
                try expect(groups.map(\.0), equals: Array(0..<2_500))
                for (units, count, ids) in groups {
                    try expect(count, equals: 2)
                    try expect(ids, equals: Int64(4 * units + 1))
                }
                try expect(try accessor.countDistinct(\.units, for: Sale.all), equals: 2_500)
                let last = Sale.all.grouped(by: \.units, \.id).sorted(by: \.id, .descending).limit(2)
                try expect(try accessor.groups(for: last).map { $0.1 }, equals: [4_999, 4_998])
            }
        }
    }

    private struct CityTotal: Equatable {
        var city: String
        var count: Int
        var total: Double
    }

    private static func checkCities(
        _ accessor: DataStoreReadAccessor, _ request: DataStoreRequest<Sale>, _ found: [Sale], _ place: String
    ) throws {
        let groups = try accessor.groups(
            for: request.grouped(by: \.city, \.isPaid), .count, .sum(\.price), .maximum(\.units))
        let expected = Dictionary(grouping: found) { "\(Array($0.city.utf8)) \($0.isPaid)" }
        try expect(groups.count, equals: expected.count, place)
        for ((city, isPaid), count, price, units) in groups {
            let sales = expected["\(Array(city.utf8)) \(isPaid)"] ?? []
            try expect(count, equals: sales.count, place)
            try expect(price, equals: RandomSales.sum(sales.map(\.price)), place)
            try expect(units, equals: sales.map(\.units).max(), place)
        }
    }

    private static func checkNames(
        _ accessor: DataStoreReadAccessor, _ request: DataStoreRequest<Sale>, _ found: [Sale], _ place: String
    ) throws {
        let names = Dictionary(uniqueKeysWithValues: Shop.products.map { ($0.id, $0.name) })
        let expected = Dictionary(grouping: found) { $0.product.flatMap { names[$0.id] } }
        let groups = try accessor.groups(
            for: request.grouped(by: \.product.name).sorted(by: .sum(\.units), .descending), .count,
            .sum(\.units))
        try expect(
            Dictionary(uniqueKeysWithValues: groups.map { ($0.0, $0.1) }),
            equals: expected.mapValues(\.count),
            place)
        let sums = groups.map(\.2)
        try expect(sums, equals: sums.sorted(by: >), place)
        for (name, _, units) in groups {
            try expect(units, equals: Int64((expected[name] ?? []).reduce(0) { $0 + $1.units }), place)
        }
    }
}
