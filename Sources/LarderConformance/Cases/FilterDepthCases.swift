import Larder
import LarderText

/// Filters nest up to a limit, which is checked where they are made.
enum FilterDepthCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A filter that nests too deep is compared, printed and refused", proves: 13
        ) { world in
            let store = try world.openFilled()

            for (depth, make) in deepFilters() {
                let (filter, same) = (make(), make())
                let message = "The filter nests \(depth) levels deep; at most \(limit) are allowed."
                try expect(filter == same, "equality of two filters \(depth) levels deep")
                try expect(filter.hashValue, equals: same.hashValue)
                try expect(filter.description, equals: "<\(message)>")
                let request = Restaurant.where(filter)
                let error = try expectError(.invalidRequest) { try request.validate() }
                try expect(error.message, equals: message)
                try expect(error.itemType, equals: "Restaurant")
                let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                    { _ = try $0.items(for: request) }, { _ = try $0.firstItem(for: request) },
                    { _ = try $0.countItems(for: request) }, { _ = try $0.ids(for: request) },
                    { try $0.deleteItems(for: request) }, { try $0.update(request, .set(\.seats, to: 1)) },
                    { _ = try $0.explain(request) }, { _ = try $0.items(for: Restaurant.all.filter(filter)) },
                    { _ = try $0.items(for: Restaurant.where(\.seats == 2).filter(filter)) },
                ]
                try store.writeSync { accessor in
                    for call in calls { try expectError(.invalidRequest) { try call(accessor) } }
                }
            }
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A filter as deep as the limit is used", proves: 13, asking: .restaurants) {
            accessor in
            let start: RestaurantFilter = \.seats > 0
            let filters = [
                nested(limit, start) { !$0 }, nested(limit / 2, start) { ($0 && \.seats > 0) || \.seats > 0 },
            ]

            let expected = try accessor.items(for: Restaurant.where(start))
            try expect(expected.isEmpty, equals: false)
            for filter in filters {
                try expect(try accessor.items(for: Restaurant.where(filter)), equals: expected)
                let page = try accessor.page(of: Restaurant.where(filter), after: expected[0], size: 100)
                try expect(page.items, equals: Array(expected.dropFirst()))
                let again = try RestaurantFilter(text: filter.text)
                try expect(try accessor.items(for: Restaurant.where(again)), equals: expected)
            }
        }
        ConformanceCase(
            "Requests that are put together nest their filters up to the limit", proves: 13
        ) { world in
            let store = try world.openFilled()
            let start = Restaurant.where(\.seats > 0)
            let makes: [(Int) -> DataStoreRequest<Restaurant>] = [
                { (0..<$0 / 2).reduce(start) { request, _ in request.or(\.seats > 0).filter(\.seats > 0) } },
                {
                    (0..<$0 / 2).reduce(start) { request, _ in start.or(\.seats < 9) + request.or(\.seats < 9)
                    }
                },
            ]

            let all = try store.items(start)
            try expect(try store.items(makes[0](limit)), equals: all)
            for count in [limit + 2, 100_000] {
                let (request, same) = (makes[0](count), makes[0](count))
                let message = "The filter nests \(count) levels deep; at most \(limit) are allowed."
                try expect(request == same, "equality of two requests \(count) levels deep")
                try expect(request.hashValue, equals: same.hashValue)
                try expect(request.description, equals: "Restaurant (\(message))")
                let error = try expectError(.invalidRequest) { try request.validate() }
                try expect(error.message, equals: message)
                try expectError(.invalidRequest) { _ = try store.items(request) }
                try expectError(.invalidRequest) { _ = try store.read { try $0.page(of: request, size: 2) } }
                try expectError(.invalidRequest) { try makes[1](count).validate() }
            }
        }
        ConformanceCase("Thousands of conditions in a row are one level", proves: 13, asking: .restaurants) {
            accessor in
            let parts = (0..<3_000).map { number -> RestaurantFilter in \.seats > -1 - number }

            let all = parts.dropFirst().reduce(parts[0]) { $0 && $1 }
            let any = parts[1..<1000].reduce(parts[0]) { $1 || $0 }

            try Restaurant.where(all).validate()
            try expect(try accessor.countItems(for: Restaurant.where(all)), equals: Fixture.restaurants.count)
            try expect(try accessor.countItems(for: Restaurant.where(any)), equals: Fixture.restaurants.count)
        }
    }

    private typealias RestaurantFilter = Filter<Restaurant>

    private static let limit = 200

    /// A depth at which recursion level by level needs more stack than any thread has.
    private static func deepFilters() -> [(depth: Int, make: () -> RestaurantFilter)] {
        let start: RestaurantFilter = \.seats == 1
        let other: RestaurantFilter = \.city == "Rome"
        return [
            (limit + 1, { nested(limit + 1, start) { !$0 } }),
            (10_000, { nested(10_000, start) { !$0 } }),
            (100_000, { nested(100_000, start) { !$0 } }),
            (10_000, { nested(5000, start) { ($0 && other) || other } }),
            (10_001, { other && nested(5000, start) { (other && $0) || other } }),
            (100_000, { nested(50_000, start) { other || ($0 && other) } }),
        ]
    }

    private static func nested(
        _ count: Int, _ start: RestaurantFilter, _ step: (RestaurantFilter) -> RestaurantFilter
    ) -> RestaurantFilter {
        (0..<count).reduce(start) { filter, _ in step(filter) }
    }
}
