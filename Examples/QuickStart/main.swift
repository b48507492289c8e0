import Foundation
import Larder
import LarderSQLite

@StoredItem
struct Recipe {
    var name: String
    @Indexed var rating: Double = 0
    @Unique var slug: String
    var cookedAt: Date?
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let file = folder.appendingPathComponent("recipes")
let store: any DataStore = SQLiteDataStore(at: file, storing: [Recipe.self])
try store.setup()

try store.writeSync { accessor in
    let cake = try accessor.insert(Recipe(name: "Chocolate Cake", slug: "chocolate-cake"))
    cake.rating = 4.5  // saved when the block ends; a throw undoes everything
    try accessor.insert(Recipe(name: "Toast", rating: 2, slug: "toast"))
}

let best = try store.read { accessor in
    try accessor.items(for: Recipe.where(\.rating > 4).sorted(by: \.name).limit(20))
}
print(best.map(\.name))  // ["Chocolate Cake"]

try store.destroy()
