import Larder

/// Offsets and limits cut the complete order.
enum WindowCases {
    private static let best = Restaurant.all.sorted(by: \.rating, .descending)
    private static let byRating: [Int64] = [9, 4, 6, 2, 1, 12, 11, 5, 3, 10, 7, 8]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A limit ends after so many items", proves: 13, answersOf: .restaurants) {
            for count in 0...13 {
                Answer(best.limit(count), Array(byRating.prefix(count)))
                Answer(Restaurant.all.limit(count), Array((1...12).prefix(count)))
            }
            Answer(best.limit(nil), byRating)
        }
        ConformanceCase("An offset leaves out so many items", proves: 13, answersOf: .restaurants) {
            for count in 0...13 {
                Answer(best.offset(count), Array(byRating.dropFirst(count)))
                Answer(best.offset(count).limit(3), Array(byRating.dropFirst(count).prefix(3)))
                Answer(Restaurant.all.offset(count).limit(1), Array((1...12).dropFirst(count).prefix(1)))
            }
        }
        ConformanceCase("Pages put together are the whole, in every order", proves: 8) { world in
            let store = try world.openFilled()
            let orders: [DataStoreRequest<Restaurant>] = [
                Restaurant.all, best, Restaurant.all.sorted(by: \.rating),
                Restaurant.all.sorted(by: \.isOpen),
                Restaurant.all.sorted(by: \.isOpen, .descending), Restaurant.all.sorted(by: \.note),
                Restaurant.all.sorted(by: \.city).sorted(by: \.seats, .descending),
                Restaurant.all.sorted(by: \.slug, .descending), Restaurant.all.sorted(by: \.id, .descending),
            ]

            for order in orders {
                let whole = try store.ids(order)
                for size in [1, 2, 5, 7] {
                    var paged: [AnyItemID] = []
                    for start in stride(from: 0, to: 12, by: size) {
                        paged += try store.ids(order.offset(start).limit(size))
                    }
                    try expect(paged, equals: whole, "pages of \(size) of \(order)")
                }
            }
        }
        ConformanceCase("A window is cut after filtering", proves: 13, answersOf: .restaurants) {
            Answer(Restaurant.where(\.seats > 20).limit(3), [1, 2, 3])
            Answer(Restaurant.where(\.seats > 20).offset(2).limit(3), [3, 8, 9])
            Answer(Restaurant.where(\.city == "Berlin").offset(1), [9, 10])
            Answer(Restaurant.where(\.rating == 4.5).offset(2), [6])
            Answer(Restaurant.where(\.rating == 4.5).offset(3), [])
            Answer(
                Restaurant.where(.contains(\.name, "a")).sorted(by: \.name, .descending).offset(1).limit(2),
                [1, 8])
        }
        ConformanceCase(
            "The largest offset and limit are only numbers", proves: 10, 13, answersOf: .restaurants
        ) {
            Answer(best.limit(.max), byRating)
            Answer(best.offset(.max), [])
            Answer(best.offset(.max).limit(.max), [])
            Answer(best.offset(10).limit(.max), [7, 8])
            Answer(Restaurant.all.offset(10).limit(.max - 3), [11, 12])
        }
        ConformanceCase("The last limit and the last offset count", proves: 13, answersOf: .restaurants) {
            Answer(best.limit(5).limit(2), [9, 4])
            Answer(best.limit(2).limit(5), [9, 4, 6, 2, 1])
            Answer(best.offset(5).offset(1).limit(2), [4, 6])
            Answer(best.limit(1).limit(nil), byRating)
        }
        ConformanceCase("A negative limit or offset is refused by every call", proves: 13) { world in
            let store = try world.openFilled()

            for request in [best.limit(-1), best.offset(-1), best.limit(.min), best.offset(.min)] {
                try expect(
                    try expectError(.invalidRequest) { try request.validate() }.itemType, equals: "Restaurant"
                )
                let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                    { _ = try $0.items(for: request) }, { _ = try $0.countItems(for: request) },
                    { _ = try $0.ids(for: request) }, { _ = try $0.values(for: request, \.name) },
                    { try $0.forEachItem(for: request) { _ in } }, { _ = try $0.mutableItems(for: request) },
                    { _ = try $0.deleteItems(for: request) },
                    { try $0.update(request, .set(\.seats, to: 1)) },
                    { _ = try $0.explain(request) },
                ]
                for call in calls {
                    try expectError(.invalidRequest, writingTo: store) { try call($0) }
                }
            }
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("Windows include the block's own changes", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.mutableRestaurant(8).rating = 9
                try accessor.insert(Restaurant(20, rating: 8))
                let ids = try accessor.ids(for: best.limit(4)).map(\.rawValue)
                try expect(ids, equals: [9, 8, 20, 4])
                try expect(try accessor.countItems(for: best.offset(10)), equals: 3)
            }
        }
    }
}
