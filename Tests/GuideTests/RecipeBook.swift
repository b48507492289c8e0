import Larder

struct RecipeBook {
    let store: any DataStore

    func rate(_ slug: String, _ rating: Double) throws {
        try store.writeSync { accessor in
            try accessor.firstMutableItem(for: Recipe.where(\.slug == slug))?.rating = rating
        }
    }
}
