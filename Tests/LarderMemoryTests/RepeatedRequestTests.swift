import Larder
import LarderKeyValue
import LarderMemory
import Testing

@testable import LarderKernel

@Suite struct RepeatedRequestTests {
    private static let long = String(repeating: "x", count: 600)
    private let storage = MemoryStorage()

    @Test func `an equality asked again gives the rows of the new value`() throws {
        let driver = try driver(names: ["a", "b", "a", Self.long + "a", Self.long + "b", "a"])

        try driver.read { (reader: any StorageReading) throws in
            #expect(try ids(named: "a", reader) == [0, 2, 5])
            #expect(try ids(named: "b", reader) == [1])
            #expect(try ids(named: "", reader) == [])
            #expect(try ids(named: Self.long + "b", reader) == [4])
            #expect(try ids(named: "a", offset: 1, limit: 1, reader) == [2])
            #expect(try ids(named: "a", limit: 0, reader) == [])
            #expect(try ids(named: "a", offset: 3, reader) == [])
            #expect(try reader.explain(plan(named: "b")) == ["index Item(name) where name == ?"])
        }
    }

    @Test func `requests that are read side by side give their own rows`() throws {
        let driver = try driver(names: ["a", "b", "a", "b"])

        try driver.read { (reader: any StorageReading) throws in
            _ = try ids(named: "a", reader)
            let cursors = [try reader.rows(for: plan(named: "a")), try reader.rows(for: plan(named: "b"))]
            var cells = [Cell](repeating: .null, count: 2)
            var found: [Int64] = []
            for cursor in [cursors[0], cursors[1], cursors[0], cursors[1]] {
                if try cursor.next(into: &cells) { found.append(cells[0].integer) }
            }
            #expect(found == [0, 1, 2, 3])
        }
    }

    @Test func `a request in a transaction sees what was written since the one before`() throws {
        let driver = try driver(names: ["a", "b"])

        try driver.write { (writer: any StorageWriting) throws in
            #expect(try ids(named: "a", writer) == [0])
            try writer.apply(.insert, VersionedItem<Texts>(7, .text("a")))
            #expect(try ids(named: "a", writer) == [0, 7])
            _ = try writer.delete(.integer(0))
            #expect(try ids(named: "a", writer) == [7])
        }
    }

    @Test func `a reader that is used again sees the last commit`() throws {
        let driver = try driver(names: ["a"])
        #expect(try driver.read { try ids(named: "a", $0) + ids(named: "a", $0) } == [0, 0])

        try driver.write { try $0.apply(.insert, VersionedItem<Texts>(1, .text("a"))) }
        #expect(try driver.read { try ids(named: "a", $0) } == [0, 1])
    }

    private func driver(names: [String]) throws -> SeamDriver {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Texts>.self)
        try driver.write { (writer: any StorageWriting) throws in
            for (id, name) in names.enumerated() {
                try writer.apply(.insert, VersionedItem<Texts>(Int64(id), .text(name)))
            }
        }
        return driver
    }

    private func plan(named name: String, offset: Int = 0, limit: Int? = nil) -> RequestPlan {
        RequestPlan(
            entity: 0, schema: Texts.schema, predicate: .compare(column: 1, .equal, .text(name)),
            offset: offset, limit: limit)
    }

    private func ids(
        named name: String, offset: Int = 0, limit: Int? = nil, _ reader: any StorageReading
    ) throws -> [Int64] {
        let plan = plan(named: name, offset: offset, limit: limit)
        return try reader.items(of: VersionedItem<Texts>.self, for: plan).map(\.id)
    }
}
