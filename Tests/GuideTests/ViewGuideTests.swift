import Larder
import Observation
import Testing

/// The views of the section on SwiftUI in the migration guide; where there is no SwiftUI, with the parts of it that
/// `ViewParts.swift` stands in for.
@MainActor
struct ViewGuideTests {
    #if !canImport(SwiftUI)
        @Test func `a view shows the items in its first frame, and is redrawn when they change`() async throws
        {
            let store = try Pantry.makeStore()
            let list = RecipeList(in: store)
            #expect(list.drawn == ["Cake"])

            try await redraw(of: list) {
                try await store.writeAsync { try $0.update(Recipe.all, .set(\.rating, to: 5)) }
            }
            #expect(list.drawn == ["Cake", "Stew", "Toast"])
            list.search("st")
            #expect(list.drawn == ["Stew", "Toast"])
        }

        @Test func `a view shows one item, and that it is gone`() async throws {
            let store = try Pantry.makeStore()
            let id = try #require(try store.read { try $0.ids(for: Recipe.where(\.slug == "stew")) }.first)
            let view = RecipeView(id, in: store)
            #expect(view.drawn == ["Stew: 3.0"])

            try await redraw(of: view) {
                try await store.writeAsync { try $0.mutableItem(id: id, of: Recipe.self)?.rating = 4 }
            }
            #expect(view.drawn == ["Stew: 4.0"])
            try await redraw(of: view) {
                try await store.writeAsync { _ = try $0.delete(id: id, of: Recipe.self) }
            }
            #expect(view.drawn == ["This recipe was deleted."])
        }

        @Test func `a view shows sections`() async throws {
            let store = try Pantry.makeStore()
            let view = RecipeSections(in: store)
            #expect(view.drawn == ["1.0", "Toast", "3.0", "Stew", "4.5", "Cake"])

            try await redraw(of: view) {
                try await store.writeAsync { try $0.update(Recipe.all, .set(\.rating, to: 5)) }
            }
            #expect(view.drawn == ["5.0", "Cake", "Stew", "Toast"])
        }

        /// Waits until a view is to be drawn again, as an action leads to it.
        private func redraw(of view: some View, by action: () async throws -> Void) async throws {
            let (changes, change) = AsyncStream<Void>.makeStream()
            withObservationTracking {
                _ = view.drawn
            } onChange: {
                change.yield()
            }
            try await action()
            for await _ in changes { break }
        }
    #endif
}
