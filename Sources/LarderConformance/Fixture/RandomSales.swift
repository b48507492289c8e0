import Foundation
import Larder

/// Random sales and requests for them, beside plain Swift.
struct RandomSales: SeededFixture {
    var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(state: seed)
    }

    mutating func sales(count: Int) -> [Sale] {
        (0..<count).map { position in
            Sale(
                Int64(position + 1), of: isNow(oneIn: 4) ? nil : Int64(number(1...4)),
                city: Shop.cities[number(0...3)], units: number(-50...50), price: price(),
                discount: isNow(oneIn: 3) ? nil : price(),
                fee: isNow(oneIn: 3) ? nil : Decimal(number(-100_000...100_000)) / 1000,
                time: isNow(oneIn: 3) ? nil : .nanoseconds(number(-1_000_000...1_000_000_000)),
                date: isNow(oneIn: 4) ? nil : Shop.day(Double(number(-4_000...40_000)) / 24),
                isPaid: isNow(oneIn: 2), stamp: UInt64(number(0...9)))
        }
    }

    /// Numbers that are nearly equal, and others of any size, whose sum depends on the order.
    private mutating func price() -> Double {
        if isNow(oneIn: 3) { return Double(number(-1_000_000...1_000_000)) / 1024 }
        let price = Double(
            sign: .plus, exponent: number(-200...200), significand: 1 + Double(number(0...999)) / 7)
        return isNow(oneIn: 2) ? price : -price
    }

    /// A request, and what it finds.
    mutating func request(_ sales: [Sale]) -> (DataStoreRequest<Sale>, [Sale]) {
        var request = Sale.all
        var found = sales
        switch number(0...5) {
        case 0:
            let limit = number(-50...50)
            request = request.filter(\.units > limit)
            found.removeAll { $0.units <= limit }
        case 1:
            let city = Shop.cities[number(0...3)]
            request = request.filter(\.city == city)
            found.removeAll { Array($0.city.utf8) != Array(city.utf8) }
        case 2:
            request = request.filter(\.isPaid && \.product.name == "Tea")
            found.removeAll { !$0.isPaid || $0.product != ToOne(id: ItemID(rawValue: 1)) }
        case 3:
            request = request.filter(\.date == nil || \.stamp < 3)
            found.removeAll { $0.date != nil && $0.stamp >= 3 }
        default: break
        }
        if isNow(oneIn: 2) {
            let isAscending = isNow(oneIn: 2)
            request = request.sorted(by: \.price, isAscending ? .ascending : .descending)
            found.sort {
                isAscending ? ($0.price, $0.id) < ($1.price, $1.id) : ($0.price, $0.id) > ($1.price, $1.id)
            }
        }
        if isNow(oneIn: 3) {
            let (offset, limit) = (number(0...30), number(0...60))
            request = request.offset(offset).limit(limit)
            found = Array(found.dropFirst(offset).prefix(limit))
        }
        return (request, found)
    }

    /// The sum, rounded once: the algorithm of Shewchuk, which Python's `fsum` uses.
    static func sum(_ values: [Double]) -> Double {
        var partials: [Double] = []
        for value in values {
            var x = value
            var kept: [Double] = []
            for var y in partials {
                if abs(x) < abs(y) { swap(&x, &y) }
                let high = x + y
                let low = y - (high - x)
                if low != 0 { kept.append(low) }
                x = high
            }
            partials = kept + [x]
        }
        guard var sum = partials.popLast() else { return 0 }
        var low = 0.0
        while let y = partials.popLast() {
            let x = sum
            sum = x + y
            low = y - (sum - x)
            if low != 0 { break }
        }
        // Half of the last bit is rounded by what comes after it.
        if let next = partials.last, low != 0, (low < 0) == (next < 0) {
            let twice = low * 2
            let rounded = sum + twice
            if twice == rounded - sum { sum = rounded }
        }
        return sum
    }

    /// The average of small integers, which one division rounds.
    static func average(_ values: [Int]) -> Double? {
        values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
    }
}
