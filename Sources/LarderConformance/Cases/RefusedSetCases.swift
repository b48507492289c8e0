import Larder

/// Sets that cannot be stored, inside a savepoint that undoes them.
enum RefusedSetCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A set that cannot be stored fails its savepoint and not the block", proves: 3, 5
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.city = "Oslo"
                // At the end, at a request whose error is swallowed, and in an inner savepoint.
                let error = try expectError(.uniqueViolation) {
                    try accessor.savepoint { (handle.seats, handle.slug) = (7, "otoro") }
                }
                try expect(error.identifier, equals: .integer(6))
                try expect(handle.slug, equals: "roma")
                try expectError(.uniqueViolation) {
                    try accessor.savepoint {
                        try accessor.insert(Restaurant(20))
                        handle.slug = "otoro"
                        _ = try? accessor.countItems(for: Restaurant.all)
                    }
                }
                try accessor.savepoint {
                    handle.seats = 8
                    try expectError(.invalidValue) { try accessor.savepoint { handle.rating = .nan } }
                    try expect(handle.seats, equals: 8)
                    try accessor.insert(Restaurant(21))
                }
                // Outside of a savepoint it is the block that fails.
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
            }
            try expect(try store.restaurant(1)?.slug, equals: "roma")
            try expect(try store.restaurant(1)?.seats, equals: 8)
            try expect(try store.restaurant(1)?.city, equals: "Oslo")
            try expect(try store.restaurant(20), equals: nil)
            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.savepoint { try accessor.mutableRestaurant(1).seats = 9 }
                try accessor.mutableRestaurant(1).slug = "otoro"
            }
            try expect(try store.restaurant(1)?.seats, equals: 8)
        }
        ConformanceCase(
            "A set of a deleted item fails its savepoint and not the block", proves: 3, 5
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                try expectError(.itemNotFound) {
                    try accessor.savepoint {
                        try accessor.delete(handle)
                        handle.seats = 1
                    }
                }
                handle.seats = 2
            }
            try expect(try store.restaurant(1)?.seats, equals: 2)
        }
        ConformanceCase("cancel() in a savepoint is meant for the block", proves: 3, 5) { world in
            let store = try world.openFilled()

            try expectError(.cancelled, writingTo: store) { accessor in
                try accessor.insert(Restaurant(20))
                _ = try? accessor.savepoint { () throws -> Void in try accessor.cancel() }
            }
            try expect(try store.restaurant(20), equals: nil)
        }
        ConformanceCase("cancel() in a savepoint that has failed is meant for the block too", proves: 3, 5) {
            world in
            let store = try world.openFilled()

            try expectError(.cancelled, writingTo: store) { accessor in
                try accessor.insert(Restaurant(20))
                try expectError(.cancelled) {
                    try accessor.savepoint { () throws -> Void in
                        try accessor.mutableRestaurant(1).slug = "otoro"
                        try expectError(.uniqueViolation) { _ = try accessor.countItems(for: Restaurant.all) }
                        try accessor.cancel()
                    }
                }
            }
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("cancel() does not hide a refused set of the block", proves: 5, 23) { world in
            let store = try world.openFilled()
            let codes = Locked<[DataStoreError.Code?]>([])
            let last = Outcome<Bool>()
            defer { store.errorHandler = nil }
            store.errorHandler = { error in
                if error is OwnError { return last.set(true) }
                codes.withLock { $0.append((error as? DataStoreError)?.code) }
            }

            try expectError(.itemNotFound, writingTo: store) { accessor in
                let handle = try accessor.mutableRestaurant(1)
                try accessor.delete(handle)
                handle.seats = 1
                try accessor.cancel()
            }
            try expectOwnError(9) { try store.read { _ in throw OwnError(number: 9) } }
            _ = try last.require()

            try expect(codes.withLock { $0 }, equals: [.itemNotFound])
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
    }
}
