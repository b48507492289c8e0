import Foundation
import Larder
import Testing

@testable import LarderKernel
@testable import LarderKeyValue
@testable import AdapterTestSupport

@Suite struct KeyOrderTests {
    @Test(arguments: AttributeType.allCases.filter(\.isIndexable))
    func `the keys of values have the order of the values`(type: AttributeType) throws {
        var random = Seed.ofProcess()
        let form = try #require(KeyPart.Form(type))
        let part = KeyPart(column: 0, form: form, textLimit: 300)
        let values = (0..<400).map { _ in Constant.random(type, using: &random) }
        let keys = values.map { key(of: [($0, part)]) }

        let wrong = pairs(of: values.count).filter { left, right in
            order(values[left], values[right], type.storage) != order(keys[left], keys[right])
        }

        #expect(wrong.map { "\(values[$0.0]) and \(values[$0.1])" } == [])
    }

    @Test func `compound keys are ordered by their parts`() throws {
        var random = Seed.ofProcess()
        let types: [AttributeType] = [.string, .uint64, .double, .string]
        let parts = try types.map { type in
            KeyPart(column: 0, form: try #require(KeyPart.Form(type)), textLimit: 100)
        }
        let rows = (0..<250).map { _ in types.map { Constant.random($0, using: &random) } }
        let keys = rows.map { row in key(of: Array(zip(row, parts))) }

        let wrong = pairs(of: rows.count).filter { left, right in
            let orders = zip(zip(rows[left], rows[right]), types).lazy.map { order($0.0, $0.1, $1.storage) }
            return (orders.first { $0 != 0 } ?? 0) != order(keys[left], keys[right])
        }

        #expect(wrong.map { "\(rows[$0.0]) and \(rows[$0.1])" } == [])
    }

    @Test func `the values in question are told apart`() throws {
        let part = KeyPart(column: 0, form: .text, textLimit: 300)
        let texts: [Constant] = [
            .null, .text(""), .text("\0"), .text("\0\0"), .text("\0\u{1}"), .text("\u{1}"), .text("a"),
            .text("a\0"), .text("a\0b"), .text("aa"), .text("b"), .text("é"), .text("\u{10FFFF}"),
        ]

        let keys = texts.map { key(of: [($0, part)]) }

        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(Set(keys).count == texts.count)
    }

    @Test func `a key shows where each of its parts ends`() throws {
        var random = Seed.ofProcess()
        let types = AttributeType.allCases.filter(\.isIndexable)
        for _ in 0..<2000 {
            let type = types.randomElement(using: &random) ?? .bool
            let part = KeyPart(column: 0, form: try #require(KeyPart.Form(type)), textLimit: 6)
            let value = Constant.random(type, using: &random)
            let buffer = ByteBuffer()
            let extent = value.withCell { part.append($0, to: buffer) }
            let length = buffer.count
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                buffer.append(.random(in: 0...255, using: &random))
            }

            let end = try #require(part.end(in: buffer.bytes, from: 0))

            #expect(end.offset == length)
            #expect(end.extent == extent)
            #expect((extent == .whole) == part.keepsWhole(value))
        }
    }

    @Test func `text that is cut stands between what is shorter and what is greater`() throws {
        var random = Seed.ofProcess()
        let part = KeyPart(column: 0, form: .text, textLimit: 5)
        let values = (0..<400).map { _ in Constant.text(.random(upTo: 9, using: &random)) }
        let keys = values.map { key(of: [($0, part)]) }

        let wrong = pairs(of: values.count).filter { left, right in
            let keyOrder = order(keys[left], keys[right])
            let areBothCut = !part.keepsWhole(values[left]) && !part.keepsWhole(values[right])
            return keyOrder != order(values[left], values[right], .text) && !(keyOrder == 0 && areBothCut)
        }

        #expect(wrong.map { "\(values[$0.0]) and \(values[$0.1])" } == [])
        #expect(keys.allSatisfy { $0.count <= 8 })
    }

    private func pairs(of count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { left in (0..<count).map { (left, $0) } }
    }

    private func key(of values: [(Constant, KeyPart)]) -> [UInt8] {
        let buffer = ByteBuffer()
        for (value, part) in values { _ = value.withCell { part.append($0, to: buffer) } }
        return Array(buffer.bytes)
    }

    private func order(_ left: Constant, _ right: Constant, _ storage: AttributeType.Storage) -> Int {
        left.withCell { left in right.withCell { left.order(to: $0, storage: storage).signum() } }
    }

    private func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : (left.lexicographicallyPrecedes(right) ? -1 : 1)
    }
}

extension KeyPart {
    /// True if a value is complete in a key.
    fileprivate func keepsWhole(_ value: Constant) -> Bool {
        guard form == .text else { return true }
        return value.withCell { cell in
            let text = cell.bytes
            return text.count <= textLimit && text.count + text.count(where: { $0 == 0 }) <= textLimit
        }
    }
}
