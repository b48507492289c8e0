import Larder
import Testing

/// The code of "Without a child store" in the migration guide.
struct WithoutChildStoreTests {
    @Test(arguments: [["tea: Tea", "rye: Rye bread"], ["tea: Tea", "?"]])
    func `a block that throws`(_ lines: [String]) throws {
        let store = try Pantry.makeStore(with: [])

        func takeIn() throws {
            try store.writeSync { accessor in
                for line in lines { try accessor.insert(try Recipe(parsing: line)) }
            }
        }

        if lines.contains("?") {
            #expect(throws: Recipe.NoRecipe.self) { try takeIn() }
            #expect(try Pantry.recipes(in: store) == [])
        } else {
            try takeIn()
            #expect(try Pantry.recipes(in: store).map(\.slug) == ["rye", "tea"])
        }
    }

    @Test(arguments: [false, true])
    func `values edited in memory`(_ isChangedMeanwhile: Bool) throws {
        let store = try Pantry.makeStore()
        let id = Pantry.recipes[0].id
        func edit() throws {
            let base = try store.read { try $0.item(id: id) }
            guard var draft = base else { return }
            draft.rating = 5  // while the user types
            draft.name = "Better toast"
            if isChangedMeanwhile {
                try store.writeSync { try $0.mutableItem(id: id, of: Recipe.self)?.rating = 2 }
            }

            try store.writeSync { accessor in
                guard let stored = try accessor.mutableVersion(of: draft), stored.item == base else {
                    throw EditError.changedMeanwhile  // or merge the two as you see fit
                }
                try stored.replace(by: draft)
            }
        }

        if isChangedMeanwhile {
            #expect(throws: EditError.self) { try edit() }
        } else {
            try edit()
        }

        let rating = try store.read { try $0.item(id: id) }?.rating
        #expect(rating == (isChangedMeanwhile ? 2 : 5))
    }
}
