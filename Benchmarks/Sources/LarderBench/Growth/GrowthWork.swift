import Foundation
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
    case summing = "sum over a window of an order"
    case reporting = "report changes of many commits"
    case keeping = "keep all rows that a step makes"

    /// The time in nanoseconds in an empty folder; nil where an engine keeps no store to upgrade.
    func time(on engine: LarderEngine, in folder: URL, _ count: Int64) throws -> Double? {
        if self == .keeping { return try Self.upgrade(engine, in: folder, count) }
        let store = engine.makeStore(in: folder, storing: [Guest.self])
        try store.setup()
        defer { try? store.tearDown() }
        return try time(on: store, count)
    }

    private func time(on store: any DataStore, _ count: Int64) throws -> Double? {
        switch self {
        case .keeping: nil
        case .summing: try Self.sum(in: store, count)
        case .reporting: try Self.report(in: store, count)
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

    private static func sum(in store: any DataStore, _ count: Int64) throws -> Double {
        try insertGuests(0...count, in: store)
        try store.writeSync { accessor in
            try accessor.mutableItem(id: 0, of: Guest.self)?.friends.add(ids: Array(1...count))
        }
        return try store.read { accessor in
            guard let guest = try accessor.item(id: 0, of: Guest.self) else {
                throw WrongAnswer(asked: "guest 0", expected: "a guest", found: "none")
            }
            let window = guest.friends.request.offset(1).limit(Int(count) - 2)
            return try nanoseconds {
                let sum = try accessor.sum(\.seat, for: window)
                try require(sum, equals: (2..<count).reduce(0, +), "the sum of seats")
            }
        }
    }

    private static func report(in store: any DataStore, _ count: Int64) throws -> Double {
        try nanoseconds {
            let result = try store.writeSyncReportingChanges { accessor in
                for id in 1...count {
                    try accessor.insert(Guest(id: id, seat: id))
                    if id % 10 == 0 { try accessor.commit() }
                }
            }
            try require(result.changes.inserted(Guest.self).count, equals: Int(count), "reported guests")
        }
    }

    /// Opens a store by a step whose closure keeps every row that it has made until its end.
    private static func upgrade(
        _ engine: LarderEngine, in folder: URL, _ count: Int64
    ) throws -> Double? {
        let versions = ["1", "2"].map { SchemaVersion($0, storing: [Guest.self]) }
        guard let old = engine.makeStore(in: folder, storing: SchemaHistory([versions[0]])) else {
            return nil
        }
        try old.setup()
        try old.tearDown()
        let step = SchemaStep(from: "1", to: "2") {
            Insert("Guest") { _, new in
                var made: [DestinationRow] = []
                for id in 1...count {
                    let row = try new.make(id: .integer(id))
                    try row.set("seat", to: id)
                    made.append(row)
                }
                for (number, row) in made.enumerated() { try row.set("seat", to: 2 * count + Int64(number)) }
            }
        }
        let history = SchemaHistory(versions, steps: [step])
        guard let store = engine.makeStore(in: folder, storing: history) else { return nil }
        defer { try? store.tearDown() }
        return try nanoseconds {
            try store.setup()
            let sum = try store.read { try $0.sum(\.seat, for: Guest.all) }
            try require(sum, equals: (2 * count..<3 * count).reduce(0, +), "the sum of seats")
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
