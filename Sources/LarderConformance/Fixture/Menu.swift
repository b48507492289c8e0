import Larder

/// The successive versions of one item type of an app.
enum Menu {
    typealias Original = Versioned<OriginalMenu>

    enum OriginalMenu: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("price", Int32.self),
                .attribute("note", String?.self), .attribute("weight", Float.self),
            ],
            indexes: [.index("title"), .index("price")])
    }

    static let items: [Original] = [
        Original(1, .text("Soup"), .integer(500), .null, .real(0.25)),
        Original(2, .text("B\u{FB}che"), .integer(-900), .text("sweet"), .real(1)),
        Original(3, .text("Soup"), .integer(2_147_483_647), .text(""), .real(0)),
        Original(4, .text(""), .integer(0), .text("a\u{0}b"), .real(-1.5)),
    ]
}

extension ConformanceWorld {
    /// Stores the menus of the first version.
    func storeMenus() throws {
        let store = try open(Menu.Original.self, Dish.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: Menu.items)
            try accessor.insert(contentsOf: Fixture.dishes)
        }
        try closeAll()
    }
}
