import Larder

enum CookBook1 {
    @StoredItem("Dish")
    struct Dish {
        var title: String
        var minutes: Int
    }
}

@StoredItem
struct Dish: Equatable {
    var name: String
    var hours: Double
    var note: String?
}

enum CookBook {
    static let history = SchemaHistory {
        SchemaVersion("1", storing: [CookBook1.Dish.self])
        SchemaVersion(
            "2",
            describedBy: """
                Dish
                  id: itemID
                  minutes: int64
                  note: string?
                  title: string
                """)
        SchemaVersion("3", storing: [Dish.self])
        SchemaStep(from: "2", to: "3") {
            Transform("Dish") { old, new in
                let dish = try new.make()
                dish["name"] = try old["title"]
                try dish.set("hours", to: Double(old["minutes", as: Int.self]) / 60)
            }
        }
    }
}
