import Larder
import Testing

@testable import LarderKernel
@testable import LarderKeyValue

@Suite struct TableDirectoryTests {
    private var directory: TableDirectory {
        var directory = TableDirectory()
        directory.entities = [
            TableDirectory.Entity(number: 3, name: "Recipe", layoutGeneration: 65_535, indexes: []),
            TableDirectory.Entity(number: 7, name: "é", layoutGeneration: 0, indexes: []),
        ]
        _ = directory.addIndex(on: ["slug"], ofEntityAt: 0)
        _ = directory.addIndex(on: ["kind", "rating"], ofEntityAt: 0)
        return directory
    }

    @Test func `a directory comes back from its bytes`() throws {
        let record = ByteBuffer()

        directory.write(to: record)

        #expect(try TableDirectory(decoding: record.bytes) == directory)
    }

    @Test func `numbers of indexes are not used again`() throws {
        var directory = directory
        directory.entities[0].indexes = []

        let index = directory.addIndex(on: ["slug"], ofEntityAt: 0)

        #expect(index.number == 3)
        #expect(index.tableName == "i3")
        #expect(directory.entities[1].tableName == "e7")
    }

    @Test func `a directory cut short is damaged`() throws {
        let record = ByteBuffer()
        directory.write(to: record)

        for count in 0..<record.count {
            let part = UnsafeRawBufferPointer(rebasing: record.bytes[..<count])
            #expect(throws: DataStoreError.self) { try TableDirectory(decoding: part) }
        }
    }

    @Test func `a directory that contradicts itself is damaged`() throws {
        func refusal(_ change: (inout TableDirectory) -> Void) -> String? {
            var changed = directory
            change(&changed)
            let record = ByteBuffer()
            changed.write(to: record)
            let read = { () throws(DataStoreError) in try TableDirectory(decoding: record.bytes) }
            let error = #expect(throws: DataStoreError.self) { _ = try read() }
            #expect(error?.code == .damaged)
            return error?.message
        }
        let start = "The list of tables kept in the store is wrong: "

        #expect(refusal { $0.nextIndexNumber = 0 } == start + "The next index has the number 0.")
        #expect(
            refusal { $0.nextIndexNumber = 2 } == start + "An index of Recipe has the impossible number 2.")
        #expect(
            refusal { $0.entities.append($0.entities[0]) }
                == start + "Recipe, or its number 3, is listed twice.")
        #expect(
            refusal { $0.entities[1].indexes = $0.entities[0].indexes }
                == start + "An index of é has the impossible number 1.")
    }

    @Test func `a directory without a table of the schema is damaged`() throws {
        func entity(_ name: String, _ number: Int, _ indexes: [[String]] = []) -> StoredSchema.Entity {
            StoredSchema.Entity(
                number: number, name: name, storageName: name, attributes: [],
                indexes: indexes.map { StoredSchema.Index(attributes: $0, isUnique: false) })
        }
        func message(_ entities: StoredSchema.Entity...) -> String? {
            let schema = StoredSchema(generation: 1, entities: entities, nextEntityNumber: 9)
            do throws(DataStoreError) {
                try directory.requireAgreement(with: schema)
                return nil
            } catch {
                return error.code == .damaged ? error.message : "\(error)"
            }
        }
        let start = "The list of tables kept in the store is wrong: "
        let recipe = entity("Recipe", 3, [["kind", "rating"], ["slug"]])

        #expect(message(recipe, entity("é", 7)) == nil)
        #expect(message(recipe, entity("é", 8)) == start + "There is no table for é.")
        #expect(message(recipe, entity("e\u{301}", 7)) == start + "There is no table for e\u{301}.")
        #expect(
            message(recipe, entity("é", 7, [["name"]]))
                == start + "There is no table for the index of é on name.")
        #expect(
            message(recipe) == start + "There are tables for item types that the store does not have.")
    }
}
