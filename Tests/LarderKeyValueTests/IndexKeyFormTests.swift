import Foundation
import Larder
import Testing

@testable import LarderKernel
@testable import LarderKeyValue
@testable import AdapterTestSupport

@Suite struct IndexKeyFormTests {
    @Test(arguments: [
        [AttributeType.string], [.string, .string], [.string, .double, .url],
        [.uuid, .string, .string, .int8],
    ])
    func `no key is longer than every engine can take`(types: [AttributeType]) throws {
        let form = try form(of: types, identifiedBy: .string)
        let long = Constant.text(String(repeating: "\0", count: 5000))
        let arena = RowArena()
        var cells = [try arena.cell(of: .text(String(repeating: "i", count: 200)))]
        for type in types {
            let value: Constant =
                switch type {
                case .uuid: .blob([UInt8](repeating: 0xFF, count: 16))
                case .double: .real(-1)
                case .int8: .integer(5)
                default: long
                }
            cells.append(try arena.cell(of: value))
        }
        let key = ByteBuffer()

        form.append(cells, to: key)

        #expect(form.isComplete)
        #expect(key.count <= 511)
        #expect(key.count > 480)
        let start = try form.identifierStart(in: key.bytes)
        #expect(start.extent == .cut)
        #expect(key.count - start.offset == 200)
        withExtendedLifetime(arena) {}
    }

    @Test func `columns for which nothing is left are not in the key`() throws {
        let form = try form(of: Array(repeating: .string, count: 20), identifiedBy: .string)

        #expect(!form.isComplete)
        #expect(form.parts.count == 8)
        #expect(form.parts.allSatisfy { $0.textLimit >= 32 })
    }

    @Test func `what cannot be indexed has no keys`() {
        #expect(throws: NotIndexable.self) { try form(of: [.decimal], identifiedBy: .int64) }
        #expect(throws: NotIndexable.self) { try form(of: [.data], identifiedBy: .int64) }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func `an integer identifier survives both of its forms`(value: Int64) throws {
        let form = IdentifierForm.integer
        let buffer = ByteBuffer()

        form.append(.integer(value), to: buffer)
        let inKey = try form.withKey(.integer(value)) { key throws(DataStoreError) in
            try form.identifier(inKey: key).integer
        }

        #expect(inKey == value)
        #expect(try form.identifier(inRest: buffer.bytes).integer == value)
    }

    @Test func `native keys of integers have the order of the integers`() throws {
        var random = Seed.ofProcess()
        let values =
            [.min, -1, 0, 1, .max] + (0..<200).map { _ in Int64.random(in: .min ... .max, using: &random) }

        let keys = try values.map { value in
            try IdentifierForm.integer.withKey(.integer(value)) { key in key.loadUnaligned(as: UInt64.self) }
        }

        let sorted = zip(values, keys).sorted { $0.0 < $1.0 }.map(\.1)
        #expect(sorted == keys.sorted())
    }

    @Test func `identifiers no engine could keep are not accepted`() throws {
        let arena = RowArena()
        let empty = try arena.cell(of: .text(""))
        let long = try arena.cell(of: .text(String(repeating: "x", count: 201)))
        let short = try arena.cell(of: .text(String(repeating: "x", count: 200)))

        #expect(!IdentifierForm.text.accepts(empty))
        #expect(!IdentifierForm.text.accepts(long))
        #expect(IdentifierForm.text.accepts(short))
        #expect(!IdentifierForm.integer.accepts(short))
        #expect(!IdentifierForm.uuid.accepts(.blob(UnsafeRawBufferPointer(rebasing: short.bytes[..<15]))))
    }

    private struct NotIndexable: Error {}

    private func form(
        of types: [AttributeType], identifiedBy type: AttributeType
    ) throws -> IndexKeyForm {
        let attributes = types.enumerated().map { number, type in
            AttributeSchema.stub("a\(number)", type)
        }
        let entity = EntitySchema("Item", attributes: [.stub("id", type)] + attributes)
        let identifier = try #require(IdentifierForm(type))
        let columns = Array(1...types.count)
        guard let form = IndexKeyForm(columns: columns, of: entity, identifiedBy: identifier) else {
            throw NotIndexable()
        }
        return form
    }
}

extension AttributeSchema {
    /// An attribute of a type that is only known at run time.
    fileprivate static func stub(_ name: String, _ type: AttributeType) -> AttributeSchema {
        switch type {
        case .int64: .attribute(name, Int64.self)
        case .int8: .attribute(name, Int8.self)
        case .double: .attribute(name, Double.self)
        case .uuid: .attribute(name, UUID.self)
        case .url: .attribute(name, URL.self)
        case .decimal: .attribute(name, Decimal.self)
        case .data: .attribute(name, Data.self)
        default: .attribute(name, String.self)
        }
    }
}
