import Larder

/// What is measured at two sizes.
enum GrowthWork: String, CaseIterable {
    case denials = "merge of denied deletions"
    case chain = "merge of a chain of unique values"
    case appending = "append to an order, one by one"
    case containing = "look for each in an order"
    case removing = "remove from an order, one by one"
    case deleting = "delete in a child, by a cascade"
    case clearing = "delete all in a child, one by one"
    case direct = "delete by a cascade, no child"

    /// The time in nanoseconds on an empty store.
    func time(on store: any DataStore, _ count: Int64) throws -> Double {
        switch self {
        case .denials: try Self.denials(store, count)
        case .chain: try Self.chain(store, count)
        case .appending, .containing, .removing: try ordered(store, count)
        case .deleting: try Self.cascade(in: try Self.withCompany(store, count).makeChildDataStore(), count)
        case .direct: try Self.cascade(in: try Self.withCompany(store, count), count)
        case .clearing:
            try Self.clear(try Self.withCompany(store, count).makeChildDataStore(), count)
        }
    }

    private static func denials(_ store: any DataStore, _ count: Int64) throws -> Double {
        try insertGuests(1...count, in: store)
        let child = try store.makeChildDataStore()
        try child.writeSync { accessor in
            for id in 1...count { _ = try accessor.delete(id: id, of: Guest.self) }
        }
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: (1...count).map { id in
                    Guest(id: count + id, seat: count + id, guardian: ToOne(id: id))
                })
        }
        return try merge(child, into: store, settling: Int(count))
    }

    private static func chain(_ store: any DataStore, _ count: Int64) throws -> Double {
        try insertGuests(1...count, in: store)
        let child = try store.makeChildDataStore()
        try child.writeSync { accessor in
            for id in (1...count).reversed() { try accessor.update(Guest(id: id, seat: id + 1)) }
        }
        try store.writeSync { _ = try $0.insert(Guest(id: count + 1, seat: count + 1)) }
        return try merge(child, into: store, settling: Int(count))
    }

    private static func insertGuests(_ ids: ClosedRange<Int64>, in store: any DataStore) throws {
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: ids.map { Guest(id: $0, seat: $0) })
        }
    }

    private static func merge(
        _ child: any DataStore, into store: any DataStore, settling count: Int
    ) throws -> Double {
        try nanoseconds {
            let result = try store.merge(child, policy: .parentWins)
            try require(result.settled.count, equals: count, "settled conflicts")
        }
    }

    private func ordered(_ store: any DataStore, _ count: Int64) throws -> Double {
        try Self.insertGuests(0...count, in: store)
        return try store.writeSync { accessor in
            guard let guest = try accessor.mutableItem(id: 0, of: Guest.self) else {
                throw WrongAnswer(asked: "guest 0", expected: "a guest", found: "none")
            }
            let appending = try nanoseconds { for id in 1...count { try guest.friends.add(id: id) } }
            if self == .appending { return appending }
            return try nanoseconds {
                for id in 1...count {
                    let isFriend =
                        self == .containing
                        ? try guest.friends.contains(id: id) : try guest.friends.remove(id: id)
                    try require(isFriend, equals: true, "friend \(id)")
                }
            }
        }
    }

    private static func withCompany(_ store: any DataStore, _ count: Int64) throws -> any DataStore {
        try store.writeSync { accessor in
            try accessor.insert(Guest(id: 0, seat: 0))
            try accessor.insert(
                contentsOf: (1...count).map { Guest(id: $0, seat: $0, host: ToOne(id: 0)) })
        }
        return store
    }

    private static func cascade(in store: any DataStore, _ count: Int64) throws -> Double {
        try nanoseconds {
            try store.writeSync { _ = try $0.delete(id: 0, of: Guest.self) }
            try require(store.read { try $0.countItems(for: Guest.all) }, equals: 0, "guests that are left")
        }
    }

    private static func clear(_ store: any DataStore, _ count: Int64) throws -> Double {
        try nanoseconds {
            try store.writeSync { accessor in
                for id in 1...count { _ = try accessor.delete(id: id, of: Guest.self) }
            }
            try require(store.read { try $0.countItems(for: Guest.all) }, equals: 1, "guests that are left")
        }
    }
}

private func require<Answer: Equatable>(_ found: Answer, equals expected: Answer, _ title: String) throws {
    if found != expected { throw WrongAnswer(asked: title, expected: expected, found: found) }
}
