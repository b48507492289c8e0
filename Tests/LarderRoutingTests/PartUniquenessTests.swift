import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// A jar whose name is unique on its shelf, which names its part.
private struct Jar: DataStoreItem, Equatable {
    let id: Int64
    var shelf: String
    var name: String

    init(_ id: Int64, _ name: String, on shelf: String) {
        self.id = id
        self.shelf = shelf
        self.name = name
    }

    struct Attributes: Sendable {
        let id = Attribute<Jar, Int64>(column: 0)
        let shelf = Attribute<Jar, String>(column: 1)
        let name = Attribute<Jar, String>(column: 2)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Jar",
        attributes: [
            .attribute("id", Int64.self), .attribute("shelf", String.self), .attribute("name", String.self),
        ],
        indexes: [.unique("shelf", "name")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        shelf = try row.value(at: 1)
        name = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(shelf, at: 1)
        try row.set(name, at: 2)
    }
}

@Suite struct `A unique value that has the name of a part` {
    private static let jars = [Jar(1, "jam", on: "Main"), Jar(2, "jam", on: "Archive")]

    private func filled() throws -> RoutedDataStore {
        let store = RoutedDataStore(
            ["Main", "Archive"].map { StorePart($0, MemoryDataStore(storing: [Jar.self])) },
            partitionedBy: [PartKey(of: Jar.self, \.shelf)])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Self.jars) }
        return store
    }

    @Test func `is refused in the same way by each write if the part does not exist`() throws {
        let store = try filled()
        let (honey, salt) = (Jar(3, "honey", on: "Attic"), Jar(4, "salt", on: "Main"))
        let jars = ImportMap<Jar, Jar>(by: \.shelf, \.name, from: { ($0.shelf, $0.name) }) {
            Import(\.id, from: \.id)
        }
        let writes: [(DataStoreReadWriteAccessor) throws -> Void] = [
            { _ = try $0.insert(honey) },
            { try $0.insert(contentsOf: [salt, honey]) },
            { try $0.mutableItem(id: 1, of: Jar.self)?.shelf = "Attic" },
            { _ = try $0.update(Jar(1, "jam", on: "Attic")) },
            { _ = try $0.update(Jar.where(\.id == 1), .set(\.shelf, to: "Attic")) },
            { _ = try $0.upsert(Jar(1, "jam", on: "Attic")) },
            { _ = try $0.upsert(honey, by: \.shelf, \.name) },
            { _ = try $0.findOrInsert(honey, by: \.shelf, \.name) },
            { _ = try $0.upsert(contentsOf: [salt, honey], by: \.shelf, \.name) },
            { _ = try $0.importItems(from: [salt, honey], using: jars) },
        ]

        let errors = writes.map { write in thrown { try store.writeSync { try write($0) } } }

        for (number, error) in errors.enumerated() {
            #expect(error?.code == .invalidValue, "write \(number)")
            #expect(
                error?.message
                    == "An item of Jar names the part \"Attic\" in shelf, and no part of that name keeps the type.",
                "write \(number)")
        }
        #expect(try store.read { try $0.items(for: Jar.all) } == Self.jars)
    }

    @Test func `is refused when a child is merged if the part does not exist`() throws {
        let store = try filled()
        let child = try store.makeChildDataStore()

        try child.writeSync { accessor in
            try accessor.insert(Jar(3, "honey", on: "Attic"))
            try accessor.upsert(Jar(4, "salt", on: "Attic"), by: \.shelf, \.name)
        }
        let refused = thrown { try store.merge(child) }

        #expect(refused?.code == .invalidValue)
        #expect(try store.read { try $0.items(for: Jar.all) } == Self.jars)
    }
}
