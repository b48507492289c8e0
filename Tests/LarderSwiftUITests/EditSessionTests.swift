#if !canImport(SwiftUI)
    import Dispatch
    import Larder
    import LarderMemory
    import LarderSwiftUI
    import SwiftUIStandIns
    import Synchronization
    import Testing

    private struct Level: CodableAttribute {
        var value: Double
    }

    @StoredItem
    private struct Dial {
        var level: Level
    }

    /// A value that cannot be read while it is said to be unreadable.
    private struct Mark: CodableAttribute {
        static let isUnreadable = Atomic(false)

        var value: Int

        init(value: Int) { self.value = value }

        init(from decoder: any Decoder) throws {
            if Self.isUnreadable.load(ordering: .relaxed) {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "unreadable"))
            }
            value = try decoder.singleValueContainer().decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @StoredItem
    private struct Page {
        var mark: Mark
    }

    @StoredItem
    private struct Panel {
        var title: String
        @Transient var isOpen: Bool = false
    }

    @MainActor
    struct EditSessionTests {
        private let store: MemoryDataStore
        private let session: EditSession<Recipe>
        private let undoManager = UndoManager()

        init() throws {
            store = try makeStore()
            session = EditSession(try #require(try store.recipe("Cake")), in: store)
            session.undoManager = undoManager
        }

        private var code: String? { (session.error as? DataStoreError)?.code.rawValue }

        /// Cancels a session while its save waits for its turn among the writes of the store.
        ///
        /// - Returns: The answer of the save.
        private func cancelWhileSaving(_ session: EditSession<Recipe>) async -> Bool {
            let (beginnings, beginning) = AsyncStream<Void>.makeStream()
            let mayEnd = DispatchSemaphore(value: 0)
            store.writeAsync(
                { _ in
                    beginning.yield()
                    mayEnd.wait()
                }, completion: nil)
            for await _ in beginnings { break }
            let host = Host(Text(""))
            host.observe(session)
            let saving = Task { await session.save() }
            // The session stages what is left before it awaits the store.
            await host.staleness()
            session.cancel()
            mayEnd.signal()
            return await saving.value
        }

        @Test func `changes are staged, and stored by saving`() async throws {
            #expect(!session.hasChanges)

            session.item.name = "Pie"
            session.item.rating = 4

            #expect(session.hasChanges)
            #expect(try session.draft?.recipe("Pie")?.rating == 4)
            #expect(try store.recipe("Pie") == nil)

            #expect(await session.save())
            #expect(try store.recipe("Pie")?.rating == 4)
            #expect(!session.hasChanges)
            #expect(session.error == nil)
        }

        @Test func `the item itself is deleted by saving`() async throws {
            let id = session.item.id
            #expect(session.edit { _ = try $0.delete(id: id, of: Recipe.self) })

            #expect(await session.save())

            #expect(try store.recipe("Cake") == nil)
            #expect(session.error == nil)
            #expect(!session.hasChanges)
        }

        @Test func `canceling shows what is stored`() async throws {
            session.item.name = "Pie"
            try store.change("Cake") { $0.note = "Sweet." }

            session.cancel()

            #expect(session.item.name == "Cake")
            #expect(session.item.note == "Sweet.")
            #expect(!session.hasChanges)
            #expect(await session.save())
            #expect(try store.recipe("Cake")?.note == "Sweet.")
        }

        @Test func `a save that waits while the session is canceled stores nothing`() async throws {
            session.item.name = "Pie"
            #expect(await cancelWhileSaving(session) == false)

            #expect(try store.recipe("Pie") == nil)
            #expect(session.item.name == "Cake")
            #expect(session.error == nil)
            #expect(!session.hasChanges)

            let new = EditSession(inserting: Recipe(name: "Soup"), in: store)
            new.item.rating = 4
            #expect(await cancelWhileSaving(new) == false)

            #expect(try store.recipe("Soup") == nil)
            #expect(new.item.rating == 3)
            #expect(new.error == nil)
            #expect(new.hasChanges)
            #expect(await new.save())
            #expect(try store.recipe("Soup")?.rating == 3)
        }

        @Test func `an attribute that the session has not changed keeps what others give it`() async throws {
            try store.change("Cake") { $0.note = "Sweet." }
            session.item.rating = 1
            try store.change("Cake") { $0.note = "Very sweet." }

            #expect(await session.save())

            let cake = try store.recipe("Cake")
            #expect(cake?.note == "Very sweet.")
            #expect(cake?.rating == 1)
            #expect(session.item.note == "Very sweet.")
        }

        @Test func `a conflict is the error, and a policy settles it`() async throws {
            session.item.rating = 1
            try store.change("Cake") { $0.rating = 4 }

            #expect(await session.save() == false)
            #expect(code == "mergeConflict")
            #expect(try store.recipe("Cake")?.rating == 4)
            #expect(session.item.rating == 1)

            #expect(await session.save(policy: .childWins))
            #expect(try store.recipe("Cake")?.rating == 1)
        }

        @Test func `an item with another identifier is refused`() async throws {
            session.item = try #require(try store.recipe("Stew"))

            #expect(code == "invalidValue")
            #expect(session.item.name == "Cake")
            #expect(!session.hasChanges)
            #expect(!undoManager.canUndo)

            session.item.name = "Pie"
            #expect(session.error == nil)
            #expect(await session.save())
            #expect(try store.recipe("Pie")?.rating == 5)
            #expect(try store.recipe("Stew")?.rating == 3)
        }

        @Test func `an item with another identifier and the same values is refused`() {
            session.item = Recipe(name: "Cake", rating: 5)

            #expect(code == "invalidValue")
        }

        @Test func `an item that was given items for a relationship is refused`() async throws {
            session.item.steps = [Step(text: "Bake.", recipe: ToOne(session.item))]
            #expect(code == "unsupported")

            var cake = session.item
            cake.name = "Pie"
            cake.steps = []
            session.item = cake
            #expect(code == "unsupported")
            #expect(session.item.name == "Cake")
            #expect(!session.hasChanges)
            #expect(!undoManager.canUndo)

            session.item.name = "Tart"
            #expect(session.error == nil)
            #expect(await session.save())
            #expect(try store.recipe("Tart")?.rating == 5)
        }

        @Test func `a transient value is shown and not staged`() throws {
            let store = MemoryDataStore(storing: [Panel.self])
            try store.setup()
            let panel = Panel(title: "A")
            try store.writeSync { _ = try $0.insert(panel) }
            let session = EditSession(panel, in: store)
            session.undoManager = undoManager

            session.item.isOpen = true
            #expect(session.item.isOpen)
            #expect(!session.hasChanges)
            #expect(!undoManager.canUndo)

            session.item.title = "B"
            #expect(session.item.isOpen)
            let draft = try #require(session.draft)
            #expect(try draft.read { try $0.item(id: panel.id, of: Panel.self)?.title } == "B")
            undoManager.undo()
            #expect(session.item.title == "A")
            #expect(session.item.isOpen)
        }

        @Test func `a value that is taken stays on the screen, and is tried again`() async throws {
            session.item.name = "Toast"

            #expect(code == "uniqueViolation")
            #expect(session.item.name == "Toast")
            #expect(session.hasChanges)
            #expect(await session.save() == false)
            #expect(code == "uniqueViolation")

            session.item.name = "Toast with butter"
            #expect(session.error == nil)
            #expect(await session.save())
            #expect(try store.recipe("Toast with butter")?.rating == 5)
        }

        @Test func `a value that is taken goes to no error handler`() async throws {
            struct Last: Error {}
            let (errors, handed) = AsyncStream<any Error>.makeStream()
            store.errorHandler = { handed.yield($0) }

            session.item.name = "Toast"
            #expect(code == "uniqueViolation")
            let new = EditSession(inserting: Recipe(name: "Toast"), in: store)
            #expect((new.error as? DataStoreError)?.code == .uniqueViolation)
            session.edit { _ in throw Last() }

            for await error in errors {
                #expect(error is Last)
                break
            }
        }

        @Test func `a value that cannot be stored can be undone`() throws {
            let store = MemoryDataStore(storing: [Dial.self])
            try store.setup()
            let dial = Dial(level: Level(value: 1))
            try store.writeSync { _ = try $0.insert(dial) }
            let session = EditSession(dial, in: store)
            session.undoManager = undoManager

            session.item.level.value = .nan
            #expect((session.error as? DataStoreError)?.code == .invalidValue)
            undoManager.undo()

            #expect(session.error == nil)
            #expect(session.item.level.value == 1)
        }

        @Test func `saving succeeds if the item cannot be read again`() async throws {
            var options = DataStoreOptions()
            // The merge asks the hooks of the store, and nothing is read after them before the session does.
            options.setHooks(
                ItemHooks(Page.self).validating { page, _ in
                    if page.mark.value == 13 { Mark.isUnreadable.store(true, ordering: .relaxed) }
                })
            let store = MemoryDataStore(storing: [Page.self], storeOptions: options)
            try store.setup()
            let page = Page(mark: Mark(value: 1))
            try await store.writeAsync { _ = try $0.insert(page) }
            let session = EditSession(page, in: store)
            session.item.mark.value = 13
            #expect(session.error == nil)

            #expect(await session.save())

            #expect((session.error as? DataStoreError)?.code == .undecodable)
            Mark.isUnreadable.store(false, ordering: .relaxed)
            #expect(try store.read { try $0.item(id: page.id, of: Page.self)?.mark.value } == 13)
        }

        @Test func `a new item is inserted by saving, and a canceled session begins again`() async throws {
            let session = EditSession(inserting: Recipe(name: "Soup"), in: store)
            #expect(session.hasChanges)
            session.item.name = "Soup of the day"
            session.cancel()
            #expect(session.item.name == "Soup")
            #expect(try store.recipe("Soup") == nil)

            session.item.rating = 4
            #expect(await session.save())
            #expect(try store.recipe("Soup")?.rating == 4)

            session.cancel()
            #expect(session.error == nil)
            #expect(session.item.rating == 4)
        }

        @Test func `a new item whose first values are refused is inserted with others`() async throws {
            let session = EditSession(inserting: Recipe(name: "Toast"), in: store)
            #expect((session.error as? DataStoreError)?.code == .uniqueViolation)
            #expect(session.item.name == "Toast")
            #expect(session.hasChanges)
            #expect(await session.save() == false)
            #expect((session.error as? DataStoreError)?.code == .uniqueViolation)

            session.item.name = "Rusk"
            #expect(session.error == nil)
            #expect(try session.draft?.recipe("Rusk")?.id == session.item.id)
            #expect(await session.save())
            #expect(try store.recipe("Rusk")?.id == session.item.id)
            #expect(!session.hasChanges)

            session.cancel()
            #expect(session.error == nil)
            #expect(session.item.name == "Rusk")
        }

        @Test func `a new item that was refused may be inserted by a block of the app`() async throws {
            let session = EditSession(inserting: Recipe(name: "Toast"), in: store)
            let (item, other) = (session.item, try #require(try store.recipe("Toast")))

            #expect(
                session.edit { accessor in
                    _ = try accessor.delete(id: other.id, of: Recipe.self)
                    try accessor.insert(item)
                })

            #expect(await session.save())
            #expect(session.error == nil)
            #expect(!session.hasChanges)
            #expect(try store.recipe("Toast")?.id == item.id)
        }

        @Test func `a new item that the session deletes again is not stored`() async throws {
            let session = EditSession(inserting: Recipe(name: "Soup"), in: store)
            let id = session.item.id
            #expect(session.edit { _ = try $0.delete(id: id, of: Recipe.self) })

            #expect(await session.save())

            #expect(session.error == nil)
            #expect(try store.recipe("Soup") == nil)
        }

        @Test func `other items are changed along with the item`() async throws {
            let cake = ToOne<Recipe>(session.item)
            #expect(session.edit { _ = try $0.insert(Step(text: "Bake.", recipe: cake)) })
            #expect(session.edit { _ = try $0.insert(Recipe(name: "Toast")) } == false)
            #expect(code == "uniqueViolation")

            #expect(try store.read { try $0.countItems(for: Step.all) } == 0)
            #expect(await session.save())
            #expect(try store.read { try $0.items(for: Step.all) }.map(\.text) == ["Bake."])
        }

        @Test func `each change can be undone and redone`() throws {
            session.item.name = "Pie"
            session.item.rating = 1
            session.item.rating = 1

            undoManager.undo()
            #expect(session.item.name == "Pie")
            #expect(session.item.rating == 5)
            undoManager.undo()
            #expect(!undoManager.canUndo)
            #expect(!session.hasChanges)

            undoManager.redo()
            undoManager.redo()
            #expect(!undoManager.canRedo)
            #expect(try session.draft?.recipe("Pie")?.rating == 1)
        }

        @Test func `a new item that was refused keeps the items it was given when a change is undone`()
            async throws
        {
            let cake = try #require(try store.recipe("Cake"))
            let step = Step(text: "Slice.", recipe: ToOne(cake))
            try await store.writeAsync { _ = try $0.insert(step) }
            let session = EditSession(inserting: Recipe(name: "Toast", steps: [step]), in: store)
            session.undoManager = undoManager
            session.item.rating = 1

            undoManager.undo()
            #expect(session.item.rating == 3)
            session.item.name = "Toast 2"

            #expect(await session.save())
            let steps = try store.read { try $0.items(for: Step.all) }
            #expect(steps.map(\.recipe.id) == [session.item.id])
        }

        @Test func `a new item that was refused takes items, and is changed further once it is inserted`()
            async throws
        {
            let cake = try #require(try store.recipe("Cake"))
            let step = Step(text: "Slice.", recipe: ToOne(cake))
            try await store.writeAsync { _ = try $0.insert(step) }
            let session = EditSession(inserting: Recipe(name: "Toast"), in: store)
            session.undoManager = undoManager
            session.item.steps = [step]
            #expect((session.error as? DataStoreError)?.code == .uniqueViolation)

            session.item.name = "Rusk"
            #expect(session.error == nil)
            session.item.rating = 4
            #expect(session.error == nil)
            undoManager.undo()
            #expect(session.item.rating == 3)
            undoManager.undo()
            #expect(session.item.name == "Toast")
            #expect((session.error as? DataStoreError)?.code == .uniqueViolation)

            session.item.name = "Crisp"
            #expect(await session.save())
            let steps = try store.read { try $0.items(for: Step.all) }
            #expect(steps.map(\.recipe.id) == [session.item.id])
        }

        @Test func `nothing is left to undo after saving, and after canceling`() async throws {
            session.item.rating = 1
            #expect(await session.save())
            #expect(!undoManager.canUndo)

            session.item.rating = 2
            session.cancel()
            #expect(!undoManager.canUndo)
        }

        @Test func `an action of a session that is gone does nothing`() throws {
            let undoManager = UndoManager()
            weak var gone: EditSession<Recipe>?
            do {
                let session = EditSession(try #require(try store.recipe("Stew")), in: store)
                session.undoManager = undoManager
                session.item.rating = 1
                gone = session
            }

            #expect(gone == nil)
            #expect(undoManager.canUndo)
            undoManager.undo()
            #expect(try store.recipe("Stew")?.rating == 3)
        }

        @Test func `an item that was deleted meanwhile is reported`() async throws {
            try store.remove("Cake")

            session.item.rating = 1

            #expect(code == "itemNotFound")
            #expect(await session.save() == false)
            #expect(session.item.rating == 1)
        }

        @Test func `a session over a closed store says so`() async throws {
            try store.tearDown()
            let late = EditSession(session.item, in: store)

            #expect(late.draft == nil)
            #expect((late.error as? DataStoreError)?.code == .closed)
            late.item.rating = 1
            #expect(await late.save() == false)
            #expect((late.error as? DataStoreError)?.code == .closed)
        }
    }
#endif
