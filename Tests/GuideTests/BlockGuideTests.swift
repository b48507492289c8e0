import Dispatch
import Larder
import LarderMemory
import Testing

/// The code of `Documentation/Blocks.md`.
struct BlockGuideTests {
    @Test func `what a block has changed`() throws {
        let store = try Pantry.makeStore()
        let toast = try store.read { try $0.ids(for: Recipe.where(\.slug == "toast")) }
        var noted: [Recipe.ID] = []
        func note(_ ids: [Recipe.ID]) { noted = ids }
        var uploaded: [Recipe.ID] = []
        func upload(_ changes: ChangeSet) { uploaded = changes.updated(Recipe.self).map(\.id) }

        let result = try store.writeSyncReportingChanges { accessor in
            try accessor.update(Recipe.where(\.rating < 2), .set(\.rating, to: 2))
            if try accessor.hasChanges {
                note(try accessor.pendingChanges.updated(Recipe.self).map(\.id))
            }
        }
        upload(result.changes)

        #expect(noted == toast)
        #expect(uploaded == toast)
    }

    @Test func `completions where the app wants them`() async throws {
        let store = try Pantry.makeStore(with: [])
        let queue = DispatchQueue(label: "completions")
        let (soup, pie) = (Recipe(name: "Soup", slug: "soup"), Recipe(name: "Pie", slug: "pie"))
        let (ids, handed) = AsyncStream<Recipe.ID?>.makeStream()
        @Sendable func note(_ result: Result<Recipe.ID, any Error>) { handed.yield(try? result.get()) }
        @Sendable func show(_ result: Result<Recipe.ID, any Error>) { note(result) }

        store.writeAsync {
            try $0.insert(soup).id
        } completionOnMainActor: { result in
            show(result)
        }

        store.writeAsync(
            { try $0.insert(pie).id }, completingBy: { queue.async(execute: $0) },
            completion: { result in note(result) })

        var found: Set<Recipe.ID?> = []
        for await id in ids {
            found.insert(id)
            if found.count == 2 { break }
        }
        #expect(found == [soup.id, pie.id])
    }

    @Test func `work that belongs to a commit`() throws {
        let store = try Pantry.makeStore(with: [])
        let queue = DispatchQueue(label: "hooks")
        let bread = Recipe(name: "Bread", slug: "bread")
        let uploads = Locked(0)
        @Sendable func upload() { uploads.withLock { $0 += 1 } }

        try store.writeSync { accessor in
            try accessor.insert(bread)
            try accessor.afterCommit(by: { queue.async(execute: $0) }) { upload() }
        }

        queue.sync {}
        #expect(uploads.withLock { $0 } == 1)
    }

    @Test func `names of stores`() throws {
        let store = try Pantry.makeStore()

        let order = try store.makeChildDataStore(named: "order")
        let line = try order.makeChildDataStore(named: "line")
        print(line)  // ChildDataStore "line" of ChildDataStore "order" of MemoryDataStore (memory)

        #expect(
            "\(line)" == #"ChildDataStore "line" of ChildDataStore "order" of MemoryDataStore (memory)"#)
    }

    @Test func `progress of an import`() throws {
        let store = try Pantry.makeStore(with: [])
        let names = (1...2_000).map { "recipe \($0)" }
        let recipes = ImportMap<Recipe, String>(by: \.slug, from: { $0 }) {
            Import(\.name) { $0 }
        }
        var shown: [Double] = []
        func show(_ fraction: Double) { shown.append(fraction) }

        let counts = try store.importItems(from: names, using: recipes, committingEvery: 1_000) { progress in
            show(progress.fraction ?? 0)
        }

        #expect(counts == ImportCounts(inserted: 2_000))
        #expect(shown == [0.5, 1])
    }
}
