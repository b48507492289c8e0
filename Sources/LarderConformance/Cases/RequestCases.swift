import Foundation
import Larder
import LarderText

/// Requests are values that can check themselves.
enum RequestCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A filter by NaN is refused by validate and by every call", proves: 9, 13
        ) { world in
            let store = try world.openFilled()
            let date = Date(timeIntervalSinceReferenceDate: .nan)
            let filters: [Filter<Restaurant>] = [
                \.rating == .nan, \.rating != .nan, \.rating < .nan, \.rating >= -.nan, \.openedAt == date,
                .isIn(\.rating, [1, .nan, 3]), .between(\.openedAt, date...date),
            ]

            for filter in filters {
                let request = Restaurant.where(filter)
                let error = try expectError(.invalidRequest) { try request.validate() }
                try expect(error.itemType, equals: "Restaurant")
                try expect(["rating", "openedAt"].contains(error.attribute), "the attribute in \(error)")
                let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                    { _ = try $0.items(for: request) }, { _ = try $0.firstItem(for: request) },
                    { _ = try $0.countItems(for: request) }, { _ = try $0.contains(request) },
                    { _ = try $0.ids(for: request) }, { try $0.forEachItem(for: request) { _ in } },
                    { _ = try $0.mutableItems(for: request) }, { try $0.deleteItems(for: request) },
                    { try $0.update(request, .set(\.seats, to: 1)) }, { _ = try $0.explain(request) },
                ]
                try store.writeSync { accessor in
                    for call in calls { try expectError(.invalidRequest) { try call(accessor) } }
                }
            }
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "A filter that cannot be used stays so inside AND, OR and NOT", proves: 9, asking: .restaurants
        ) { accessor in
            let bad: Filter<Restaurant> = \.rating > .nan
            let filters: [Filter<Restaurant>] = [
                !bad, bad && \.seats == 1, \.seats == 1 || bad, .always(true) || bad, .always(false) && bad,
                !(\.seats == 1 && !(bad || \.city == "Rome")),
            ]

            for filter in filters {
                try expectError(.invalidRequest) { try Restaurant.where(filter).validate() }
                try expectError(.invalidRequest) { _ = try accessor.items(for: Restaurant.where(filter)) }
            }
        }
        ConformanceCase("A filter by a relative URL is refused", proves: 9) { world in
            let store = try world.open(Holder<URL>.self)
            let relative = try require(URL(string: "menu", relativeTo: URL(string: "https://example.com")))

            let error = try expectError(.invalidRequest) {
                _ = try store.items(Holder<URL>.where(\.plain == relative))
            }

            try expect(error.attribute, equals: "plain")
        }
        ConformanceCase("A request without fault passes validate", proves: 13, asking: .restaurants) {
            accessor in
            let requests = [
                Restaurant.all, Restaurant.where(\.rating > .infinity), Restaurant.all.limit(0).offset(0),
                Restaurant.where(.isIn(\.slug, [])).sorted(by: \.slug),
                Restaurant.all.offset(.max).limit(.max),
            ]

            for request in requests {
                try request.validate()
                _ = try accessor.items(for: request)
                try expect(!request.description.isEmpty, "a description")
            }
        }
        ConformanceCase("The text of a filter means what the typed filter means", proves: 13) { world in
            let store = try world.openFilled()
            let pairs: [(String, Filter<Restaurant>)] = [
                ("rating > 4 AND isOpen == true", \.rating > 4 && \.isOpen == true),
                (#"city == "Rome" OR NOT (seats < 30)"#, \.city == "Rome" || !(\.seats < 30)),
                ("slug == nil", \.slug == nil), (#"slug != "roma""#, \.slug != "roma"),
                (#"name CONTAINS[c] "KÜCHE""#, .contains(\.name, "KÜCHE", .caseInsensitive)),
                (
                    #"name BEGINSWITH "T" OR name ENDSWITH "roma""#,
                    .hasPrefix(\.name, "T") || .hasSuffix(\.name, "roma")
                ),
                (#"city IN {"Rome", "Basel"}"#, .isIn(\.city, ["Rome", "Basel"])),
                ("seats BETWEEN {12, 40}", .between(\.seats, 12...40)),
            ]

            for (text, filter) in pairs {
                let ids = try store.ids(Restaurant.where(filter))
                try expect(try DataStoreRequest<Restaurant>(filter: text), gives: ids, in: store)
            }
            let sorted = try DataStoreRequest<Restaurant>(
                filter: nil, sort: "city DESC, rating", offset: 1, limit: 3)
            try expect(sorted, gives: [2, 5, 4], in: store)
        }
        ConformanceCase("explain says for every request how it is run", proves: 13) { world in
            let store = try world.openFilled()
            let requests = [
                Restaurant.all, Restaurant.where(\.city == "Rome"),
                Restaurant.where(\.seats > 3).sorted(by: \.name),
                Restaurant.where(\.id == ItemID(rawValue: 3)), Restaurant.where(.always(false)),
                Restaurant.where(.contains(\.name, "a", .caseInsensitive)).limit(3),
                Restaurant.all.sorted(by: \.rating, .descending).offset(2),
            ]

            for request in requests {
                for lines in [
                    try store.read { try $0.explain(request) },
                    try store.writeSync { try $0.explain(request) },
                ] {
                    try expect(
                        !lines.isEmpty && lines.allSatisfy { !$0.isEmpty }, "an explanation of \(request)")
                }
            }
        }
        ConformanceCase("The values of attributes come without their items", proves: 13, asking: .restaurants)
        { accessor in
            let berlin = Restaurant.where(\.city == "Berlin")

            let seats: [Int] = try accessor.values(for: berlin, \.seats)
            try expect(seats, equals: [60, 60, 1_000])
            var texts: [String] = []
            for (id, slug, rating) in try accessor.values(for: berlin, \.id, \.slug, \.rating) {
                texts.append("\(id.rawValue) \(slug ?? "nil") \(rating)")
            }
            try expect(texts, equals: ["8 strasse -1.0", "9 Strasse inf", "10 vegan 2.5"])
            let slugs: [String?] = try accessor.values(for: Restaurant.where(\.seats <= 12), \.slug)
            try expect(slugs, equals: ["noel", "noel-2", "otoro", nil])
            let none: [String] = try accessor.values(for: Restaurant.where(\.city == "Nowhere"), \.name)
            try expect(none, equals: [])
        }
        ConformanceCase("Values of every type can be selected", proves: 9, 13) { world in
            let store = try world.open(Everything.self)
            let item = Everything.greatest(1)
            try store.writeSync { _ = try $0.insert(item) }

            try store.read { accessor in
                let numbers = try accessor.values(
                    for: Everything.all, \.bool, \.int8, \.uint64, \.float, \.double)
                let first = try require(numbers.first)
                try expect(first.0 == item.bool && first.1 == item.int8 && first.2 == item.uint64, "\(first)")
                try expect(first.3 == item.float && first.4 == item.double, "\(first)")
                let others = try accessor.values(
                    for: Everything.all, \.maybeText, \.data, \.date, \.uuid, \.url, \.decimal, \.maybeLevel,
                    \.tags)
                let other = try require(others.first)
                try expect(text: other.0, equals: item.maybeText)
                try expect(other.1 == item.data && other.2 == item.date && other.3 == item.uuid, "\(other)")
                try expect(
                    other.4 == item.url && other.5 == item.decimal && other.6 == item.maybeLevel, "\(other)")
                try expect(other.7, equals: item.tags)
            }
        }
        ConformanceCase("Values come in the order and window of the request", proves: 8, asking: .restaurants)
        { accessor in
            let best = Restaurant.all.sorted(by: \.rating, .descending).offset(1).limit(3)

            let ratings: [Double] = try accessor.values(for: best, \.rating)
            try expect(ratings, equals: [5, 4.5, 4.5])
            let names: [String] = try accessor.values(for: best, \.city)
            try expect(names, equals: ["Paris", "Osaka", "Rome"])
            try expect(try accessor.ids(for: best).map(\.rawValue), equals: [4, 6, 2])
        }
        ConformanceCase("Values and ids see the changes of their block", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.mutableRestaurant(1).seats = 1
                try accessor.insert(Restaurant(20, city: "Rome", seats: 2))
                let seats: [Int] = try accessor.values(for: Restaurant.where(\.city == "Rome"), \.seats)
                try expect(seats, equals: [1, 25, 2])
                try accessor.mutableRestaurant(2).city = "Moved"
                try expect(
                    try accessor.ids(for: Restaurant.where(\.city == "Rome")).map(\.rawValue),
                    equals: [1, 20])
            }
        }
        ConformanceCase("An attribute may be selected more than once", proves: 13) { world in
            let store = try world.open(Keyed<Int64>.self)
            try store.writeSync { _ = try $0.insert(Keyed<Int64>(7, label: "seven", rank: 70)) }

            try store.read { accessor in
                let rows = try accessor.values(
                    for: Keyed<Int64>.all, \.label, \.rank, \.label, \.id, \.rank, \.label)
                let row = try require(rows.first)
                try expect([row.0, row.2, row.5], equals: ["seven", "seven", "seven"])
                try expect([row.1, row.4], equals: [70, 70])
                try expect(row.3, equals: 7)
            }
        }
        ConformanceCase("The count of a request is the number of its items", proves: 13, asking: .restaurants)
        { accessor in
            let requests = [
                Restaurant.all, Restaurant.where(\.city == "Berlin"), Restaurant.where(\.seats == 12),
                Restaurant.where(\.city == "Berlin" && \.seats == 60),
                Restaurant.where(.contains(\.name, "a")),
                Restaurant.where(\.slug == nil), Restaurant.where(.isIn(\.city, ["Rome", "Paris"])),
            ]

            for request in requests {
                let items = try accessor.items(for: request).count
                try expect(try accessor.countItems(for: request), equals: items)
                for offset in [0, 1, 3, 20] {
                    for limit in [0, 1, 2, 20] {
                        let expected = min(max(0, items - offset), limit)
                        try expect(
                            try accessor.countItems(for: request.offset(offset).limit(limit)),
                            equals: expected,
                            "\(request)")
                    }
                }
            }
        }
    }
}
