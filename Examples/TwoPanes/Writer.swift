import Larder

/// Changes the store step by step, always in the same order.
struct Writer {
    private static let guests = ["Di", "Eve", "Finn", "Gus", "Hal"]
    private static let tables = ["window", "bar", "garden"]
    private static let drinks = [("cocoa", 420), ("tea", 350), ("coffee", 290), ("water", 180)]

    private let store: any DataStore
    private var steps = 0

    init(to store: any DataStore) { self.store = store }

    /// Takes an order, serves the oldest one, moves the newest one to the garden, or cancels it.
    mutating func step() async throws {
        steps += 1
        let number = steps
        try await store.writeAsync { accessor in
            let open = Order.where(\.isServed == false)
            switch number % 5 {
            case 1, 4:
                let (drink, price) = Self.drinks[number % Self.drinks.count]
                try accessor.insert(
                    Order(
                        id: 3 + number, table: Self.tables[number % Self.tables.count],
                        guest: Self.guests[number % Self.guests.count], drink: drink, price: price))
            case 2, 0: try accessor.firstMutableItem(for: open)?.isServed = true
            case 3 where number % 10 == 3:
                try accessor.firstMutableItem(for: open.sorted(by: \.id, .descending))?.table = "garden"
            default: try accessor.deleteItems(for: open.sorted(by: \.id, .descending).limit(1))
            }
        }
    }
}
