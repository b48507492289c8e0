import CLMDBRaw

/// Recipes and ingredients in bytes, without their id, which is the key: two numbers, then the name.
enum CookbookRow {
    private static let reference = 8
    private static let name = 16

    // reason: the bytes are LMDB's page; they are valid until the next change.

    static func byteCount(ofName text: borrowing String) -> Int { name + text.utf8.count }

    static func write(_ recipe: borrowing Recipe, to row: UnsafeMutableRawBufferPointer) {
        row.storeBytes(of: recipe.minutes, as: Int64.self)
        row.storeBytes(of: recipe.kind, toByteOffset: reference, as: Int64.self)
        write(recipe.name, to: row)
    }

    static func write(_ ingredient: borrowing Ingredient, to row: UnsafeMutableRawBufferPointer) {
        row.storeBytes(of: ingredient.amount, as: Double.self)
        row.storeBytes(of: ingredient.recipe, toByteOffset: reference, as: Int64.self)
        write(ingredient.name, to: row)
    }

    static func recipe(id: Int64, in row: UnsafeRawBufferPointer) -> Recipe {
        Recipe(
            id: id, name: text(in: row), minutes: row.loadUnaligned(as: Int64.self), kind: reference(in: row))
    }

    static func ingredient(id: Int64, in row: UnsafeRawBufferPointer) -> Ingredient {
        Ingredient(
            id: id, name: text(in: row), amount: row.loadUnaligned(as: Double.self),
            recipe: reference(in: row))
    }

    /// The id of an ingredient's recipe, or of a recipe's kind.
    static func reference(in row: UnsafeRawBufferPointer) -> Int64 {
        row.loadUnaligned(fromByteOffset: reference, as: Int64.self)
    }

    /// The bytes of the name, as they are.
    static func nameBytes(in row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: row[name...])
    }

    private static func write(_ text: String, to row: UnsafeMutableRawBufferPointer) {
        let place = UnsafeMutableRawBufferPointer(rebasing: row[name...])
        _ = place.bindMemory(to: UInt8.self).initialize(from: text.utf8)
    }

    private static func text(in row: UnsafeRawBufferPointer) -> String {
        String(decoding: nameBytes(in: row), as: UTF8.self)
    }
}
