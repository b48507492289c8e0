import Larder

/// Requests followed by Larder.
struct LarderFollower: Follower {
    private let store: any DataStore

    init(_ store: any DataStore, _ data: Dataset) throws {
        self.store = store
        try store.setup()
        let items = data.records(as: LarderRestaurant.self)
        try store.writeSync { try $0.insert(contentsOf: items) }
    }

    func follow(name: String, _ take: @escaping @Sendable ([Restaurant]) -> Void) -> Task<Void, Never> {
        let values = store.values(of: LarderRestaurant.named(name))
        return Task {
            do {
                for try await items in values { take(items.map(\.restaurant)) }
            } catch {
                reportProgress("An observation has failed: \(error)")
            }
        }
    }

    func setReviews(_ reviews: Int64, of ids: [Int64]) throws {
        try store.writeSync { accessor in
            for id in ids { try accessor.mutableItem(id: id, of: LarderRestaurant.self)?.reviews = reviews }
        }
    }

    func close() throws { try store.tearDown() }
}
