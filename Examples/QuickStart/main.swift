import Foundation
import Larder
import LarderSQLite

@StoredItem
struct Recipe {
    var name: String
    @Indexed var rating: Double = 0
    @Unique var slug: String
    var tags: [String] = []
    var cookedAt: Date?
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let file = folder.appendingPathComponent("recipes")
let store: any DataStore = SQLiteDataStore(at: file, storing: [Recipe.self])
try store.setup()

// Create. A block is stored as a whole when it ends; a throw undoes all of it.
var toast = Recipe(name: "Toast", rating: 2, slug: "toast")
try store.writeSync { accessor in
    try accessor.insert(Recipe(name: "Chocolate Cake", slug: "chocolate-cake", tags: ["sweet"]))
    try accessor.insert(toast)
}

// Read. Items are values: they never change by themselves.
let sweet = try store.read { try $0.firstItem(for: Recipe.where(.hasPrefix(\.slug, "chocolate"))) }
print(sweet?.tags ?? [])  // ["sweet"]

// Update: a value that was changed, an item through its handle, or all items of a request.
toast.name = "French Toast"
try store.writeSync { accessor in
    try accessor.update(toast)
    try accessor.firstMutableItem(for: Recipe.where(\.slug == "chocolate-cake"))?.rating = 4.5
    try accessor.update(Recipe.where(\.cookedAt == nil), .set(\.cookedAt, to: Date()))
}
let best = try store.read { try $0.items(for: Recipe.where(\.rating > 1).sorted(by: \.name).limit(20)) }
print(best.map(\.name))  // ["Chocolate Cake", "French Toast"]

// Delete: by identifier, or all items of a request.
try store.writeSync { accessor in
    try accessor.delete(id: toast.id)
    try accessor.deleteItems(for: Recipe.where(\.rating > 4))
}

try store.destroy()
