import Foundation
import Larder
import Testing

@testable import LarderKernel
@testable import LarderKeyValue
@testable import AdapterTestSupport

@Suite struct RowLayoutTests {
    private let restaurant = RowLayout(
        of: [.int64, .string, .string, .double, .int64, .bool, .date, .string], named: "Restaurant",
        generation: 1)

    @Test func `the bytes of a row are those of the documented format`() throws {
        let layout = RowLayout(
            of: [.int64, .bool, .string, .int16, .string], named: "Item", generation: 0x0203)
        let row = Row([.integer(9), .integer(1), .text("ab"), .integer(-2), .null])

        let bytes = try row.encoded(layout)

        let nullBits: UInt8 = 0b1000
        let expected: [UInt8] = [0, 0x03, 0x02, nullBits, 1, 0xFE, 0xFF, 2, 2] + Array("ab".utf8)
        #expect(bytes == expected)
    }

    @Test func `a row takes no more than a tenth over a fixed header of 32 bytes`() throws {
        let note = "a note of some forty bytes, more or less"
        let row = Row([
            .integer(1), .text("Restaurant no. 417"), .text("City 12345"), .real(4.5), .integer(120),
            .integer(1), .real(7e8), .text(note),
        ])
        let strings = 18 + 10 + note.utf8.count

        let bytes = try row.encoded(restaurant)

        #expect(bytes.count == 32 + strings)
        #expect(Double(bytes.count) <= 1.1 * Double(32 + strings))
    }

    @Test func `every value comes back, alone and with the others`() throws {
        var random = Seed.ofProcess()
        for _ in 0..<300 {
            let types = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                AttributeType.allCases.randomElement(using: &random) ?? .bool
            }
            let layout = RowLayout(of: [.int64] + types, named: "Random", generation: 7)
            let row = Row([.integer(1)] + types.map { Constant.random($0, using: &random) })

            let bytes = try row.encoded(layout)

            #expect(try Row(decoding: bytes, layout, types: [.int64] + types) == row)
            let column = Int.random(in: 1...types.count, using: &random)
            let one = try bytes.withUnsafeBytes { bytes in
                let outline = try layout.outline(of: bytes)
                return Constant(try layout.cell(at: column, of: outline), storage: types[column - 1].storage)
            }
            #expect(one == row.values[column])
        }
    }

    @Test func `columns are decoded in the order asked for`() throws {
        let row = Row([
            .integer(5), .text("name"), .text("city"), .real(1), .integer(2), .integer(0), .real(3), .null,
        ])
        let bytes = try row.encoded(restaurant)
        var cells = [Cell](repeating: .integer(77), count: 4)

        let kinds = try bytes.withUnsafeBytes { bytes in
            try restaurant.decode(bytes, columns: [4, 0, 1, 7], into: &cells)
            return [cells[0].integer, cells[1].integer, Int64(cells[2].length)]
        }

        #expect(kinds == [2, 77, 4])
        #expect(cells[3].isNull)
    }

    @Test(arguments: [0, 255, 256, 65535, 65536, 300_000])
    func `text of any length comes back`(length: Int) throws {
        let row = Row([
            .integer(1), .text(String(repeating: "x", count: length)), .text("y"), .real(0), .integer(0),
            .integer(0), .real(0), .null,
        ])

        let bytes = try row.encoded(restaurant)

        #expect(try Row(decoding: bytes, restaurant, types: Row.restaurantTypes) == row)
    }

    @Test func `a cell of another type is refused`() throws {
        let layout = RowLayout(of: [.int64, .int8, .string, .uuid], named: "Item", generation: 0)
        let rows = [
            Row([.integer(1), .integer(128), .text(""), .null]),
            Row([.integer(1), .text("1"), .text(""), .null]),
            Row([.integer(1), .integer(1), .integer(1), .null]),
            Row([.integer(1), .integer(1), .text(""), .blob([1, 2])]),
        ]

        for row in rows {
            #expect(throws: DataStoreError.self) { try row.encoded(layout) }
        }
    }

    @Test func `a row of another generation is damaged`() throws {
        let row = Row([.integer(1), .integer(1)])
        let bytes = try row.encoded(RowLayout(of: [.int64, .int8], named: "Item", generation: 1))
        let other = RowLayout(of: [.int64, .int8], named: "Item", generation: 2)

        let code = Self.codeOfDecoding(bytes, other, types: [.int64, .int8])

        #expect(code == .damaged)
    }

    @Test func `damaged bytes are refused or give other values, and never crash`() throws {
        var random = Seed.ofProcess()
        let types = Row.restaurantTypes
        var refused = 0
        var others: [DataStoreError.Code] = []
        for _ in 0..<5000 {
            let row = Row(types.map { Constant.random($0, using: &random) })
            var bytes = try row.encoded(restaurant)
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let position = bytes.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[position] = .random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(position...)
                default: bytes.insert(.random(in: 0...255, using: &random), at: position)
                }
            }
            let code = Self.codeOfDecoding(bytes, restaurant, types: types)
            if code == .damaged { refused += 1 } else if let code { others.append(code) }
        }

        #expect(others == [])
        #expect(refused > 1000)
    }

    private static func codeOfDecoding(
        _ bytes: [UInt8], _ layout: RowLayout, types: [AttributeType]
    ) -> DataStoreError.Code? {
        do throws(DataStoreError) {
            _ = try Row(decoding: bytes, layout, types: types)
            return nil
        } catch {
            return error.code
        }
    }
}

/// The values of a row, that of the identifier first.
private struct Row: Equatable {
    var values: [Constant]

    static let restaurantTypes: [AttributeType] = [
        .int64, .string, .string, .double, .int64, .bool, .date, .string,
    ]

    init(_ values: [Constant]) {
        self.values = values
    }

    init(
        decoding bytes: [UInt8], _ layout: RowLayout, types: [AttributeType]
    ) throws(DataStoreError) {
        var cells = [Cell](repeating: .integer(1), count: types.count)
        values = try bytes.withUnsafeBufferPointer { bytes throws(DataStoreError) in
            try layout.decode(UnsafeRawBufferPointer(bytes), into: &cells)
            return zip(cells, types).map { Constant($0, storage: $1.storage) }
        }
        values[0] = .integer(1)
    }

    func encoded(_ layout: RowLayout) throws(DataStoreError) -> [UInt8] {
        let arena = RowArena()
        var cells: [Cell] = []
        for value in values { cells.append(try arena.cell(of: value)) }
        let buffer = ByteBuffer()
        try layout.encode(cells) { count in
            let row = buffer.grow(by: count)
            // Whatever stood there before.
            row.initializeMemory(as: UInt8.self, repeating: 0xAA)
            return row
        }
        return Array(buffer.bytes)
    }
}
