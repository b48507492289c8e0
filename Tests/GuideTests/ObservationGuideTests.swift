import Larder
import Testing

/// The code of the section on observation in the migration guide.
struct ObservationGuideTests {
    private static func id(of slug: String, in store: any DataStore) throws -> Recipe.ID {
        try #require(try store.read { try $0.firstItem(for: Recipe.where(\.slug == slug)) }).id
    }

    @Test @MainActor func `an item with what has changed`() async throws {
        let store = try Pantry.makeStore()
        let id = try Self.id(of: "toast", in: store)
        let (shown, continuation) = AsyncStream<String>.makeStream()
        var lines = shown.makeAsyncIterator()
        func show(_ recipe: Recipe?, highlighting names: Set<String> = []) {
            continuation.yield("\(recipe?.name ?? "-") \(names.sorted())")
        }
        func close(_ recipe: Recipe?) { continuation.yield("closed \(recipe?.name ?? "-")") }
        let observation: StoreObservation

        observation = store.changes(ofItem: id, of: Recipe.self).observe { change in
            switch change.kind {
            case .found, .inserted: show(change.item)
            case .updated(let names): show(change.item, highlighting: names)
            case .deleted, .notFound: close(change.old)
            }
        }

        #expect(await lines.next() == "Toast []")
        try await store.writeAsync { accessor in
            let toast = try accessor.mutableItem(id: id, of: Recipe.self)
            toast?.name = "French toast"
            toast?.rating = 4
        }
        #expect(await lines.next() == "French toast [\"name\", \"rating\"]")
        try await store.writeAsync { _ = try $0.delete(id: id, of: Recipe.self) }
        #expect(await lines.next() == "closed French toast")
        withExtendedLifetime(observation) {}
    }

    @Test func `one attribute, old and new`() async throws {
        let store = try Pantry.makeStore()
        let id = try Self.id(of: "toast", in: store)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        @Sendable func show(_ recipe: Recipe?) { continuation.yield("\(recipe?.rating ?? -1)") }
        @Sendable func animate(from old: Double, to new: Double) { continuation.yield("\(old) to \(new)") }

        let task = Task {
            for try await change in store.changes(ofItem: id, of: Recipe.self) {
                show(change.item)
                if let rating = change[\.rating] { animate(from: rating.old, to: rating.new) }
            }
        }

        var iterator = lines.makeAsyncIterator()
        #expect(await iterator.next() == "1.0")
        try await store.writeAsync { try $0.mutableItem(id: id, of: Recipe.self)?.rating = 5 }
        #expect(await iterator.next() == "5.0")
        #expect(await iterator.next() == "1.0 to 5.0")
        task.cancel()
        try await task.value

        let ratings = store.values { try $0.item(id: id, of: Recipe.self)?.rating }

        var values = ratings.makeAsyncIterator()
        #expect(try await values.next() == .some(5))
        try await store.writeAsync { accessor in
            try accessor.mutableItem(id: id, of: Recipe.self)?.name = "not followed"
        }
        try await store.writeAsync { _ = try $0.delete(id: id, of: Recipe.self) }
        #expect(try await values.next() == .some(nil))
    }

    private struct Overview: Sendable, Equatable {
        let count: Int
        let best: [Recipe]
    }

    @Test @MainActor func `a block as in ValueObservation`() async throws {
        let store = try Pantry.makeStore()
        let (shown, continuation) = AsyncStream<Overview>.makeStream()
        var iterator = shown.makeAsyncIterator()
        func show(_ overview: Overview) { continuation.yield(overview) }
        let observation: StoreObservation

        let overviews = store.values { accessor in
            Overview(
                count: try accessor.countItems(for: Recipe.all),
                best: try accessor.items(for: Recipe.where(\.rating > 4).sorted(by: \.name)))
        }
        observation = overviews.observe { overview in show(overview) }

        #expect(await iterator.next()?.count == 3)
        try await store.writeAsync { _ = try $0.deleteItems(for: Recipe.where(\.rating > 4)) }
        #expect(await iterator.next() == Overview(count: 2, best: []))
        withExtendedLifetime(observation) {}
    }
}
