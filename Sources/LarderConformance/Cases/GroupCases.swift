import Foundation
import Larder

/// Groups of items, with their keys, aggregates, filters, orders and windows.
enum GroupCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Items are grouped by an attribute", proves: 20, asking: .shop) { accessor in
            let paid = try accessor.groups(
                for: Sale.all.grouped(by: \.isPaid), .count, .sum(\.units), .maximum(\.price),
                .average(\.units))
            try expect(paid.map(\.0), equals: [false, true])
            try expect(paid.map(\.1), equals: [2, 4])
            try expect(paid.map(\.2), equals: [12, 3])
            try expect(paid.map(\.3), equals: [4, 3])
            try expect(paid.map(\.4), equals: [6, 0.75])
            let dates = try accessor.groups(
                for: Sale.all.grouped(by: \.date), .countValues(\.fee), .sum(\.fee))
            try expect(
                dates.map(\.0), equals: [nil, Shop.day(-1), Shop.day(0), Shop.day(31), Shop.day(59.5)])
            try expect(dates.map(\.1), equals: [0, 1, 1, 1, 1])
            try expect(dates.map { $0.2.description }, equals: ["0", "-1.05", "0.1", "0.2", "100"])
            let products = try accessor.groups(for: Sale.all.grouped(by: \.product), .count)
            try expect(products.map { $0.0?.id.rawValue }, equals: [nil, 1, 2, 3])
            try expect(products.map(\.1), equals: [1, 2, 2, 1])
            let units = try accessor.groups(
                for: Sale.where(\.units > 1).grouped(by: \.units), .countDistinct(\.city))
            try expect(units.map(\.0), equals: [3, 5, 7])
            try expect(
                try accessor.groups(for: Sale.all.grouped(by: \.tip)).map(\.rawValue),
                equals: [-5, 0, 20])
            try expect(
                try accessor.groups(for: Sale.all.grouped(by: \.stamp)), equals: [0, 5, 6, 7])
            let times = try accessor.groups(for: Sale.all.grouped(by: \.time))
            try expect(times, equals: [nil, .zero, .milliseconds(1_500), .seconds(90)])
        }
        ConformanceCase("Keys of groups are different by their bytes", proves: 7, 20) { world in
            let store = try Shop.open(world)
            let long = String(repeating: "long", count: 200)

            try store.read { accessor in
                let cities = try accessor.groups(for: Sale.all.grouped(by: \.city), .count, .minimum(\.id))
                try expect(
                    cities.map { Array($0.0.utf8) },
                    equals: ["", Shop.cities[2], Shop.cities[1], "Rome"].map { Array($0.utf8) })
                try expect(cities.map(\.1), equals: [1, 1, 1, 3])
                try expect(cities.map(\.2), equals: [5, 4, 3, 1])
            }
            let texts = [long + "b", "a", long + "a", long + "b", "a\u{0}", "a", ""]
            let large = try Shop.open(world, texts, \.city)
            try large.read { accessor in
                let groups = try accessor.groups(for: Sale.all.grouped(by: \.city), .count)
                try expect(groups.map(\.0), equals: ["", "a", "a\u{0}", long + "a", long + "b"])
                try expect(groups.map(\.1), equals: [1, 2, 1, 1, 2])
                let later = try accessor.groups(for: Sale.where(\.city > "a").grouped(by: \.city), .count)
                try expect(later.map(\.1), equals: [1, 1, 2])
                try expect(try accessor.countDistinct(\.city, for: Sale.all), equals: 5)
            }
        }
        ConformanceCase("Items are grouped by several attributes", proves: 20, asking: .shop) { accessor in
            let groups = try accessor.groups(
                for: Sale.all.grouped(by: \.isPaid, \.city), .count, .sum(\.price))
            try expect(groups.map { $0.0.0 }, equals: [false, false, true, true, true])
            try expect(
                groups.map { $0.0.1 }, equals: [Shop.cities[1], "Rome", "", Shop.cities[2], "Rome"])
            try expect(groups.map(\.1), equals: [1, 1, 1, 1, 2])
            try expect(groups.map(\.2), equals: [4, -1.5, 0.25, 3, 5])
            for ((isPaid, product, units), count) in try accessor.groups(
                for: Sale.all.grouped(by: \.isPaid, \.product, \.units), .count)
            {
                let found = Shop.sales.filter {
                    $0.isPaid == isPaid && $0.product == product && $0.units == units
                }
                try expect(count, equals: found.count)
            }
        }
        ConformanceCase("Items are grouped by attributes with the names of aggregates", proves: 20) { world in
            let store = try world.open(NamedLikeAggregate.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    NamedLikeAggregate(1, count: 2, sum: 10, min: 1, max: 4),
                    NamedLikeAggregate(2, count: 2, sum: 10, min: 3, max: 4),
                    NamedLikeAggregate(3, count: 1, sum: 20, min: 3, max: 9),
                    NamedLikeAggregate(4, count: 1, sum: 30, min: 1, max: 9),
                ])
            }
            let all = NamedLikeAggregate.all
            // With the keys, and the number and the sum of each.
            let attributes: [(AttributePath<NamedLikeAggregate, Int>, [Int], [Int], [Int64])] = [
                (\.count, [1, 2], [2, 2], [2, 4]), (\.sum, [10, 20, 30], [2, 1, 1], [20, 20, 30]),
                (\.min, [1, 3], [2, 2], [2, 6]), (\.max, [4, 9], [2, 2], [8, 18]),
            ]

            try store.read { accessor in
                for (name, keys, counts, sums) in attributes {
                    let groups = all.grouped(by: name)
                    let counted = try accessor.groups(
                        for: groups, .count, .countValues(name), .countDistinct(name))
                    try expect(counted.map(\.0), equals: keys)
                    try expect(counted.map(\.1), equals: counts)
                    try expect(counted.map(\.2), equals: counts)
                    try expect(counted.map(\.3), equals: keys.map { _ in 1 })
                    let computed = try accessor.groups(
                        for: groups, .sum(name), .minimum(name), .maximum(name), .average(name))
                    let values: [Int?] = keys
                    let averages: [Double?] = keys.map { Double($0) }
                    try expect(computed.map(\.0), equals: keys)
                    try expect(computed.map(\.1), equals: sums)
                    try expect(computed.map(\.2), equals: values)
                    try expect(computed.map(\.3), equals: values)
                    try expect(computed.map(\.4), equals: averages)
                    try expect(try accessor.distinctValues(for: all, name), equals: keys)
                    let falling = groups.sorted(by: name, .descending)
                    try expect(try accessor.groups(for: falling), equals: Array(keys.reversed()))
                    let larger = zip(keys, counts).filter { $0.1 > 1 }.map(\.0)
                    try expect(try accessor.groups(for: groups.having(.count > 1)), equals: larger)
                }
                let byCount = all.grouped(by: \.count)
                let groups = try accessor.groups(
                    for: byCount, .sum(\.sum), .minimum(\.min), .maximum(\.max), .average(\.sum))
                try expect(groups.map(\.0), equals: [1, 2])
                try expect(groups.map(\.1), equals: [50, 20])
                try expect(groups.map(\.2), equals: [1, 1])
                try expect(groups.map(\.3), equals: [9, 4])
                try expect(groups.map(\.4), equals: [25, 10])
                try expect(try accessor.groups(for: byCount.sorted(by: .sum(\.sum))), equals: [2, 1])
                try expect(try accessor.groups(for: byCount.having(.sum(\.sum) > 20)), equals: [1])
                let pairs = try accessor.groups(for: all.grouped(by: \.sum, \.count), .count)
                try expect(pairs.map { $0.0.0 }, equals: [10, 20, 30])
                try expect(pairs.map { $0.0.1 }, equals: [2, 1, 1])
                try expect(pairs.map(\.1), equals: [2, 1, 1])
                let limits = try accessor.distinctValues(for: all, \.max, \.min)
                try expect(limits.map(\.0), equals: [4, 4, 9, 9])
                try expect(limits.map(\.1), equals: [1, 3, 1, 3])
            }
        }
        ConformanceCase("Items are grouped by an attribute after a reference", proves: 17, 20, asking: .shop)
        { accessor in
            let groups = try accessor.groups(
                for: Sale.all.grouped(by: \.product.name), .count, .sum(\.units),
                .maximum(\.product.weight))
            try expect(groups.map(\.0), equals: [nil, "Bread", "Coffee", "Tea"])
            try expect(groups.map(\.1), equals: [1, 1, 2, 2])
            try expect(groups.map(\.2), equals: [7, 1, 3, 4])
            try expect(groups.map(\.3), equals: [nil, 2, 1, 0.5])
            let categories = try accessor.groups(
                for: Sale.all.grouped(by: \.product.category, \.isPaid).sorted(by: .count, .descending),
                .count)
            try expect(categories.map { $0.0.0 }, equals: ["Drinks", "Drinks", nil, nil])
            try expect(categories.map { $0.0.1 }, equals: [true, false, true, false])
            try expect(categories.map(\.1), equals: [3, 1, 1, 1])
            let tea = try require(try accessor.item(id: Shop.products[0].id))
            let cities = try accessor.groups(for: tea.sales.request.grouped(by: \.city), .sum(\.price))
            try expect(cities.map(\.0), equals: ["Rome"])
            try expect(cities.map(\.1), equals: [5])
        }
        ConformanceCase("Items are grouped by parts of a date in a time zone", proves: 20, asking: .shop) {
            accessor in
            let months = try accessor.groups(
                for: Sale.all.grouped(by: \.date[.year, in: .gmt], \.date[.month, in: .gmt]), .count)
            try expect(months.map { $0.0.0 }, equals: [nil, 2000, 2001, 2001, 2001])
            try expect(months.map { $0.0.1 }, equals: [nil, 12, 1, 2, 3])
            try expect(months.map(\.1), equals: [1, 1, 1, 2, 1])
            let newYork = try require(TimeZone(secondsFromGMT: -5 * 3600))
            let days = try accessor.groups(
                for: Sale.where(\.date != nil).grouped(by: \.date[.day, in: newYork]), .count)
            try expect(days.map(\.0), equals: [1, 30, 31])
            try expect(days.map(\.1), equals: [1, 1, 3])
            let weekdays = try accessor.groups(for: Sale.all.grouped(by: \.date[.weekday, in: .gmt]))
            try expect(weekdays, equals: [nil, 1, 2, 5])
            let hours = try accessor.groups(
                for: Sale.all.grouped(by: \.isPaid, \.date[.hour, in: .gmt]).having(
                    .key(\.date[.hour, in: .gmt]) == 12), .sum(\.units))
            try expect(hours.map(\.1), equals: [7])
        }
        ConformanceCase("Daylight saving moves items to another hour and day", proves: 20) { world in
            let zone = try require(TimeZone(identifier: "Europe/Berlin"))
            let formatter = ISO8601DateFormatter()
            let dates = [
                // An hour is left out in March, and one comes twice in October.
                "2024-03-31T00:59:59Z", "2024-03-31T01:00:00Z", "2024-10-26T22:30:00Z",
                "2024-10-27T00:30:00Z",
                "2024-10-27T01:30:00Z", "2024-06-30T22:00:00Z", "2024-12-31T23:00:00Z",
                "2024-12-31T22:59:59Z",
            ].map { formatter.date(from: $0) }
            let store = try Shop.open(world, dates, \.date)

            try store.read { accessor in
                let hours = try accessor.groups(for: Sale.all.grouped(by: \.date[.hour, in: zone]), .count)
                try expect(hours.map(\.0), equals: [0, 1, 2, 3, 23])
                try expect(hours.map(\.1), equals: [3, 1, 2, 1, 1])
                let months = try accessor.groups(
                    for: Sale.all.grouped(by: \.date[.year, in: zone], \.date[.month, in: zone]), .count)
                try expect(months.map { $0.0.0 }, equals: [2024, 2024, 2024, 2024, 2025])
                try expect(months.map { $0.0.1 }, equals: [3, 7, 10, 12, 1])
                try expect(months.map(\.1), equals: [2, 1, 3, 1, 1])
                let days = try accessor.groups(for: Sale.all.grouped(by: \.date[.day, in: zone]), .count)
                try expect(days.map(\.0), equals: [1, 27, 31])
                try expect(days.map(\.1), equals: [2, 3, 3])
            }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            for date in dates {
                let date = try require(date)
                let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour], from: date)
                let id = Int64(dates.firstIndex(of: date) ?? 0)
                let found = try store.read {
                    try $0.groups(
                        for: Sale.where(\.id == id).grouped(
                            by: \.date[.year, in: zone], \.date[.month, in: zone], \.date[.day, in: zone],
                            \.date[.weekday, in: zone], \.date[.hour, in: zone]))
                }
                try expect(found.count, equals: 1)
                try expect(found.first?.0, equals: parts.year)
                try expect(found.first?.1, equals: parts.month)
                try expect(found.first?.2, equals: parts.day)
                try expect(found.first?.3, equals: parts.weekday)
                try expect(found.first?.4, equals: parts.hour)
            }
        }
        ConformanceCase(
            "Parts of dates follow the Gregorian calendar at all times", proves: 20
        ) { world in
            // Seconds from 2001: leap days, the year before year 1, and dates that no calendar shows.
            let dates: [(Double, Int, Int, Int)] = [
                (-31_622_400, 2000, 1, 1), (-26_524_800, 2000, 2, 29), (-26_438_400, 2000, 3, 1),
                (-3_187_296_000, 1900, 1, 1), (-63_113_904_000, 1, 1, 1), (-63_113_904_001, 0, 12, 31),
                (-13_200_000_000.5, 1582, 9, 17), (63_082_281_600, 4000, 1, 1), (-0.000001, 2000, 12, 31),
            ]
            let store = try Shop.open(world, dates.map { Date(timeIntervalSinceReferenceDate: $0.0) }, \.date)

            try store.read { accessor in
                for (number, date) in dates.enumerated() {
                    let found = try accessor.groups(
                        for: Sale.where(\.id == Int64(number)).grouped(
                            by: \.date[.year, in: .gmt], \.date[.month, in: .gmt], \.date[.day, in: .gmt]))
                    try expect([found[0].0, found[0].1, found[0].2], equals: [date.1, date.2, date.3])
                }
            }
            let furthest = try Shop.open(
                world,
                [-Double.infinity, -1e300, -1e13, 1e13, 1e300, .infinity].map {
                    Date(timeIntervalSinceReferenceDate: $0)
                },
                \.date)
            try furthest.read { accessor in
                let years = try accessor.groups(for: Sale.all.grouped(by: \.date[.year, in: .gmt]), .count)
                try expect(years.map(\.0), equals: [-314_887, 318_888])
                try expect(years.map(\.1), equals: [3, 3])
            }
        }
        ConformanceCase("A part of a date that may be nil groups the nils too", proves: 20) { world in
            let store = try world.open(Memo.self)
            let days = [nil, 0, nil, 31_536_000, 86_400] as [Double?]
            try store.writeSync { accessor in
                for (number, day) in days.enumerated() {
                    var memo = Memo(Int64(number))
                    memo.deletedAt = day.map { Date(timeIntervalSinceReferenceDate: $0) }
                    try accessor.insert(memo)
                }
            }

            let years = try store.read { accessor in
                try accessor.groups(for: Memo.all.grouped(by: \.deletedAt[.year, in: .gmt]), .count)
            }

            try expect(years.map(\.0), equals: [nil, 2001, 2002])
            try expect(years.map(\.1), equals: [2, 2, 1])
        }
        ConformanceCase("Groups are filtered by keys and aggregates", proves: 6, 20, answersOf: .shop) {
            let byCity = Sale.all.grouped(by: \.city)
            let byDate = Sale.all.grouped(by: \.date)
            let (composed, decomposed) = (Shop.cities[1], Shop.cities[2])

            Answer(groups: byCity.having(.count > 1), gives: ["Rome"])
            Answer(groups: byCity.having(.count == 1 && .key(\.city) != ""), gives: [decomposed, composed])
            Answer(groups: byCity.having(.key(\.city) == composed), gives: [composed])
            Answer(
                groups: byCity.having(.sum(\.units) < 3 || .sum(\.price) >= 4),
                gives: ["", decomposed, composed])
            Answer(groups: byCity.having(!(.sum(\.units) < 3)), gives: [composed, "Rome"])
            Answer(groups: byCity.having(.maximum(\.date) == nil), gives: [""])
            Answer(groups: byCity.having(.maximum(\.date) != nil), gives: [decomposed, composed, "Rome"])
            Answer(groups: byCity.having(.maximum(\.date) < Shop.day(40)), gives: [decomposed, composed])
            Answer(groups: byCity.having(!(.maximum(\.date) < Shop.day(40))), gives: ["", "Rome"])
            Answer(groups: byCity.having(.average(\.discount) <= 0.375), gives: ["Rome"])
            Answer(groups: byCity.having(.sum(\.fee) == 0), gives: ["", composed])
            Answer(groups: byCity.having(.countDistinct(\.price) == 2), gives: ["Rome"])
            Answer(
                groups: byCity.having(.countValues(\.fee) == 0 && .minimum(\.product.name) == "Coffee"),
                gives: [composed])
            Answer(
                groups: byDate.having(.key(\.date) > Shop.day(0)).having(.count > 1), gives: [Shop.day(31)])
            Answer(groups: byDate.having(.key(\.date) == nil), gives: [nil])
        }
        ConformanceCase("Groups are sorted by keys and aggregates", proves: 8, 20, answersOf: .shop) {
            let byUnits = Sale.all.grouped(by: \.units)

            Answer(groups: byUnits, gives: [-2, 1, 3, 5, 7])
            Answer(groups: byUnits.sorted(by: \.units, .descending), gives: [7, 5, 3, 1, -2])
            Answer(groups: byUnits.sorted(by: .count, .descending), gives: [1, 7, 5, 3, -2])
            Answer(groups: byUnits.sorted(by: .count).sorted(by: .maximum(\.date)), gives: [-2, 3, 5, 7, 1])
            Answer(groups: byUnits.sorted(by: .maximum(\.product.name)), gives: [7, -2, 5, 1, 3])
            Answer(groups: byUnits.sorted(by: .sum(\.price), .descending), gives: [5, -2, 1, 3, 7])
            Answer(
                groups: byUnits.sorted(by: .minimum(\.city)).sorted(by: .key(\.units)),
                gives: [1, -2, 5, 3, 7])
            Answer(groups: byUnits.sorted(by: .average(\.discount)), gives: [-2, 1, 7, 3, 5])
        }
        ConformanceCase("Groups are sorted by sums that are infinite or no numbers", proves: 8, 20) { world in
            let numbers = try Shop.open(world, [.infinity, 1, 2], \.price)
            try numbers.writeSync { accessor in
                var sale = Sale(9)
                sale.price = -.infinity
                try accessor.insert(sale)
                try accessor.update(Sale.where(\.id >= 0), .set(\.units, to: 4))
                try accessor.update(Sale.where(\.price == 1), .set(\.units, to: 5))
                try accessor.update(Sale.where(\.price == 2), .set(\.units, to: 6))
            }
            let byNaN = Sale.all.grouped(by: \.units).sorted(by: .sum(\.price), .descending)
            try numbers.read { accessor in
                try expect(try accessor.groups(for: byNaN), equals: [6, 5, 4])
                let larger = byNaN.having(!(.sum(\.price) > 1))
                try expect(try accessor.groups(for: larger), equals: [5, 4])
            }
        }
        ConformanceCase("Groups have windows", proves: 13, 20, asking: .shop) { accessor in
            let groups = Sale.all.grouped(by: \.units).sorted(by: .count, .descending)
            let all = [1, 7, 5, 3, -2]

            for (offset, limit) in [(0, 2), (1, 2), (3, 5), (5, 1), (9, 9), (0, 0), (.max, .max)] {
                let window = groups.offset(offset).limit(limit)
                let expected = Array(all.dropFirst(offset).prefix(limit))
                try expect(try accessor.groups(for: window), equals: expected)
                try expect(try accessor.countGroups(for: window), equals: expected.count)
            }
            try expect(try accessor.groups(for: groups.limit(1).limit(nil).offset(4)), equals: [-2])
            for window in [groups.limit(-1), groups.offset(-1)] {
                try expectError(.invalidRequest) { _ = try accessor.groups(for: window) }
            }
        }
    }
}
