import Larder

@testable import LarderKernel

/// What a plan must give, by the reference of filter and order over a plain array.
struct PlanModel<Item: DataStoreItem> {
    private let arena = RowArena()
    private var rows: [(item: Item, cells: [Cell])] = []

    init(_ items: some Sequence<Item>) throws {
        for item in items {
            var cells = [Cell](repeating: .null, count: Item.schema.attributes.count)
            try cells.withUnsafeMutableBufferPointer { cells in
                guard let start = cells.baseAddress else { return }
                var row = RowWriter(cells: start, arena: arena, of: Item.schema)
                try item.encode(to: &row)
            }
            rows.append((item, cells))
        }
    }

    func items(for plan: RequestPlan) -> [Item] {
        let found = rows.filter { plan.predicate.matches($0.cells, of: plan.schema) }
            .sorted { plan.precedes($0.cells, $1.cells) }
        return Array(found.dropFirst(plan.offset).prefix(plan.limit ?? .max).map(\.item))
    }
}
