import Larder
import Testing

@testable import LarderKernel
@testable import LarderKeyValue
@testable import AdapterTestSupport

@Suite struct SortedEntriesTests {
    @Test(arguments: [0, 1, 2, 1000])
    func `keys come in the order of their bytes, each once`(count: Int) throws {
        var random = Seed.ofProcess()
        for prefix in ["", "the same beginning of all ", "\0"] {
            let texts = (0..<count).map { _ in
                prefix
                    + String(
                        (0..<Int.random(in: 0...12, using: &random)).map { _ in
                            "\0ab".randomElement(using: &random) ?? "a"
                        })
            }
            var entries = SortedEntries(of: try form(), among: 1)

            for _ in 0..<2 {
                let expected = try add(texts, to: &entries)
                var found: [[UInt8]] = []
                try entries.removeAll { found.append(Array($0)) }

                #expect(found == expected.sorted { $0.lexicographicallyPrecedes($1) })
            }
        }
    }

    @Test func `it is full when its share of the memory is used`() throws {
        var entries = SortedEntries(of: try form(), among: 4)
        let text = String(repeating: "x", count: 400)
        var count = 0
        while !entries.isFull {
            _ = try add([text], to: &entries)
            count += 1
        }

        // The text and its mark, two bytes at its end, and the identifier.
        #expect(count == (4 << 20) / 411 + 1)
    }

    private func form() throws -> IndexKeyForm {
        let entity = EntitySchema(
            "Item", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
        let identifier = try #require(IdentifierForm(.int64))
        return try #require(IndexKeyForm(columns: [1], of: entity, identifiedBy: identifier))
    }

    /// Adds rows and returns their keys.
    private func add(_ texts: [String], to entries: inout SortedEntries) throws -> [[UInt8]] {
        let form = try form()
        let arena = RowArena()
        let key = ByteBuffer()
        return try texts.enumerated().map { number, text in
            let cells: [Cell] = [.integer(Int64(number)), try arena.cell(of: .text(text))]
            entries.add(cells)
            key.truncate()
            form.append(cells, to: key)
            return Array(key.bytes)
        }
    }
}
