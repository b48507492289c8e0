import Larder
import LarderTesting
import Testing

@Suite struct `A recording` {
    private struct OwnError: Error {}

    @Test(arguments: TestEngine.all)
    func `prints requests, changes and commits, the same on every engine`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            let recording = try store.record {
                try store.writeSync { accessor in
                    try accessor.insert(Meal(1))
                    try accessor.insert(Meal(2))
                    let meal = try accessor.firstMutableItem(for: Meal.where(\.price < 5))
                    meal?.price = 3
                    meal?.note = "salty"
                }
                try store.writeSync { try $0.delete(id: 2, of: Meal.self) }
                _ = try store.read { accessor in
                    _ = try accessor.item(id: 1, of: Meal.self)
                    return try accessor.countItems(for: Meal.where(\.name == "meal 1"))
                }
                try store.writeSync { _ = try $0.deleteAllItems(of: Meal.self) }
            }

            #expect("\(recording)" == Self.expected)
            #expect(recording.commits == 3)
            #expect(recording.inserted(Meal.self) == [1, 2])
            #expect(recording.updated(Meal.self).map(\.id) == [1])
            #expect(recording.updated(Meal.self).map(\.attributes) == [["price", "note"]])
            #expect(recording.deleted(Meal.self) == [2])
            #expect(recording.changes.count == 5)
            #expect(
                recording.requests.map(\.description).suffix(1)
                    == ["Meal select id where name == \"meal 1\" order id ascending"])
            #expect(recording.count(of: .commit) == 3)
        }
    }

    private static let expected = """
        request Meal select id where name == "meal 1" order id ascending limit 2
        insert Meal 1
        request Meal select id where name == "meal 2" order id ascending limit 2
        insert Meal 2
        request Meal where price < 5 order id ascending limit 1
        update Meal 1 set price, note
        commit
        delete Meal 2
        commit
        look up Meal 1
        count Meal select id where name == "meal 1" order id ascending
        delete all Meal
        commit
        """

    /// A note, whose text has another name in the store.
    private struct Note: DataStoreItem {
        let id: Int64
        var text: String

        struct Attributes: Sendable {
            let id = Attribute<Note, Int64>(column: 0)
            let text = Attribute<Note, String>(column: 1)
        }
        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Note",
            attributes: [
                .attribute("id", Int64.self), .attribute("note_text", String.self, property: "text"),
            ])

        init(_ id: Int64, _ text: String) { (self.id, self.text) = (id, text) }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            text = try row.value(at: 1)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(text, at: 1)
        }
    }

    @Test func `names attributes as the app does`() throws {
        try withTemporaryStore(storing: [Note.self]) { store in
            try store.writeSync { _ = try $0.insert(Note(1, "old")) }
            let recording = try store.record {
                try store.writeSync { try $0.mutableItem(id: 1, of: Note.self)?.text = "new" }
            }

            #expect(recording.updated(Note.self).map(\.attributes) == [["text"]])
        }
    }

    @Test(arguments: TestEngine.all)
    func `tells what was rolled back, and counts calls that failed`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            let recording = try store.record {
                #expect(throws: OwnError.self) {
                    try store.writeSync { accessor in
                        try accessor.insert(contentsOf: [Meal(1)])
                        throw OwnError()
                    }
                }
                store.faults.failNextWrite()
                #expect(throws: DataStoreError.self) { try store.insert(Meal(2)) }
                store.faults.fail(.request)
                #expect(throws: DataStoreError.self) { try store.meals() }
                try store.writeSync { _ in }
            }

            // The other lines are about uniqueness.
            let lines = recording.description.split(separator: "\n").filter { !$0.hasPrefix("request") }
            #expect(lines == ["insert Meal 1", "roll back", "insert Meal 2", "roll back"])
            #expect(recording.commits == 0)
            #expect(recording.count(of: .commit) == 1)
            #expect(recording.count(of: .request) == 3)
            #expect(recording.requests.count == 2)
            let meals = try store.meals()
            #expect(meals.isEmpty)
        }
    }

    @Test(arguments: TestEngine.all)
    func `leaves changes out that find no row`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            let vain = try store.record {
                try store.writeSync { _ = try $0.delete(id: 99, of: Meal.self) }
                try store.writeSync { _ = try $0.deleteAllItems(of: Meal.self) }
            }
            try store.insert(Meal(1))
            let mixed = try store.record {
                try store.writeSync { accessor in
                    try accessor.delete(id: 99, of: Meal.self)
                    try accessor.delete(id: 1, of: Meal.self)
                }
            }

            #expect(vain.events.isEmpty)
            #expect(vain.count(of: .apply) == 2)
            #expect("\(mixed)" == "delete Meal 1\ncommit")
        }
    }

    @Test func `begins and ends with its body, and may overlap with another`() async throws {
        let store = try TemporaryStore(storing: [Meal.self])
        try await store.writeAsync { try $0.insert(Meal(1)) }
        var inner: StoreRecording?
        let outer = try await store.record {
            try await store.writeAsync { try $0.insert(Meal(2)) }
            inner = try await store.record { try await store.writeAsync { try $0.insert(Meal(3)) } }
            #expect(throws: OwnError.self) { _ = try store.record { throw OwnError() } }
        }
        try await store.writeAsync { try $0.insert(Meal(4)) }

        #expect(outer.inserted(Meal.self) == [2, 3])
        #expect(inner?.inserted(Meal.self) == [3])
    }

    @Test func `has what is written without waiting, once it is flushed`() async throws {
        let store = try TemporaryStore(storing: [Meal.self])
        let recording = try await store.record {
            for number in 1...5 as ClosedRange<Int64> {
                store.writeAsync({ _ = try $0.insert(Meal(number)) }, completion: nil)
            }
            try await store.flush()
        }

        #expect(recording.inserted(Meal.self) == [1, 2, 3, 4, 5])
    }
}
