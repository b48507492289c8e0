import Foundation
import Larder

/// Counts, sums, averages, minimum and maximum of the items of requests.
enum AggregateCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Integers have exact sums and averages", proves: 20, asking: .shop) { accessor in
            try expect(try accessor.sum(\.units, for: Sale.all), equals: Int64(15))
            try expect(try accessor.average(\.units, for: Sale.all), equals: 2.5)
            try expect(try accessor.sum(\.stamp, for: Sale.all), equals: Int64(18))
            try expect(try accessor.average(\.stamp, for: Sale.all), equals: 3.0)
            try expect(try accessor.sum(\.id, for: Sale.all), equals: Int64(21))
            try expect(try accessor.average(\.id, for: Sale.where(\.id < 3)), equals: 1.5)
            try expect(
                try accessor.average(\.units, for: Sale.where(.isIn(\.id, [1, 2, 3]))), equals: 3.0)
            try expect(
                try accessor.average(\.units, for: Sale.where(.isIn(\.id, [1, 2, 6]))), equals: 11.0 / 3)
        }
        ConformanceCase("Floating-point numbers have sums and averages", proves: 20, asking: .shop) {
            accessor in
            try expect(try accessor.sum(\.price, for: Sale.all), equals: 10.75)
            try expect(try accessor.average(\.price, for: Sale.all), equals: 10.75 / 6)
            try expect(try accessor.sum(\.discount, for: Sale.all), equals: 1.75)
            try expect(try accessor.average(\.discount, for: Sale.all), equals: 1.75 / 3)
            let share: Double = try accessor.sum(\.share, for: Sale.all)
            try expect(share, equals: 0.875)
            try expect(try accessor.average(\.share, for: Sale.all), equals: 0.875 / 6)
        }
        ConformanceCase("Sums of numbers of any size do not depend on their order", proves: 20) { world in
            let values: [([Double], Double)] = [
                ([1e16, 1, 1, -1e16], 2), ([1, 1e16, -1e16, 1], 2), ([1e308, 1e308, -1e308, -1e308], 0),
                ([1e308, -1e308, 1e308], 1e308), ([0.1, 0.2, 0.3], 0.6), ([1e100, 1, -1e100], 1),
                (Array(repeating: 0.1, count: 10), 1), ([1, 1e-20, -1], 1e-20),
                (
                    [.leastNonzeroMagnitude, .leastNonzeroMagnitude, 1e300, -1e300],
                    2 * .leastNonzeroMagnitude
                ),
                // Half of the last bit goes to the even number, and anything more up.
                ([1, 0x1p-53], 1), ([1, 0x1p-53, 0x1p-1000], 1 + 0x1p-52),
                ([1 + 0x1p-52, 0x1p-53], 1 + 0x1p-51),
                ([-1, -0x1p-53, -0x1p-1074], -1 - 0x1p-52),
            ]
            for (numbers, sum) in values {
                for numbers in [numbers, numbers.reversed(), numbers.sorted()] {
                    let store = try Shop.open(world, numbers, \.price)
                    try store.read { accessor in
                        try expect(
                            try accessor.sum(\.price, for: Sale.all), equals: sum, "the sum of \(numbers)")
                    }
                }
            }
            let store = try Shop.open(world, [0x1p1023, 0x1p1023], \.price)
            try store.read { try expect(try $0.average(\.price, for: Sale.all), equals: 0x1p1023) }
        }
        ConformanceCase("Infinities and sums beyond all numbers are infinite", proves: 20) { world in
            let greatest = Double.greatestFiniteMagnitude
            let values: [([Double], Double)] = [
                ([.infinity, 1], .infinity), ([-.infinity, 1e300], -.infinity),
                ([greatest, greatest], .infinity),
                ([greatest, greatest, -greatest], greatest), ([-greatest, -greatest], -.infinity),
            ]
            for (numbers, sum) in values {
                let store = try Shop.open(world, numbers, \.price)
                try store.read { accessor in
                    try expect(try accessor.sum(\.price, for: Sale.all), equals: sum, "the sum of \(numbers)")
                }
            }
            let store = try Shop.open(world, [.infinity, -.infinity, 5], \.price)
            try store.read { accessor in
                try expect(try accessor.sum(\.price, for: Sale.all).isNaN, "a sum that is not a number")
                try expect(
                    try accessor.average(\.price, for: Sale.all)?.isNaN == true, "no number on average")
                try expect(try accessor.maximum(\.price, for: Sale.all), equals: .infinity)
            }
        }
        ConformanceCase("A sum of integers that does not fit names its attribute", proves: 20) { world in
            let store = try Shop.open(world, [Int.max, 1, -5, 0], \.units)

            try store.read { accessor in
                // On the way it is larger than fits, and in the end it is not.
                try expect(try accessor.sum(\.units, for: Sale.all), equals: Int64.max - 4)
                let error = try expectError(.overflow) {
                    _ = try accessor.sum(\.units, for: Sale.where(\.id < 2))
                }
                try expect(error.attribute, equals: "units")
                try expect(error.itemType, equals: "Sale")
                try expect(try accessor.average(\.units, for: Sale.where(\.id < 2)), equals: 0x1p62)
                try expectError(.overflow) {
                    _ = try accessor.aggregate(Sale.where(\.id < 2), .count, .sum(\.units))
                }
            }
            let large = try Shop.open(world, [UInt64.max, UInt64.max - 2], \.stamp)
            try large.read { accessor in
                let error = try expectError(.overflow) { _ = try accessor.sum(\.stamp, for: Sale.all) }
                try expect(error.attribute, equals: "stamp")
                try expect(try accessor.average(\.stamp, for: Sale.all), equals: 0x1p64)
                try expect(try accessor.minimum(\.stamp, for: Sale.all), equals: .max - 2)
                try expect(try accessor.maximum(\.stamp, for: Sale.all), equals: .max)
            }
            let small = try Shop.open(world, [Int.min, -1], \.units)
            try small.read { accessor in
                try expectError(.overflow) { _ = try accessor.sum(\.units, for: Sale.all) }
                try expect(try accessor.sum(\.units, for: Sale.where(\.units < -1)), equals: .min)
            }
        }
        ConformanceCase("Decimal numbers have exact sums", proves: 20) { world in
            func sum(_ texts: String...) throws -> Decimal {
                let store = try Shop.open(world, texts.map { Decimal(string: $0) }, \.fee)
                return try store.read { try $0.sum(\.fee, for: Sale.all) }
            }
            let store = try Shop.open(world)

            try expect(try store.read { try $0.sum(\.fee, for: Sale.all) }, equals: Decimal(string: "99.25"))
            try expect(
                try sum(
                    "99999999999999999999999999999999999999", "-99999999999999999999999999999999999998", "0.1"
                ),
                equals: Decimal(string: "1.1"))
            try expect(
                try sum("0.1", "0.2", "0.0000000001"), equals: Decimal(string: "0.3000000001"))
            try expect(try sum("1000000000", "-1", "-999999999"), equals: 0)
            try expect(
                try sum(
                    "-100000000000000000000000000000000000000000000000000", "-1.5", "-0.25",
                    "100000000000000000000000000000000000000000000000000"),
                equals: Decimal(string: "-1.75"))
            for texts in [("99999999999999999999999999999999999999", "0.1"), ("1e127", "1")] {
                let error = try expectError(.overflow) { _ = try sum(texts.0, texts.1) }
                try expect(error.attribute, equals: "fee")
            }
        }
        ConformanceCase("Decimal averages are rounded once, to 38 digits", proves: 20) { world in
            func average(_ texts: [String]) throws -> Decimal? {
                let store = try Shop.open(world, texts.map { Decimal(string: $0) }, \.fee)
                return try store.read { try $0.average(\.fee, for: Sale.all) }
            }
            let thirds = "0.33333333333333333333333333333333333333"

            try expect(try average(["1", "0", "0"]), equals: Decimal(string: thirds))
            try expect(
                try average(["-2", "0", "0"]),
                equals: Decimal(string: "-0.66666666666666666666666666666666666667"))
            try expect(try average(["1", "2"]), equals: Decimal(string: "1.5"))
            try expect(try average(["0.01", "0.02", "0.03"]), equals: Decimal(string: "0.02"))
            try expect(
                try average([
                    "12345678901234567890123456789012345678", "12345678901234567890123456789012345679",
                ]),
                equals: Decimal(string: "12345678901234567890123456789012345678.5"))
            try expect(
                try average([
                    "99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "1",
                ]),
                equals: Decimal(string: "66666666666666666666666666666666666666"))
            try expect(try average(["0", "0"]), equals: 0)
        }
        ConformanceCase("Durations have sums and averages", proves: 20) { world in
            let store = try Shop.open(world)
            let attosecond = Duration(secondsComponent: 0, attosecondsComponent: 1)

            try store.read { accessor in
                let sum: Duration = try accessor.sum(\.time, for: Sale.all)
                try expect(sum, equals: .milliseconds(91_500))
                try expect(try accessor.average(\.time, for: Sale.all), equals: .milliseconds(30_500))
                try expect(try accessor.minimum(\.time, for: Sale.all), equals: .zero)
                try expect(try accessor.maximum(\.time, for: Sale.all), equals: .seconds(90))
            }
            let small = try Shop.open(world, [attosecond, .zero, attosecond], \.time)
            try small.read { accessor in
                try expect(try accessor.sum(\.time, for: Sale.all), equals: attosecond * 2)
                try expect(try accessor.average(\.time, for: Sale.all), equals: attosecond)
            }
            let large = try Shop.open(world, [.seconds(Int64.max), .seconds(1), nil], \.time)
            try large.read { accessor in
                let error = try expectError(.overflow) { _ = try accessor.sum(\.time, for: Sale.all) }
                try expect(error.attribute, equals: "time")
                try expect(try accessor.average(\.time, for: Sale.all), equals: .seconds(1 << 62))
            }
            for duration in [
                Duration.seconds(-1) + .milliseconds(300), .seconds(Int64.min),
                .seconds(Int64.max) + attosecond * 7,
                .milliseconds(-1), .zero,
            ] {
                let store = try Shop.open(world, [duration], \.time)
                try expect(try store.item(0, of: Sale.self)?.time, equals: duration)
                try store.read { try expect(try $0.sum(\.time, for: Sale.all), equals: duration) }
            }
        }
        ConformanceCase("A type of the app's has the sum of its raw values", proves: 20, asking: .shop) {
            accessor in
            let sum: Int64 = try accessor.sum(\.tip, for: Sale.all)
            try expect(sum, equals: 15)
            try expect(try accessor.average(\.tip, for: Sale.all), equals: 2.5)
            try expect(try accessor.maximum(\.tip, for: Sale.all), equals: Cents(rawValue: 20))
        }
        ConformanceCase("Minimum and maximum of text go by its bytes", proves: 7, 20) { world in
            let store = try Shop.open(world)

            try store.read { accessor in
                let named = Sale.where(\.city != "")
                try expect(text: try accessor.minimum(\.city, for: named), equals: Shop.cities[2])
                try expect(text: try accessor.maximum(\.city, for: Sale.all), equals: Shop.cities[0])
                try expect(text: try accessor.minimum(\.city, for: Sale.all), equals: "")
                let french = Sale.where(.hasPrefix(\.city, "Orl"))
                try expect(text: try accessor.maximum(\.city, for: french), equals: Shop.cities[1])
                try expect(text: try accessor.minimum(\.city, for: french), equals: Shop.cities[2])
            }
            let long = String(repeating: "x", count: 600)
            let texts = [long + "b", long + "c", long + "a", "w"]
            let large = try Shop.open(world, texts, \.city)
            try large.read { accessor in
                try expect(text: try accessor.maximum(\.city, for: Sale.all), equals: long + "c")
                try expect(
                    text: try accessor.minimum(\.city, for: Sale.where(\.city > "w")), equals: long + "a")
            }
        }
        ConformanceCase("Values are counted without nil, and each once", proves: 20, asking: .shop) {
            accessor in
            try expect(try accessor.countValues(\.discount, for: Sale.all), equals: 3)
            try expect(try accessor.countValues(\.price, for: Sale.all), equals: 6)
            try expect(try accessor.countDistinct(\.price, for: Sale.all), equals: 5)
            try expect(try accessor.countDistinct(\.city, for: Sale.all), equals: 4)
            try expect(try accessor.countDistinct(\.date, for: Sale.all), equals: 4)
            try expect(try accessor.countDistinct(\.product, for: Sale.all), equals: 3)
            try expect(try accessor.countDistinct(\.isPaid, for: Sale.all), equals: 2)
            try expect(try accessor.countDistinct(\.fee, for: Sale.all), equals: 4)
            try expect(try accessor.countDistinct(\.id, for: Sale.where(\.isPaid)), equals: 4)
        }
        ConformanceCase("Nil is left out, and nothing has no average", proves: 20, asking: .shop) {
            accessor in
            let without: [DataStoreRequest<Sale>] = [
                Sale.where(\.id == 5), Sale.where(\.id > 100), Sale.all.limit(0),
                Sale.where(.always(false)),
            ]
            for request in without {
                try expect(try accessor.sum(\.discount, for: request), equals: 0)
                try expect(try accessor.average(\.discount, for: request), equals: nil)
                try expect(try accessor.minimum(\.discount, for: request), equals: nil)
                try expect(try accessor.maximum(\.date, for: request), equals: nil)
                try expect(try accessor.minimum(\.date, for: request), equals: nil)
                try expect(try accessor.sum(\.fee, for: request), equals: 0)
                try expect(try accessor.average(\.fee, for: request), equals: nil)
                try expect(try accessor.sum(\.time, for: request), equals: .zero)
                try expect(try accessor.countValues(\.discount, for: request), equals: 0)
                try expect(try accessor.countDistinct(\.date, for: request), equals: 0)
            }
            let none = Sale.where(\.id > 100)
            try expect(try accessor.sum(\.units, for: none), equals: 0)
            try expect(try accessor.average(\.units, for: none), equals: nil)
            try expect(try accessor.aggregate(none, .count), equals: 0)
            try expect(try accessor.maximum(\.units, for: none), equals: nil)
            try expect(try accessor.aggregate(Sale.where(\.id == 5), .count), equals: 1)
        }
        ConformanceCase("Several aggregates are found in one pass", proves: 20, asking: .shop) { accessor in
            let (count, total, latest, cities, fees, largest) = try accessor.aggregate(
                Sale.where(\.isPaid), .count, .sum(\.price), .maximum(\.date), .countDistinct(\.city),
                .sum(\.fee), .maximum(\.units))
            try expect(count, equals: 4)
            try expect(total, equals: 8.25)
            try expect(latest, equals: Shop.day(31))
            try expect(cities, equals: 3)
            try expect(fees, equals: Decimal(string: "-0.75"))
            try expect(largest, equals: 3)
            let (first, last) = try accessor.aggregate(Sale.all, .minimum(\.date), .maximum(\.date))
            try expect(first, equals: Shop.day(-1))
            try expect(last, equals: Shop.day(59.5))
            let (same, again) = try accessor.aggregate(Sale.all, .sum(\.units), .sum(\.units))
            try expect(same, equals: again)
        }
        ConformanceCase("Aggregates are of the filtered items", proves: 6, 20, asking: .shop) { accessor in
            try expect(try accessor.sum(\.price, for: Sale.where(\.city == "Rome")), equals: 3.5)
            try expect(try accessor.sum(\.price, for: Sale.where(!(\.city == "Rome"))), equals: 7.25)
            try expect(try accessor.sum(\.units, for: Sale.where(\.discount != nil)), equals: 15)
            try expect(try accessor.average(\.price, for: Sale.where(\.units > 2)), equals: 5.0 / 3)
            try expect(
                try accessor.sum(\.price, for: Sale.where(.contains(\.city, "l") || \.units == 7)),
                equals: 5.5)
            try expect(
                try accessor.sum(\.units, for: Sale.where(\.isPaid).sorted(by: \.price, .descending)),
                equals: 3)
        }
        ConformanceCase("Aggregates are of exactly the items in the window", proves: 13, 20, asking: .shop) {
            accessor in
            let byPrice = Sale.all.sorted(by: \.price, .descending)

            try expect(try accessor.sum(\.price, for: byPrice.limit(2)), equals: 7)
            try expect(try accessor.sum(\.price, for: byPrice.offset(2).limit(2)), equals: 5)
            try expect(try accessor.sum(\.units, for: byPrice.offset(4)), equals: 8)
            try expect(try accessor.aggregate(byPrice.limit(4), .count), equals: 4)
            try expect(try accessor.aggregate(byPrice.offset(4).limit(10), .count), equals: 2)
            try expect(try accessor.minimum(\.units, for: Sale.all.limit(3)), equals: 1)
            try expect(
                try accessor.maximum(\.date, for: byPrice.offset(1).limit(1)), equals: Shop.day(-1))
            try expect(
                try accessor.sum(\.price, for: Sale.where(\.isPaid).sorted(by: \.city).limit(2)),
                equals: 3.25
            )
            try expect(try accessor.sum(\.price, for: byPrice.offset(.max).limit(.max)), equals: 0)
        }
        ConformanceCase("Minimum and maximum of an indexed attribute in a range", proves: 20, asking: .shop) {
            accessor in
            try expect(try accessor.minimum(\.units, for: Sale.all), equals: -2)
            try expect(try accessor.maximum(\.units, for: Sale.where(\.units < 5)), equals: 3)
            try expect(
                try accessor.minimum(\.units, for: Sale.where(\.units > 3 && \.units <= 7)), equals: 5)
            try expect(try accessor.maximum(\.units, for: Sale.where(\.units > 7)), equals: nil)
            try expect(
                try accessor.minimum(\.date, for: Sale.where(\.date > Shop.day(0))), equals: Shop.day(31))
            try expect(try accessor.minimum(\.date, for: Sale.where(\.date == nil)), equals: nil)
            try expect(try accessor.minimum(\.date, for: Sale.where(\.date != nil)), equals: Shop.day(-1))
            try expect(try accessor.maximum(\.id, for: Sale.where(\.id < 4)), equals: 3)
            try expect(try accessor.minimum(\.isPaid, for: Sale.all), equals: false)
            try expect(try accessor.maximum(\.isPaid, for: Sale.all), equals: true)
        }
        ConformanceCase("Aggregates refuse a negative limit or offset", proves: 13, 20, asking: .shop) {
            accessor in
            for request in [Sale.all.limit(-1), Sale.all.offset(-1)] {
                try expectError(.invalidRequest) { _ = try accessor.sum(\.price, for: request) }
                try expectError(.invalidRequest) {
                    _ = try accessor.distinctValues(for: request, \.price)
                }
                try expectError(.invalidRequest) {
                    _ = try accessor.groups(for: request.grouped(by: \.city), .count)
                }
            }
        }
    }
}
