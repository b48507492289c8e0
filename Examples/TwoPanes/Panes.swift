import Larder
import Observation

/// The two panes: the open orders by table, and the takings by drink.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
final class Panes {
    /// The earnings of a drink.
    struct Takings: Equatable {
        let drink: String
        let count: Int
        let cents: Int64
    }

    private let store: any DataStore
    private let orders: ObservedList<Order>
    private let takings: ObservedValue<[Takings]>

    init(over store: any DataStore) {
        self.store = store
        orders = ObservedList(Self.openOrders, sectionedBy: \.table, in: store)
        takings = ObservedValue(store.values(Self.takings))
    }

    private static var openOrders: DataStoreRequest<Order> {
        Order.where(\.isServed == false).sorted(by: \.guest)
    }

    @Sendable
    private nonisolated static func takings(in accessor: DataStoreReadAccessor) throws -> [Takings] {
        let served = Order.where(\.isServed == true).grouped(by: \.drink)
        return try accessor.groups(for: served.sorted(by: .sum(\.price), .descending), .count, .sum(\.price))
            .map { Takings(drink: $0, count: $1, cents: $2) }
    }

    /// The panes side by side, line by line.
    var lines: [String] {
        let left = self.orders.list.sections.flatMap { table in
            [table.name] + table.map { Self.row("  " + $0.guest, $0.drink, Self.amount(Int64($0.price))) }
        }
        let right = (self.takings.value ?? []).map {
            Self.row($0.drink, "x\($0.count)", Self.amount($0.cents))
        }
        let total = (self.takings.value ?? []).reduce(0) { $0 + $1.cents }
        let orders = ["OPEN ORDERS"] + left
        let takings = ["TAKINGS"] + right + [Self.row("total", "", Self.amount(total))]
        return (0..<max(orders.count, takings.count)).map { number in
            let right = takings.element(number)
            return orders.element(number).padded(to: 26) + (right.isEmpty ? "|" : "| \(right)")
        }
    }

    /// Waits until another state has come for a pane.
    func change() async {
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = lines
            } onChange: {
                continuation.resume()
            }
        }
    }

    /// Waits until the panes show what is stored now.
    func settle() async throws {
        while try !isCurrent() { await change() }
    }

    private func isCurrent() throws -> Bool {
        try store.read { accessor in
            try orders.list.items == accessor.list(for: Self.openOrders, sectionedBy: .by(\.table)).items
                && takings.value == Self.takings(in: accessor)
        }
    }

    private static func row(_ name: String, _ middle: String, _ amount: String) -> String {
        let spaces = String(repeating: " ", count: max(0, 7 - amount.count))
        return name.padded(to: 9) + middle.padded(to: 8) + spaces + amount
    }

    private static func amount(_ cents: Int64) -> String {
        "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}

extension [String] {
    fileprivate func element(_ number: Int) -> String { number < count ? self[number] : "" }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
