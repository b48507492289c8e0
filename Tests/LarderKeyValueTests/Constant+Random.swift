import Foundation
import Larder

@testable import LarderKernel
@testable import AdapterTestSupport

extension Constant {
    /// A value an attribute of the type may have, often an extreme one, and nil now and then.
    static func random(_ type: AttributeType, using random: inout Seed) -> Constant {
        if Int.random(in: 0...7, using: &random) == 0 { return .null }
        switch type {
        case .bool: return .integer(.random(in: 0...1, using: &random))
        case .int8: return .integer(Int64(Int8.random(in: .min ... .max, using: &random)))
        case .int16: return .integer(Int64(Int16.random(in: .min ... .max, using: &random)))
        case .int32: return .integer(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .int64, .itemID: return .integer(.random(among: [.min, -1, 0, 1, .max], using: &random))
        case .uint8: return .integer(Int64(UInt8.random(in: .min ... .max, using: &random)))
        case .uint16: return .integer(Int64(UInt16.random(in: .min ... .max, using: &random)))
        case .uint32: return .integer(Int64(UInt32.random(in: .min ... .max, using: &random)))
        case .uint64:
            return .unsigned(.random(among: [0, 1, 1 << 63, (1 << 63) - 1, .max], using: &random))
        case .float:
            let values: [Float] = [
                .infinity, -.infinity, 0, .leastNonzeroMagnitude, -1.5, .greatestFiniteMagnitude,
            ]
            return .real(Double(values.randomElement(using: &random) ?? 0))
        case .double, .date:
            let values: [Double] = [
                .infinity, -.infinity, 0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
                .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .random(in: -1e6...1e6, using: &random),
            ]
            return .real(values.randomElement(using: &random) ?? 0)
        case .string, .url, .json: return .text(.random(using: &random))
        case .decimal: return .decimal(String(Int.random(in: -99...99, using: &random)))
        case .data: return .blob(Array(String.random(using: &random).utf8))
        case .uuid: return .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }
}

extension FixedWidthInteger {
    fileprivate static func random(among values: [Self], using random: inout Seed) -> Self {
        if Bool.random(using: &random), let value = values.randomElement(using: &random) { return value }
        return .random(in: .min ... .max, using: &random)
    }
}

extension String {
    /// Text of few different characters, so that one is often a prefix of another; with NUL, and all of
    /// UTF-8.
    static func random(upTo length: Int = 12, using random: inout Seed) -> String {
        let characters = ["a", "b", "\0", "\u{1}", "é", "ÿ", "\u{10FFFF}", "z", "漢"]
        return (0..<Int.random(in: 0...length, using: &random)).map { _ in
            characters.randomElement(using: &random) ?? ""
        }.joined()
    }
}
