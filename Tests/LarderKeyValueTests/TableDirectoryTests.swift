import Testing

@testable import Larder
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
}
