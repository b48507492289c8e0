import Larder

/// The delete rules of rows that wait for a unique value, while their call deletes what it has left over.
enum WaitingRuleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An item that waits and is left over takes along what it refers to by then", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Depot.self, Parcel.self)

            // A new parcel, and a stored one that had another lid, or none.
            for stored in [[], [Parcel(9, label: 9, \.lid, 1)], [Parcel(9, label: 9)]] {
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(
                        contentsOf: [Parcel(1, label: 1), Parcel(2, label: 2), Parcel(5, label: 5)] + stored)
                    try accessor.insert(Depot(1, parcels: [5]))
                    // Parcel 9 waits for the label of parcel 5. The last source leaves both out.
                    try accessor.importItems(from: [[Parcel(9, label: 5, \.lid, 2)], []], using: Depot.map)
                }
                try expect(try store.items(Parcel.all).map(\.id), equals: [1])
            }
        }
        ConformanceCase(
            "An item that waits forbids the deletion of what it refers to by a rule", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Depot.self, Parcel.self)

            for stored in [[], [Parcel(9, label: 9)]] {
                let parcels = [Parcel(1, label: 1), Parcel(5, label: 5)] + stored
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: parcels)
                    try accessor.insert(Depot(1, parcels: [1, 5]))
                }
                // A parcel with the label of parcel 5 waits, and one with a free label does not.
                for label in [5, 7] {
                    let error = try expectError(.deletionDenied, writingTo: store) { accessor in
                        try accessor.importItems(
                            from: [[Parcel(9, label: label, \.guardian, 1)]], using: Depot.map)
                    }
                    try expect(error.attribute, equals: "wards")
                    try expect(try store.items(Parcel.all), equals: parcels)
                }
            }

            // A hook deletes parcel 1, which parcel 9 has left for parcel 2.
            let map = Parcel.map.didImport { _, source, accessor in
                if source.id == 7 { _ = try accessor.delete(id: 1, of: Parcel.self) }
            }
            let waiting = Parcel(9, label: 5, \.guardian, 2)
            let sources = [waiting, Parcel(7, label: 7), Parcel(5, label: 6)]
            let parcels = [Parcel(1, label: 1), Parcel(2, label: 2), Parcel(5, label: 5)]
            let stored = parcels + [Parcel(9, label: 9, \.guardian, 1)]
            func prepare(_ parcels: [Parcel]) throws {
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: parcels)
                }
            }
            try prepare(stored)
            try store.writeSync { try $0.importItems(from: sources, using: map) }
            try expect(
                try store.items(Parcel.all),
                equals: [Parcel(2, label: 2), Parcel(5, label: 6), Parcel(7, label: 7), waiting])
            // Another one has not left it.
            let others = stored + [Parcel(10, label: 10, \.guardian, 1)]
            try prepare(others)
            let error = try expectError(.deletionDenied, writingTo: store) { accessor in
                try accessor.importItems(from: sources, using: map)
            }
            try expect(error.attribute, equals: "wards")
            try expect(try store.items(Parcel.all), equals: others)
        }
        ConformanceCase(
            "An item that waits is not deleted without the one that it needs", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Depot.self, Parcel.self)
            let sources = [[Parcel(9, label: 5, \.anchor, 1)], []]

            for stored in [[], [Parcel(9, label: 9)]] {
                let parcels = [Parcel(1, label: 1), Parcel(5, label: 5)] + stored
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: parcels)
                    try accessor.insert(Depot(1, parcels: [5]))
                }
                let error = try expectError(.deletionDenied, writingTo: store) { accessor in
                    try accessor.importItems(from: sources, using: Depot.map)
                }
                try expect(error.attribute, equals: "anchor")
                try expect(try store.items(Parcel.all), equals: parcels)
                // Together they may go.
                try store.writeSync { accessor in
                    let depot = try require(try accessor.mutableItem(id: 1, of: Depot.self))
                    try depot.parcels.add(ids: [1])
                    try accessor.importItems(from: sources, using: Depot.map)
                }
                try expect(try store.items(Parcel.all).map(\.id), equals: [])
            }
        }
    }

    private static func deleteAll(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.deleteAllItems(of: Depot.self)
        try accessor.deleteAllItems(of: Parcel.self)
    }
}
