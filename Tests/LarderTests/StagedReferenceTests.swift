import Larder
import LarderMemory
import Testing

@testable import LarderTesting

/// The rows that a child keeps of references which become nil.
struct StagedReferenceTests {
    private final class Store: DataStore {
        let coordinator: StoreCoordinator
        init(coordinator: StoreCoordinator) { self.coordinator = coordinator }
    }

    @Test func `of what an update makes nil, the child keeps references alone`() throws {
        let staging = TestAdapter(MemoryAdapter(), in: try TemporaryFolder())
        let store = Store(
            coordinator: StoreCoordinator(
                adapter: MemoryAdapter(), storing: [RankedNote.self, Remark.self], staging: { staging }))
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(RankedNote(1))
            try accessor.insert(Remark(1, about: 1, text: "old"))
        }
        let child = try store.makeChildDataStore()
        try child.writeSync { _ = try $0.update(Remark(1, about: 1, text: "new")) }
        func kept(by update: Remark) throws -> [RowMutation.Kind] {
            let number = staging.recorder.start()
            try child.writeSync { _ = try $0.update(update) }
            let changes = staging.recorder.stop(number).changes
            return changes.filter { $0.itemType == "last of 1" }.map(\.kind)
        }

        #expect(try kept(by: Remark(1, about: 1, text: nil)) == [])
        #expect(try kept(by: Remark(1, about: nil, text: nil)) == [.insert])
    }
}

/// A text about a note.
private struct Remark: DataStoreItem {
    let id: Int64
    var note: ToOne<RankedNote>?
    var text: String?

    struct Attributes: Sendable {
        let id = Attribute<Remark, Int64>(column: 0)
        let note = Attribute<Remark, ToOne<RankedNote>?>(indexedColumn: 1)
        let text = Attribute<Remark, String?>(column: 2)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Remark",
        attributes: [
            .attribute("id", Int64.self), .attribute("note", ToOne<RankedNote>?.self),
            .attribute("text", String?.self),
        ])

    init(_ id: Int64, about note: Int64?, text: String?) {
        self.id = id
        self.note = note.map { ToOne(id: $0) }
        self.text = text
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        note = try row.value(at: 1)
        text = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(note, at: 1)
        try row.set(text, at: 2)
    }
}
