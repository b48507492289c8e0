import Larder
import Testing

/// The code of "Child stores and undo" in the migration guide; that of undo is in ``EditHistory``.
struct ChildGuideTests {
    private let toast = Pantry.recipes[0]

    private func ratings(in store: any DataStore) throws -> [Double] {
        try Pantry.recipes(in: store).map(\.rating)
    }

    @Test func `the draft of the README`() throws {
        let store = try Pantry.makeStore()
        var printed: [String] = []
        func print(_ changes: StagedChanges) { printed.append(changes.description) }

        let draft = try store.makeChildDataStore()  // reads from the store, keeps its changes in memory
        try draft.writeSync { accessor in
            try accessor.firstMutableItem(for: Recipe.where(\.slug == "toast"))?.rating = 4
        }
        print(try draft.stagedChanges)  // updated Recipe 0ABC…: rating 1.0 -> 4.0
        try store.merge(draft)  // one atomic write; or try draft.discard()

        #expect(printed == ["updated Recipe \(toast.id): rating 1.0 -> 4.0"])
        #expect(try ratings(in: store) == [4.5, 3, 4])
    }

    @Test func `a child of JustPersist`() throws {
        let store = try Pantry.makeStore()

        let draft = try store.makeChildDataStore()
        try draft.writeSync { accessor in
            try accessor.insert(Recipe(name: "Tea", slug: "tea"))
            try accessor.firstMutableItem(for: Recipe.where(\.slug == "toast"))?.rating = 4
        }
        let shown = try draft.read { try $0.items(for: Recipe.where(\.rating < 4.5).sorted(by: \.name)) }
        try store.merge(draft)  // or try draft.discard()

        #expect(shown.map(\.name) == ["Stew", "Tea", "Toast"])
        #expect(try ratings(in: store) == [4.5, 3, 0, 4])
    }

    @Test func `a long-lived transaction of CoreStore`() throws {
        let store = try Pantry.makeStore()

        let session = try store.makeChildDataStore()
        try session.writeSync { try $0.mutableVersion(of: toast)?.rating = 4 }
        try store.merge(session)  // stored; more edits and merges may follow
        try session.writeSync { try $0.mutableVersion(of: toast)?.rating = 5 }
        try session.rollBack()  // shows what is stored

        #expect(try ratings(in: store) == [4.5, 3, 4])
        #expect(try ratings(in: session) == [4.5, 3, 4])
    }

    @Test(arguments: [false, true])
    func `edit of CoreStore`(_ isDeleted: Bool) throws {
        let store = try Pantry.makeStore()
        if isDeleted { try store.writeSync { _ = try $0.delete(toast) } }

        try store.writeSync { accessor in
            guard let stored = try accessor.mutableVersion(of: toast) else { return }  // it was deleted
            stored.rating = 4
        }

        #expect(try ratings(in: store) == (isDeleted ? [4.5, 3] : [4.5, 3, 4]))
    }

    @Test func `transactWith and useInCurrentContext of Cadmium`() async throws {
        let store = try Pantry.makeStore()
        let (toast, recipes) = (toast, Pantry.recipes)

        try await store.writeAsync { accessor in
            try accessor.mutableVersion(of: toast)?.rating = 4
        }
        #expect(try ratings(in: store) == [4.5, 3, 4])

        try await store.writeAsync { accessor in
            for recipe in try accessor.mutableVersions(of: recipes).compactMap({ $0 }) {
                recipe.rating += 1
            }
        }
        #expect(try ratings(in: store) == [5.5, 4, 5])
    }

    @Test func `a nested context of Core Data`() throws {
        let store = try Pantry.makeStore()

        let draft = try store.makeChildDataStore()
        try draft.writeSync { try $0.mutableVersion(of: toast)?.rating = 4 }
        if draft.hasChanges { try store.merge(draft) }  // on disk when it returns

        #expect(try ratings(in: store) == [4.5, 3, 4])
        #expect(!draft.hasChanges)
    }

    @Test func `what is staged, and a preview`() throws {
        let store = try Pantry.makeStore()
        let draft = try store.makeChildDataStore()
        try draft.writeSync { accessor in
            try accessor.mutableVersion(of: toast)?.rating = 4
            try accessor.insert(Recipe(name: "Tea", slug: "tea"))
        }
        var shown: [String] = []
        func show(_ values: Any...) { shown += values.map { "\($0)" } }

        let changes = try draft.stagedChanges
        for recipe in try changes.inserted(Recipe.self) { show("new", recipe.name) }
        for change in try changes.updated(Recipe.self) { show(change.old.rating, change.new.rating) }
        let preview = try store.mergePreview(draft)
        show(preview.inserted, preview.updated, preview.deleted, preview.conflicts.count)

        #expect(shown == ["new", "Tea", "1.0", "4.0", "1", "1", "0", "0"])
        let lines = changes.description.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "updated Recipe \(toast.id): rating 1.0 -> 4.0")
        #expect(try ratings(in: store) == [4.5, 3, 1])
    }

    @Test func `a conflict is shown and settled`() throws {
        let store = try Pantry.makeStore()
        let draft = try store.makeChildDataStore()
        try draft.writeSync { try $0.mutableVersion(of: toast)?.rating = 4 }
        try store.writeSync { accessor in
            let stored = try accessor.mutableVersion(of: toast)
            stored?.rating = 2
            stored?.name = "French toast"
        }
        var shown: [String] = []
        func show(_ text: String, _ rating: Double?) { shown.append("\(text), \(rating ?? 0)") }

        do {
            try store.merge(draft)
        } catch let error as DataStoreError where error.code == .mergeConflict {
            for conflict in error.conflicts {
                show(conflict.description, try conflict.parent(Recipe.self)?.rating)
            }
        }
        #expect(
            shown == [
                """
                Recipe \(toast.id): rating was changed on both sides (base 1.0, child 4.0, parent 2.0), 2.0
                """
            ])
        #expect(try ratings(in: store) == [4.5, 2, 3])

        let result = try store.merge(
            draft,
            policy: .resolve { conflict in
                switch conflict.kind {
                case .changedOnBothSides(attribute: "rating"):
                    // A value of neither side: the mean of the two.
                    let (mine, theirs) = (try conflict.child(Recipe.self), try conflict.parent(Recipe.self))
                    guard let mine, let theirs else { return .unsettled }
                    return .value((mine.rating + theirs.rating) / 2)
                case .deletedInParent: return .parent
                default: return .unsettled  // the merge fails with this conflict
                }
            })
        #expect(result.settled.map(\.kind) == [.changedOnBothSides(attribute: "rating")])
        #expect(try ratings(in: store) == [4.5, 3, 3])
        #expect(try store.read { try $0.item(id: toast.id) }?.name == "French toast")
    }
}
