/// The restaurants of one run, what is asked about them, and the right answers.
final class Dataset {
    let restaurants: [Restaurant]
    /// As many ids as there are restaurants, drawn at random.
    let ids: [Int64]
    /// All ids in no order.
    let distinctIDs: [Int64]
    /// The names that belong to other random restaurants.
    let names: [String]
    /// Of as many recipes as there are restaurants; made when it is first asked for.
    private(set) lazy var cookbook = makeCookbook()
    private let seed: UInt64
    private let namesakes: [String: [Restaurant]]
    private var recordsByType: [ObjectIdentifier: Any] = [:]

    init(count: Int, seed: UInt64) {
        var generator = RestaurantGenerator(seed: seed)
        let restaurants = generator.restaurants(count: count)
        var random = SeededGenerator(seed: ~seed)
        self.restaurants = restaurants
        self.seed = seed
        ids = restaurants.map { _ in Int64.random(in: 1...Int64(count), using: &random) }
        names = restaurants.map { _ in restaurants[Int.random(in: 0..<count, using: &random)].name }
        distinctIDs = restaurants.map(\.id).shuffled(using: &random)
        namesakes = Dictionary(grouping: restaurants, by: \.name)
    }

    /// All restaurants in a contender's own form, made once per type.
    func records<Record: RestaurantRecord>(as type: Record.Type = Record.self) -> [Record] {
        let key = ObjectIdentifier(type)
        if let known = recordsByType[key] as? [Record] {
            return known
        }
        let made = restaurants.map { Record($0) }
        recordsByType[key] = made
        return made
    }

    func restaurant(id: Int64) -> Restaurant? {
        let index = Int(id) - 1
        return restaurants.indices.contains(index) ? restaurants[index] : nil
    }

    func restaurants(named name: String) -> [Restaurant] {
        namesakes[name] ?? []
    }

    /// One recipe with many ingredients.
    func family(ingredientCount: Int) -> Cookbook {
        var generator = CookbookGenerator(seed: seed)
        return generator.family(ingredientCount: ingredientCount)
    }

    private func makeCookbook() -> Cookbook {
        var generator = CookbookGenerator(seed: seed)
        return generator.cookbook(recipeCount: restaurants.count)
    }
}
