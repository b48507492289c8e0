#if PostgreSQL
    import Larder

    /// A call of an app that a slow wire makes slower.
    enum DelayedWork: CaseIterable {
        case insertOne, insertMany, insertUnique, update, link, readByID, page, importNew, merge

        func title(_ count: Int) -> String {
            switch self {
            case .insertOne: "insert of 1"
            case .insertMany: "insert of \(count)"
            case .insertUnique: "insert of \(count) with a unique value"
            case .update: "update of \(count)"
            case .link: "link of \(count)"
            case .readByID: "read by id"
            case .page: "page of 100"
            case .importNew: "import of \(count)"
            case .merge: "merge of \(count) changes"
            }
        }
    }

    /// A store with the items that the works need; each work leaves it unchanged.
    final class DelayedStore {
        private let store: any DataStore
        private let count: Int
        private let newRestaurants: [LarderRestaurant]
        private let recipes: [Int64]
        private var child: (any DataStore)?

        static var itemTypes: [any DataStoreItem.Type] {
            [
                LarderRestaurant.self, LarderRecipe.self, LarderKind.self, LarderIngredient.self,
                LarderTag.self, ImportedEntry.self,
            ]
        }

        /// - Parameter store: A store of `itemTypes`, set up and empty.
        init(in store: any DataStore, count: Int, seed: UInt64) throws {
            self.store = store
            self.count = count
            var generator = RestaurantGenerator(seed: seed)
            let stored: [Restaurant] = generator.restaurants(count: max(count, 100))
            let first: Int64 = 1_000_000
            let new: [Restaurant] = generator.restaurants(ids: first...(first + Int64(count) - 1))
            newRestaurants = new.map { LarderRestaurant($0) }
            var cooks = CookbookGenerator(seed: seed)
            let cookbook: Cookbook = cooks.cookbook(recipeCount: count)
            recipes = cookbook.recipes.map { $0.id }
            let form = LarderGraphContender.form(of: cookbook)
            let restaurants: [LarderRestaurant] = stored.map { LarderRestaurant($0) }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: restaurants)
                try accessor.insert(contentsOf: form.kinds)
                try accessor.insert(contentsOf: form.tags)
                try accessor.insert(contentsOf: form.recipes)
                try accessor.insert(contentsOf: form.ingredients)
            }
        }

        /// The entries of a work that writes some; not timed.
        func makeEntries() -> [ImportedEntry] {
            (1...Int64(count)).map { ImportedEntry(id: $0, code: "code-\($0)", amount: Int($0)) }
        }

        /// Makes what a work needs.
        func prepare(_ work: DelayedWork) throws {
            switch work {
            case .merge:
                let made: any DataStore = try store.makeChildDataStore()
                try mirror(in: made)
                child = made
            case .insertOne, .insertMany, .insertUnique, .update, .link, .readByID, .page, .importNew: break
            }
        }

        /// - Parameter given: The entries of a work that writes some.
        func run(_ work: DelayedWork, _ given: [ImportedEntry]) throws {
            switch work {
            case .insertOne:
                try store.writeSync { accessor in _ = try accessor.insert(newRestaurants[0]) }
            case .insertMany:
                try store.writeSync { accessor in try accessor.insert(contentsOf: newRestaurants) }
            case .insertUnique:
                try store.writeSync { accessor in try accessor.insert(contentsOf: given) }
            case .update: try mirror(in: store)
            case .link:
                try store.writeSync { accessor in
                    let tag = try accessor.mutableItem(id: CookbookGenerator.unusedTag, of: LarderTag.self)
                    guard let tag else { return }
                    try tag.recipes.add(ids: recipes)
                }
            case .readByID:
                try store.read { accessor in
                    blackHole(try accessor.item(id: 1, of: LarderRestaurant.self))
                }
            case .page:
                let request = LarderRestaurant.byRating(.ascending).limit(100)
                try store.read { accessor in blackHole(try accessor.items(for: request)) }
            case .importNew:
                try store.writeSync { accessor in
                    _ = try accessor.importItems(from: given, using: ImportedEntry.map)
                }
            case .merge:
                guard let child else { return }
                try store.merge(child)
            }
        }

        /// Removes what a work has added; changes of values are undone by the next one.
        func undo(_ work: DelayedWork) throws {
            switch work {
            case .insertOne:
                try store.writeSync { accessor in _ = try accessor.delete(newRestaurants[0]) }
            case .insertMany:
                try store.writeSync { accessor in _ = try accessor.delete(newRestaurants) }
            case .insertUnique, .importNew:
                try store.writeSync { accessor in
                    _ = try accessor.deleteAllItems(of: ImportedEntry.self)
                }
            case .link:
                try store.writeSync { accessor in
                    let tag = try accessor.mutableItem(id: CookbookGenerator.unusedTag, of: LarderTag.self)
                    guard let tag else { return }
                    try tag.recipes.removeAll()
                }
            case .merge: child = nil
            case .update, .readByID, .page: break
            }
        }

        /// Changes two attributes of many restaurants.
        private func mirror(in store: any DataStore) throws {
            let chosen = Array(1...Int64(count))
            try store.writeSync { accessor in
                for handle in try accessor.mutableItems(ids: chosen, of: LarderRestaurant.self) {
                    if let handle { LarderRestaurant.mirror(handle) }
                }
            }
        }
    }
#endif
