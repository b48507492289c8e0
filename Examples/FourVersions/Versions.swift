import Larder

// The old versions, as the app's types were then. Types that did not change are shared by several versions.

enum V1 {
    @StoredItem("Recipe")
    struct Recipe {
        let id: Int
        var name: String
        var minutes: Int
        var author: String
        /// Names, separated by commas.
        var ingredients: String
    }

    /// A remark on the recipe with the same identifier.
    @StoredItem("Note")
    struct Note {
        let id: Int
        var text: String
    }

    @StoredItem("Draft")
    struct Draft {
        let id: Int
        var text: String
    }
}

enum V2 {
    @StoredItem("Recipe")
    struct Recipe {
        let id: Int
        @Attribute(originalName: "name") var title: String
        var minutes: Int
        var author: String
        var ingredients: String
        var rating: Int?
    }
}

enum V3 {
    @StoredItem("Recipe")
    struct Recipe {
        let id: Int
        var title: String
        var hours: Double
        var author: ToOne<Author>
        var ingredients: String
        var rating: Int?
    }

    /// Identified by the name.
    @StoredItem("Author")
    struct Author {
        let id: String
        @Relationship(deleteRule: .deny, inverse: \Recipe.author) var recipes: ToMany<Recipe>
    }
}
