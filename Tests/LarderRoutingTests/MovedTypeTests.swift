import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

@Suite struct `A type that another part keeps now` {
    private typealias Kind = Texts<FirstKind>
    private typealias Note = Texts<FirstNote>
    private typealias LaterKind = Texts<SecondKind>
    private typealias LaterNote = Texts<SecondNote>

    private let first = MemoryStorage()
    private let second = MemoryStorage()

    private static let versions = [
        SchemaVersion("1", storing: [Cook.self, Kind.self, Note.self]),
        SchemaVersion("2", storing: [Cook.self, LaterKind.self, Note.self]),
        SchemaVersion("3", storing: [Cook.self, LaterKind.self, LaterNote.self]),
    ]
    private static let steps = [
        SchemaStep(from: "1", to: "2") {
            Keep("Kind").renaming("name", to: "title").fill("code") { "K\(try $0.id)" }
        },
        SchemaStep(from: "2", to: "3") {
            Transform("Note") { old, new in
                try new.make().set("line", to: "\(try old["text", as: String.self])!")
            }
        },
    ]

    /// A store of one of the versions.
    private func store(
        _ types: [any DataStoreItem.Type], _ others: [any DataStoreItem.Type], version: Int
    ) -> RoutedDataStore {
        RoutedDataStore(
            [
                StorePart("first", MemoryDataStore(storing: types, in: first)),
                StorePart("second", MemoryDataStore(storing: others, in: second)),
            ],
            storing: SchemaHistory(
                Array(Self.versions.prefix(version)), steps: Array(Self.steps.prefix(version - 1))))
    }

    @Test func `takes later steps in its new part, whatever the old one has left of it`() throws {
        let early = store([Cook.self, Kind.self], [Note.self], version: 1)
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(Kind(1, "Soup"))
            try accessor.insert(Note(1, "x"))
        }
        try early.writeSync { try $0.delete(id: 1, of: Kind.self) }
        try early.tearDown()
        let moved = store([Cook.self], [Kind.self, Note.self], version: 1)
        try moved.setup()
        try moved.writeSync { _ = try $0.insert(Kind(2, "Cake")) }
        try moved.tearDown()

        let upgraded = store([Cook.self], [LaterKind.self, Note.self], version: 2)
        try upgraded.setup()
        try upgraded.tearDown()
        let latest = store([Cook.self], [LaterKind.self, LaterNote.self], version: 3)
        try latest.setup()
        let (kinds, notes) = try latest.read {
            (try $0.items(for: LaterKind.all), try $0.items(for: LaterNote.all))
        }
        try latest.tearDown()

        #expect(kinds == [LaterKind(2, "Cake", "K2")])
        #expect(notes == [LaterNote(1, "x!")])
    }
}

@Suite struct `Schema steps about a type in a new part` {
    private typealias Kind = Texts<FirstKind>
    private typealias Note = Texts<FirstNote>

    private let first = MemoryStorage()
    private let second = MemoryStorage()

    private static let versions = [
        SchemaVersion("1", storing: [Kind.self]), SchemaVersion("2", storing: [Kind.self, Note.self]),
    ]

    private func later(_ step: SchemaStep, inCache mayBeLost: Bool = false) -> RoutedDataStore {
        RoutedDataStore(
            [
                StorePart("kinds", MemoryDataStore(storing: [Kind.self], in: first)),
                StorePart("notes", MemoryDataStore(storing: [Note.self], in: second), mayBeLost: mayBeLost),
            ], storing: SchemaHistory(Self.versions, steps: [step]))
    }

    @Test func `are refused if they would make its items, and nothing changes`() throws {
        let early = RoutedDataStore(
            [StorePart("kinds", MemoryDataStore(storing: [Kind.self], in: first))],
            storing: SchemaHistory([Self.versions[0]]))
        try early.setup()
        try early.writeSync { _ = try $0.insert(Kind(1, "Soup")) }
        try early.tearDown()
        let inserting = SchemaStep(from: "1", to: "2") {
            Insert("Note") { _, new in try new.make(id: .integer(1)).set("text", to: "x") }
        }
        let bare = SchemaStep(from: "1", to: "2")
        let calling = bare.after { accessor in
            try accessor.insert("Note", id: .integer(1)) { try $0.set("text", to: "x") }
        }

        let inserted = thrown { try later(inserting).setup() }
        let called = thrown { try later(calling).setup() }
        let store = later(bare)
        try store.setup()
        let (kinds, notes) = try store.read {
            (try $0.items(for: Kind.all), try $0.items(for: Note.all))
        }
        try store.tearDown()

        #expect(inserted?.code == .unsupported)
        #expect(inserted?.itemType == "Note")
        #expect(
            inserted?.message
                == #"The step 1 → 2 has Insert("Note"), and the part of these items is new."#)
        #expect(called?.code == .unsupported)
        #expect(
            called?.message
                == "A closure of the step 1 → 2 uses Note, and the part of these items is new.")
        #expect(kinds == [Kind(1, "Soup")])
        #expect(notes == [])
    }
    @Test(arguments: [false, true]) func `are taken if the part is a cache, which begins empty`(
        _ calls: Bool
    ) throws {
        let early = RoutedDataStore(
            [StorePart("kinds", MemoryDataStore(storing: [Kind.self], in: first))],
            storing: SchemaHistory([Self.versions[0]]))
        try early.setup()
        try early.writeSync { _ = try $0.insert(Kind(1, "Soup")) }
        try early.tearDown()
        let bare = SchemaStep(from: "1", to: "2")
        let calling = bare.after { accessor in
            try accessor.insert("Note", id: .integer(1)) { try $0.set("text", to: "x") }
        }
        let inserting = SchemaStep(from: "1", to: "2") {
            Insert("Note") { _, new in try new.make(id: .integer(1)).set("text", to: "x") }
        }

        let store = later(calls ? calling : inserting, inCache: true)
        try store.setup()
        let (kinds, notes) = try store.read {
            (try $0.items(for: Kind.all), try $0.items(for: Note.all))
        }
        try store.tearDown()

        #expect(kinds == [Kind(1, "Soup")])
        #expect(notes == [])
    }
}
