import Foundation
import Larder

/// Aggregates through relationships, in blocks with changes, of every attribute type, and of random data.
enum AggregateRequestCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Every attribute type has a minimum and a maximum", proves: 8, 20) { world in
            let store = try world.open(Everything.self, Restaurant.self)
            let (smallest, greatest) = (Everything.smallest(1), Everything.greatest(2))
            let optional = Everything.emptyButThere(3)
            try store.writeSync { try $0.insert(contentsOf: [greatest, optional, smallest]) }

            func check<Value: AttributeValue>(
                _ path: AttributePath<Everything, Value>, _ value: KeyPath<Everything, Value>
            ) throws {
                try store.read { accessor in
                    let request = Everything.where(.isIn(\.id, [smallest.id, greatest.id]))
                    let (first, last, count) = try accessor.aggregate(
                        request, .minimum(path), .maximum(path), .countDistinct(path))
                    let expected = [smallest[keyPath: value], greatest[keyPath: value]]
                    try expect(first as? Value, equals: expected.first, "the minimum of \(path)")
                    try expect(last as? Value, equals: expected.last, "the maximum of \(path)")
                    try expect(count, equals: 2, "the values of \(path)")
                    try expect(
                        try accessor.minimum(path, for: Everything.all) as? Value, equals: expected.first)
                }
            }
            try check(\.bool, \.bool)
            try check(\.int8, \.int8)
            try check(\.int16, \.int16)
            try check(\.int32, \.int32)
            try check(\.int64, \.int64)
            try check(\.int, \.int)
            try check(\.uint8, \.uint8)
            try check(\.uint16, \.uint16)
            try check(\.uint32, \.uint32)
            try check(\.uint64, \.uint64)
            try check(\.uint, \.uint)
            try check(\.float, \.float)
            try check(\.double, \.double)
            try check(\.text, \.text)
            try check(\.data, \.data)
            try check(\.date, \.date)
            try check(\.uuid, \.uuid)
            try check(\.url, \.url)
            try check(\.decimal, \.decimal)
            try check(\.course, \.course)
            try check(\.level, \.level)
            try check(\.friend, \.friend)
            try check(\.id, \.id)
            try checkOptionals(store)
        }
        ConformanceCase("Aggregates of an attribute after a reference", proves: 17, 20) { world in
            let store = try Shop.open(world)

            try store.read { accessor in
                try expect(try accessor.sum(\.product.weight, for: Sale.all), equals: 5)
                try expect(try accessor.average(\.product.weight, for: Sale.all), equals: 1)
                try expect(try accessor.maximum(\.product.name, for: Sale.all), equals: "Tea")
                try expect(try accessor.minimum(\.product.name, for: Sale.where(\.isPaid)), equals: "Bread")
                try expect(try accessor.countValues(\.product.category, for: Sale.all), equals: 4)
                try expect(try accessor.countDistinct(\.product.category, for: Sale.all), equals: 1)
                try expect(try accessor.countDistinct(\.product.id, for: Sale.all), equals: 3)
                let (units, weight, name) = try accessor.aggregate(
                    Sale.all.sorted(by: \.price, .descending).limit(3), .sum(\.units), .sum(\.product.weight),
                    .minimum(\.product.name))
                try expect(units, equals: 4)
                try expect(weight, equals: 2.5)
                try expect(name, equals: "Coffee")
                let byName = Sale.all.sorted(by: \.product.name).sorted(by: \.price)
                try expect(try accessor.sum(\.price, for: byName.limit(3)), equals: 1.75)
                try expect(try accessor.sum(\.product.weight, for: byName.offset(1).limit(2)), equals: 3)
            }
            let library = try world.openElsewhere(
                Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
            try library.writeSync(SmallLibrary.fill)
            try library.read { accessor in
                // Through several references, and the other side of a one-to-one relationship.
                try expect(try accessor.maximum(\.mentor.mentor.name, for: Person.all), equals: "Dan")
                try expect(try accessor.countValues(\.mentor.mentor.name, for: Person.all), equals: 2)
                try expect(try accessor.sum(\.passport.number, for: Person.all), equals: 12)
                try expect(try accessor.sum(\.mentor.passport.number, for: Person.all), equals: 17)
            }
        }
        ConformanceCase("Aggregates of the items of a relationship", proves: 17, 20) { world in
            let store = try Shop.open(world)
            let sibling = try world.sibling()
            let library = try sibling.openSmallLibrary()

            try store.read { accessor in
                let tea = try require(try accessor.item(id: Shop.products[0].id))
                let unsold = try require(try accessor.item(id: Shop.products[3].id))
                try expect(try accessor.sum(\.units, for: tea.sales.request), equals: 4)
                try expect(
                    try accessor.aggregate(tea.sales.request.filter(\.units > 1), .count, .sum(\.fee)).1,
                    equals: Decimal(string: "0.1"))
                try expect(try accessor.sum(\.units, for: unsold.sales.request), equals: 0)
                try expect(try accessor.maximum(\.date, for: unsold.sales.request), equals: nil)
            }
            try library.read { accessor in
                let delta = try require(try accessor.item(id: 40, of: Book.self))
                let gamma = try require(try accessor.item(id: 30, of: Book.self))
                try expect(try accessor.sum(\.rank, for: delta.labels.request), equals: 6)
                try expect(
                    try accessor.maximum(\.rank, for: delta.labels.request.filter(\.rank < 3)), equals: 2)
                try expect(try accessor.sum(\.rank, for: delta.labels.request.limit(2)), equals: 5)
                let titles = gamma.chapters.request
                try expect(try accessor.maximum(\.title, for: titles), equals: "End")
                try expect(try accessor.maximum(\.title, for: titles.limit(1)), equals: "Egg")
                try expect(try accessor.minimum(\.title, for: titles.offset(1)), equals: "End")
                try expect(try accessor.aggregate(titles.filter(\.title != "End"), .count), equals: 1)
                let red = try require(try accessor.item(id: "red", of: Label.self))
                try expect(try accessor.sum(\.year, for: red.books.request), equals: 1990 + 2000 + 2010)
                try expect(
                    try accessor.sum(
                        \.year, for: red.books.request.sorted(by: \.author.name, .descending).limit(1)),
                    equals: 2010)
            }
        }
        ConformanceCase(
            "Aggregates of items that a test of related items finds", proves: 17, 20, asking: .shop
        ) { accessor in
            try expect(
                try accessor.sum(\.units, for: Sale.where(\.product.category == "Drinks")), equals: 7)
            try expect(try accessor.sum(\.units, for: Sale.where(\.product.category == nil)), equals: 8)
            try expect(
                try accessor.sum(\.weight, for: Product.where(.any(\.sales, \.units > 3))), equals: 1)
            try expect(
                try accessor.maximum(\.name, for: Product.where(\.sales.count == 0)), equals: "Unsold")
            let groups = try accessor.groups(
                for: Sale.where(\.product.name != "Tea").grouped(by: \.isPaid), .sum(\.units))
            try expect(groups.map(\.1), equals: [12, -1])
        }
        ConformanceCase("Aggregates see the changes of their block", proves: 4, 20) { world in
            let store = try Shop.open(world)

            try store.writeSync { accessor in
                try accessor.insert(Sale(7, of: 4, city: "Rome", units: 100, price: 1e16))
                let first = try require(try accessor.mutableItem(id: 1, of: Sale.self))
                first.units = 50
                first.price = 1
                _ = try accessor.deleteItems(for: Sale.where(\.id == 6))
                try expect(try accessor.sum(\.units, for: Sale.all), equals: 155)
                try expect(try accessor.sum(\.price, for: Sale.all), equals: 1e16 + 10.75)
                try expect(try accessor.maximum(\.units, for: Sale.all), equals: 100)
                try expect(try accessor.maximum(\.date, for: Sale.all), equals: Shop.day(31))
                try expect(try accessor.maximum(\.product.name, for: Sale.all), equals: "Unsold")
                first.units = 1000
                try expect(try accessor.maximum(\.units, for: Sale.all), equals: 1000)
                let groups = try accessor.groups(for: Sale.all.grouped(by: \.city), .count, .maximum(\.units))
                try expect(groups.map(\.0), equals: ["", Shop.cities[2], Shop.cities[1], "Rome"])
                try expect(groups.map(\.1), equals: [1, 1, 1, 3])
                try expect(groups.map(\.2), equals: [1, -2, 5, 1000])
                try expect(
                    try accessor.distinctValues(for: Sale.where(\.city == "Rome"), \.units),
                    equals: [1, 100, 1000])
            }
            try store.read { accessor in
                try expect(try accessor.sum(\.units, for: Sale.all), equals: 1105)
                try expect(try accessor.maximum(\.units, for: Sale.all), equals: 1000)
            }
        }
        ConformanceCase("Aggregates of a snapshot do not see later commits", proves: 1, 20) { world in
            let store = try Shop.open(world)

            try store.read { accessor in
                try expect(try accessor.sum(\.units, for: Sale.all), equals: 15)
                try Background { try store.writeSync { _ = try $0.deleteAllItems(of: Sale.self) } }.value()
                try expect(try accessor.sum(\.units, for: Sale.all), equals: 15)
                try expect(try accessor.maximum(\.units, for: Sale.all), equals: 7)
                try expect(try accessor.countGroups(for: Sale.all.grouped(by: \.city)), equals: 4)
            }
            try expect(try store.read { try $0.sum(\.units, for: Sale.all) }, equals: 0)
        }
        ConformanceCase("Random aggregates are what plain Swift computes", proves: 20) { world in
            for seed in [1, 2, 3] as [UInt64] {
                var random = RandomSales(seed: seed)
                let sales = random.sales(count: 400)
                let store = try world.openElsewhere(Product.self, Sale.self)
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: Shop.products)
                    try accessor.insert(contentsOf: sales)
                }
                try store.read { accessor in
                    for _ in 0..<40 {
                        let (request, found) = random.request(sales)
                        let place = "seed \(seed), \(request)"
                        let (count, units, price, average, latest, cities) = try accessor.aggregate(
                            request, .count, .sum(\.units), .sum(\.price), .average(\.units),
                            .maximum(\.date),
                            .countDistinct(\.city))
                        try expect(count, equals: found.count, place)
                        try expect(units, equals: found.reduce(0) { $0 + Int64($1.units) }, place)
                        try expect(price, equals: RandomSales.sum(found.map(\.price)), place)
                        try expect(average, equals: RandomSales.average(found.map(\.units)), place)
                        try expect(latest, equals: found.compactMap(\.date).max(), place)
                        try expect(cities, equals: Set(found.map { Array($0.city.utf8) }).count, place)
                        try expect(
                            try accessor.minimum(\.units, for: request), equals: found.map(\.units).min(),
                            place)
                        try expect(
                            try accessor.sum(\.fee, for: request),
                            equals: found.compactMap(\.fee).reduce(0, +), place)
                    }
                }
            }
        }
        ConformanceCase("An explanation of aggregates has steps", proves: 20) { world in
            let store = try Shop.open(world)

            try store.read { accessor in
                try expect(try !accessor.explain(Sale.all, .sum(\.price), .count).isEmpty, "steps")
                try expect(try !accessor.explain(Sale.all, .maximum(\.units)).isEmpty, "steps")
                try expect(try !accessor.explain(Sale.all, .sum(\.product.weight)).isEmpty, "steps")
                try expect(try !accessor.explain(Sale.all.grouped(by: \.city), .count).isEmpty, "steps")
            }
        }
    }

    /// One value each, beside nil.
    private static func checkOptionals(_ store: any DataStore) throws {
        let greatest = Everything.greatest(2)
        func check<Value: AttributeValue>(
            _ path: AttributePath<Everything, Value?>, _ value: Value?
        ) throws {
            try store.read { accessor in
                let request = Everything.where(\.id != Everything.emptyButThere(3).id)
                let (first, last, count) = try accessor.aggregate(
                    request, .minimum(path), .maximum(path), .countValues(path))
                try expect(first as? Value, equals: value, "the minimum of \(path)")
                try expect(last as? Value, equals: value, "the maximum of \(path)")
                try expect(count, equals: 1, "the values of \(path)")
            }
        }
        try check(\.maybeBool, greatest.maybeBool)
        try check(\.maybeInt8, greatest.maybeInt8)
        try check(\.maybeInt16, greatest.maybeInt16)
        try check(\.maybeInt32, greatest.maybeInt32)
        try check(\.maybeInt64, greatest.maybeInt64)
        try check(\.maybeUint8, greatest.maybeUint8)
        try check(\.maybeUint16, greatest.maybeUint16)
        try check(\.maybeUint32, greatest.maybeUint32)
        try check(\.maybeUint64, greatest.maybeUint64)
        try check(\.maybeFloat, greatest.maybeFloat)
        try check(\.maybeDouble, greatest.maybeDouble)
        try check(\.maybeText, greatest.maybeText)
        try check(\.maybeData, greatest.maybeData)
        try check(\.maybeDate, greatest.maybeDate)
        try check(\.maybeUuid, greatest.maybeUuid)
        try check(\.maybeUrl, greatest.maybeUrl)
        try check(\.maybeDecimal, greatest.maybeDecimal)
        try check(\.maybeCourse, greatest.maybeCourse)
        try check(\.maybeLevel, greatest.maybeLevel)
        try check(\.maybeFriend, greatest.maybeFriend)
        try store.read { accessor in
            let all = Everything.all
            try expect(try accessor.sum(\.maybeInt8, for: all), equals: 127)
            try expect(try accessor.sum(\.maybeUint32, for: all), equals: Int64(UInt32.max))
            try expect(try accessor.sum(\.maybeInt64, for: all), equals: .max)
            try expect(try accessor.sum(\.uint8, for: all), equals: 255)
            try expect(try accessor.sum(\.int64, for: Everything.where(\.int64 > 0)), equals: .max)
            try expect(try accessor.average(\.maybeInt16, for: all), equals: Double(Int16.max) / 2)
            try expect(
                try accessor.sum(\.maybeDecimal, for: all), equals: Everything.greatest(2).maybeDecimal)
        }
    }
}
