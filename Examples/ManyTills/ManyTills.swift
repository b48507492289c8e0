import Foundation
import Larder

#if PostgreSQL
    import LarderPostgreSQL
#endif

/// An order that a till has taken.
@StoredItem
struct Ticket: Equatable {
    let id: ItemID<Ticket>
    @Indexed var till: String
    var dish: String
}

/// Tills that write into one store on a server, and a kitchen that follows all of them, each a process of its own, on one
/// machine or on many.
///
///     ManyTills 'postgresql://app@db.example.com/kitchen' kitchen 20
///     ManyTills 'postgresql://app@db.example.com/kitchen' till garden 10
///     ManyTills 'postgresql://app@db.example.com/kitchen' till bar 10
@main
enum ManyTills {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("ManyTills: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        switch (arguments.count, arguments.dropFirst().first) {
        case (4, "till"):
            let count = try count(arguments[3])
            let store = try makeStore(arguments[0])
            try await takeOrders(count, at: arguments[2], into: store)
            try store.tearDown()
        case (3, "kitchen"):
            let count = try count(arguments[2])
            let store = try makeStore(arguments[0])
            try await follow(store, until: count)
            try store.tearDown()
        default:
            throw Usage()
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "Use ManyTills ADDRESS till NAME COUNT, or ManyTills ADDRESS kitchen COUNT."
    }

    private static func count(_ word: String) throws -> Int {
        guard let count = Int(word), count > 0 else { throw Usage() }
        return count
    }

    /// The store, which the first process makes.
    private static func makeStore(_ address: String) throws -> any DataStore {
        #if PostgreSQL
            let store = PostgreSQLDataStore(
                connection: try PostgreSQLConnection(address)
                    .signingIn(with: .environment("KITCHEN_PASSWORD")),
                schema: "tickets", storing: [Ticket.self])
            try store.setup()
            return store
        #else
            throw DataStoreError(.unsupported, "Run it with swift run --traits PostgreSQL,Macros ManyTills.")
        #endif
    }

    /// Stores each order in a block of its own; the tills take turns.
    private static func takeOrders(_ count: Int, at till: String, into store: any DataStore) async throws {
        let dishes = ["soup", "cake", "tea"]
        for number in 0..<count {
            try await store.writeAsync { accessor in
                try accessor.insert(Ticket(till: till, dish: dishes[number % dishes.count]))
            }
        }
        print("\(till): \(count) orders taken")
    }

    /// Prints the number of orders of each till whenever it has changed, until there are so many.
    private static func follow(_ store: any DataStore, until count: Int) async throws {
        let numbers = store.values { accessor in
            try accessor.groups(for: Ticket.all.grouped(by: \.till).sorted(by: \.till), .count)
                .map { (till: $0, count: $1) }
        }
        for try await tills in numbers {
            let total = tills.reduce(0) { $0 + $1.count }
            let parts = tills.map { "\($0.count) from \($0.till)" }
            print(([total == 1 ? "1 order" : "\(total) orders"] + parts).joined(separator: ", "))
            if total >= count { return }
        }
    }
}
