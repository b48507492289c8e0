import Foundation
import Larder

/// Different values of attributes, each once.
enum DistinctCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Values come once, in their order", proves: 7, 8, 20, asking: .shop) { accessor in
            let cities = try accessor.distinctValues(for: Sale.all, \.city)
            try expect(
                cities.map { Array($0.utf8) },
                equals: ["", Shop.cities[2], Shop.cities[1], "Rome"].map { Array($0.utf8) })
            try expect(
                try accessor.distinctValues(for: Sale.all, \.discount), equals: [nil, 0.25, 0.5, 1])
            try expect(
                try accessor.distinctValues(for: Sale.where(\.units > 3), \.isPaid), equals: [false])
            try expect(
                try accessor.distinctValues(for: Sale.all, \.fee).map { $0?.description },
                equals: [nil, "-1.05", "0.1", "0.2", "100"])
            try expect(try accessor.distinctValues(for: Sale.where(\.id > 9), \.units), equals: [])
        }
        ConformanceCase("Values of several attributes come once", proves: 8, 20, asking: .shop) { accessor in
            let pairs = try accessor.distinctValues(for: Sale.where(\.city == "Rome"), \.isPaid, \.price)
            try expect(pairs.map(\.0), equals: [false, true])
            try expect(pairs.map(\.1), equals: [-1.5, 2.5])
            let same = try accessor.distinctValues(for: Sale.all, \.units, \.units)
            try expect(same.map(\.0), equals: [-2, 1, 3, 5, 7])
            try expect(same.map(\.1), equals: [-2, 1, 3, 5, 7])
        }
        ConformanceCase("Distinct values follow the order of the request", proves: 8, 20, asking: .shop) {
            accessor in
            let byPrice = Sale.all.sorted(by: \.price, .descending)
            try expect(
                try accessor.distinctValues(for: byPrice, \.city),
                equals: [Shop.cities[1], Shop.cities[2], "Rome", ""])
            try expect(try accessor.distinctValues(for: byPrice, \.units), equals: [5, -2, 1, 3, 7])
            try expect(
                try accessor.distinctValues(for: Sale.all.sorted(by: \.id, .descending), \.price),
                equals: [-1.5, 0.25, 3, 4, 2.5])
            try expect(
                try accessor.distinctValues(
                    for: Sale.all.sorted(by: \.product.name, .descending), \.isPaid),
                equals: [true, false])
        }
        ConformanceCase("A window of distinct values counts values", proves: 13, 20, asking: .shop) {
            accessor in
            let byPrice = Sale.all.sorted(by: \.price, .descending)

            for (offset, limit) in [
                (0, 1), (1, 2), (3, 5), (4, 1), (9, 1), (0, 0), (2, .max), (.max, .max),
            ] {
                try expect(
                    try accessor.distinctValues(for: Sale.all.offset(offset).limit(limit), \.units),
                    equals: Array([-2, 1, 3, 5, 7].dropFirst(offset).prefix(limit)))
                try expect(
                    try accessor.distinctValues(for: byPrice.offset(offset).limit(limit), \.units),
                    equals: Array([5, -2, 1, 3, 7].dropFirst(offset).prefix(limit)))
            }
            try expect(try accessor.distinctValues(for: byPrice.offset(2), \.isPaid), equals: [])
        }
        ConformanceCase("Distinct values after a reference, and of dates", proves: 17, 20, asking: .shop) {
            accessor in
            try expect(
                try accessor.distinctValues(for: Sale.all, \.product.category), equals: [nil, "Drinks"])
            try expect(
                try accessor.distinctValues(for: Sale.all.sorted(by: \.price), \.product.name),
                equals: [nil, "Bread", "Tea", "Coffee"])
            let months = try accessor.distinctValues(
                for: Sale.where(\.date != nil), \.date[.year, in: .gmt], \.date[.month, in: .gmt])
            try expect(months.map(\.0), equals: [2000, 2001, 2001, 2001])
            try expect(months.map(\.1), equals: [12, 1, 2, 3])
            let tea = try require(try accessor.item(id: Shop.products[0].id))
            try expect(
                try accessor.distinctValues(
                    for: tea.sales.request.sorted(by: \.id, .descending), \.units),
                equals: [1, 3])
        }
    }
}
