import Foundation
import Larder
import LarderText

/// Attributes are compared with attributes, and calculated with, as in Swift.
enum CalculationCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Two attributes of an item can be compared", proves: 6, 7, answersOf: .restaurants) {
            [
                (\.name < \.city, [4, 5, 7, 10]), (\.name == \.city, []),
                (\.name != \.city, Fixture.restaurants()), (\.city >= \.name, [4, 5, 7, 10]),
                (\.slug > \.city, [1, 2, 4, 5, 6, 8, 9, 10, 11]), (\.note < \.slug, [2, 6, 8, 10]),
                (!(\.note < \.slug), [1, 3, 4, 5, 7, 9, 11, 12]), (\.slug == \.note, [7, 12]),
                (\.slug != \.note, Fixture.restaurants(except: 7, 12)), (!(\.slug != \.note), [7, 12]),
                (\.seats == \.seats, Fixture.restaurants()), (\.seats < \.seats, []),
                (\.openedAt <= \.openedAt, [1, 3, 4, 6, 8, 9, 11]),
                (\.openedAt == \.openedAt, Fixture.restaurants()),
                (\.name < \.city && \.seats > 10, [4, 5, 10]),
                (\.rating <= \.rating, Fixture.restaurants()),
                (\.name < \.city || \.seats == 8, [4, 5, 6, 7, 10]),
            ] as [(Filter<Restaurant>, [Int64])]
            Answer(Restaurant.where(\.name < \.city).sorted(by: \.seats, .descending).limit(2), [10, 5])
        }
        ConformanceCase(
            "Attributes of an item and of its references can be compared", proves: 6, answersOf: .library
        ) {
            [
                (\.author == \.editor, [40]), (\.author != \.editor, [10, 20, 30, 50, 60]),
                (\.author.name == \.editor.name, [40]), (\.author.name < \.editor.name, [10]),
                (!(\.author.name < \.editor.name), [20, 30, 40, 50, 60]),
                (\.editor.name == \.editor.mentor.name, [20, 50, 60]),
                (\.author.mentor.name == \.editor.name, [20, 30]), (\.author.name > \.title, []),
                (\.title > \.author.name, [10, 20, 30, 40, 50, 60]),
                (\.shelf.id * 1000 > \.year - 500, [30, 50]),
                (\.author.passport.number * 300 > \.year, [30]),
                (\.author.name == \.editor.name || \.year == 2020, [40, 60]),
                (\.author.name != \.editor.name && \.year == 2000, [20, 30]),
                (\.author.name == \.author.mentor.name, [50]),
            ] as [(Filter<Book>, [Int64])]
            Answer(Book.where(\.id == 10 && \.author.name < \.editor.name), [10])
            Answer(Book.where(\.author.name < \.editor.name && \.id > 10), [])
            Answer(Book.where(\.author.name < \.editor.name && \.title > \.author.name), [10])
            [
                (.any(\.books, \.author.name < \.editor.name), [1]),
                (.none(\.books, \.author != \.editor), [5]),
                (\.mentor.name < \.name, [2, 3, 5]), (!(\.mentor.name < \.name), [1, 4]),
                (\.mentor == \.mentor.mentor, [1, 4]),
            ] as [(Filter<Person>, [Int64])]
        }
        ConformanceCase(
            "Comparisons through references sort, count, change and delete", proves: 4, 6
        ) { world in
            let store = try world.openSmallLibrary()
            let differing = Book.where(\.author.name < \.editor.name || \.author.mentor.name == \.editor.name)

            try expect(differing.sorted(by: \.title, .descending).limit(2), gives: [30, 20], in: store)
            try expect(differing.sorted(by: \.author.name).offset(1), gives: [20, 30], in: store)
            try store.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 60, of: Book.self))
                book.editor = ToOne(id: ItemID(rawValue: 2))
                try expect(try accessor.ids(for: differing), equals: [10, 20, 30, 60])
                try expect(try accessor.update(differing, .set(\.year, to: 1)), equals: 4)
                try expect(try accessor.countItems(for: Book.where(\.year == 1)), equals: 4)
                try accessor.deleteItems(for: Book.where(\.author.name < \.editor.name))
            }
            try expect(Book.where(\.year == 1), gives: [20, 30, 60], in: store)
        }
        ConformanceCase("Numbers are calculated as in Swift", proves: 6, answersOf: .restaurants) {
            Answer(Restaurant.where(\.seats * 2 > 80), [3, 8, 9, 10])
            Answer(Restaurant.where(\.seats + \.seats == 24), [4, 5])
            Answer(Restaurant.where(\.seats - 60 == 0), [8, 9])
            Answer(Restaurant.where(100 - \.seats < 50), [3, 8, 9, 10])
            Answer(Restaurant.where(\.seats / 25 == 2), [8, 9])
            Answer(Restaurant.where(\.seats % 25 == 0), [2, 7, 10])
            Answer(Restaurant.where(-\.seats < -60), [3, 10])
            Answer(Restaurant.where(-(\.seats - 10) > 0), [6, 7])
            let left: Calculation<Restaurant, Int> = (\.seats + 2) * 3
            let right: Calculation<Restaurant, Int> = \.seats * 3 + 6
            Answer(Restaurant.where(left == right), Fixture.restaurants())
            Answer(Restaurant.where(\.seats < \.seats * 2), Fixture.restaurants(except: 7))
            Answer(Restaurant.where(\.rating * 2 == 9), [1, 2, 6])
            Answer(Restaurant.where(\.rating + 0.5 > 5), [4, 9])
            Answer(Restaurant.where(\.rating / 0 == .infinity), Fixture.restaurants(except: 7, 8))
            Answer(Restaurant.where(\.rating * 0.1 == 0.30000000000000004), [3])
            Answer(Restaurant.where(\.rating - \.rating == 0), Fixture.restaurants(except: 9))
            Answer(Restaurant.where(\.seats * 2 > 80 && \.isOpen), [8, 9, 10])
            Answer(Restaurant.where(\.seats % 2 == 0).sorted(by: \.seats).offset(3).limit(3), [5, 11, 12])
        }
        ConformanceCase("A calculation that has no result is nil", proves: 6) { world in
            let store = try world.open(Everything.self)
            try store.writeSync {
                try $0.insert(contentsOf: [Everything.smallest(1), .greatest(2), .emptyButThere(3)])
            }

            func check(_ filter: Filter<Everything>, _ expected: [Int64], line: Int = #line) throws {
                try expect(Everything.where(filter), gives: expected, in: store, line: line)
            }
            try check(\.int64 + 1 > 0, [])
            try check(!(\.int64 + 1 > 0), [1, 2, 3])
            try check(\.int64 + 1 != 0, [1, 2, 3])
            try check(\.int64 + 1 < 0, [1, 3])
            try check(-\.int64 < 0, [2])
            try check(\.uint64 - 1 >= 0, [2])
            try check(\.uint64 + 1 > 0, [1, 3])
            try check(-\.uint64 == 0, [1, 3])
            try check(\.int / 0 == 0, [])
            try check(\.int % 0 != 0, [1, 2, 3])
            try check(\.int / -1 == 0, [])
            try check(\.int16 * \.int16 > 30_000, [1, 2, 3])
            try check(\.double - \.double == 0, [])
            try check(\.double / 0 < 0, [1, 3])
            try check(\.maybeInt + 1 == 1, [3])
            try check(\.maybeInt + 1 != 1, [1, 2])
            try check(\.maybeDouble * 2 == .infinity, [2])
            try check(\.decimal / 0 == 0, [])
            try check(\.maybeDecimal + 1 == 1, [3])
            try check(\.maybeFloat * 2 == .infinity, [2])
            try check(\.maybeInt16 == \.maybeInt16, [1, 2, 3])
            try check(\.uint64 == \.maybeUint64, [2, 3])
            try check(\.maybeUint64 < \.uint64, [])
            try check(\.decimal == \.maybeDecimal, [2])
            try check(\.decimal != \.maybeDecimal, [1, 3])
            try check(\.uuid == \.maybeUuid, [2, 3])
            try check(\.data == \.maybeData, [2, 3])
            try check(\.url == \.maybeUrl, [2])
            try check(\.bool == \.maybeBool, [2, 3])
            try check(\.course != \.maybeCourse, [1, 2, 3])
            try check(\.friend == \.maybeFriend, [])
        }
        ConformanceCase("A calculation nested too deeply is refused", proves: 10, asking: .restaurants) {
            accessor in
            var sum: Calculation<Restaurant, Int> = \.seats + 0
            for _ in 0..<199 { sum = sum + 1 }

            try expect(Restaurant.where(sum == 211), gives: [4, 5], in: accessor)
            try expectError(.invalidRequest) { _ = try accessor.items(for: Restaurant.where(sum + 1 == 212)) }
            try expectError(.invalidRequest) { try Restaurant.where(\.rating * .nan > 1).validate() }
        }
        ConformanceCase("Random calculations give what Swift gives", proves: 6) { world in
            let seed = ConformanceSeed.value
            var random = RandomLibrary(seed: seed)
            let store = try world.open(Everything.self)
            let items = (1...40).map { id in
                var item = Everything.smallest(Int64(id))
                item.int = anyNumber(&random)
                item.int8 = Int8.random(in: .min ... .max, using: &random)
                item.maybeInt = Bool.random(using: &random) ? nil : anyNumber(&random)
                return item
            }
            try store.writeSync { try $0.insert(contentsOf: items) }
            let signs:
                [(
                    String,
                    (Calculation<Everything, Int>, Calculation<Everything, Int>) -> Filter<Everything>,
                    (Int, Int) -> Bool
                )] = [
                    ("<", { $0 < $1 }, { $0 < $1 }), ("<=", { $0 <= $1 }, { $0 <= $1 }),
                    (">", { $0 > $1 }, { $0 > $1 }), (">=", { $0 >= $1 }, { $0 >= $1 }),
                ]
            for _ in 0..<60 {
                let (left, right) = (formula(&random, depth: 3), formula(&random, depth: 2))
                let sign = signs[Int.random(in: 0..<4, using: &random)]
                let isNegated = Bool.random(using: &random)
                let order = sign.1(left.calculation, right.calculation)
                let filter = isNegated ? !order : order
                func passing(_ accepts: (Int?, Int?) -> Bool) -> [Int64] {
                    items.filter { accepts(left.value($0), right.value($0)) }.map(\.id.rawValue)
                }
                let expected = passing { left, right in
                    let holds = left.flatMap { left in right.map { sign.2(left, $0) } } ?? false
                    return holds != isNegated
                }
                do {
                    try expect(Everything.where(filter), gives: expected, in: store)
                    try expect(
                        Everything.where(left.calculation == right.calculation), gives: passing { $0 == $1 },
                        in: store)
                    try expect(
                        Everything.where(left.calculation != right.calculation), gives: passing { $0 != $1 },
                        in: store)
                    let text = filter.text
                    try expect(
                        try Filter<Everything>(text: text) == filter, "\(text) comes back from its text")
                } catch {
                    throw ConformanceFailure.seeded(error, seed)
                }
            }
        }
    }

    /// A calculation with the same in Swift; nil if an integer does not fit.
    private struct Formula {
        let calculation: Calculation<Everything, Int>
        let value: (Everything) -> Int?
    }

    private static func anyNumber(_ random: inout RandomLibrary) -> Int {
        let numbers = [0, 1, -1, .max, .min, Int.random(in: -20...20, using: &random)]
        return numbers[Int.random(in: 0..<numbers.count, using: &random)]
    }

    private static func formula(_ random: inout RandomLibrary, depth: Int) -> Formula {
        let number = anyNumber(&random)
        if depth == 0 {
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                return Formula(calculation: \.int + number) {
                    Self.checked($0.int.addingReportingOverflow(number))
                }
            case 1:
                return Formula(calculation: number - \.maybeInt) { item in
                    item.maybeInt.flatMap { Self.checked(number.subtractingReportingOverflow($0)) }
                }
            case 2:
                return Formula(calculation: -\.maybeInt) { item in
                    item.maybeInt.flatMap { Self.checked(0.subtractingReportingOverflow($0)) }
                }
            default:
                return Formula(calculation: \.int * \.maybeInt) { item in
                    item.maybeInt.flatMap { Self.checked(item.int.multipliedReportingOverflow(by: $0)) }
                }
            }
        }
        let (left, right) = (formula(&random, depth: depth - 1), formula(&random, depth: depth - 1))
        func combined(
            _ calculation: Calculation<Everything, Int>,
            _ calculate: @escaping (Int, Int) -> (partialValue: Int, overflow: Bool)
        ) -> Formula {
            Formula(calculation: calculation) { item in
                guard let left = left.value(item), let right = right.value(item) else { return nil }
                return Self.checked(calculate(left, right))
            }
        }
        let (first, second) = (left.calculation, right.calculation)
        switch Int.random(in: 0...5, using: &random) {
        case 0: return combined(first + second) { $0.addingReportingOverflow($1) }
        case 1: return combined(first - second) { $0.subtractingReportingOverflow($1) }
        case 2: return combined(first * second) { $0.multipliedReportingOverflow(by: $1) }
        case 3: return combined(first / second) { $0.dividedReportingOverflow(by: $1) }
        case 4:
            return combined(first % second) {
                $1 == -1 ? (0, false) : $0.remainderReportingOverflow(dividingBy: $1)
            }
        default:
            return Formula(calculation: \.int - first) { item in
                left.value(item).flatMap { Self.checked(item.int.subtractingReportingOverflow($0)) }
            }
        }
    }

    private static func checked(_ result: (partialValue: Int, overflow: Bool)) -> Int? {
        result.overflow ? nil : result.partialValue
    }
}
