import Foundation
import Larder
import LarderText
import Testing

@testable import AdapterTestSupport

struct `A random filter` {
    @Test func `comes back from its text, whatever it is`() throws {
        var source = RandomFilters()
        for _ in 0..<1500 {
            let node = source.node(depth: 3)
            let text = node.text(of: Dish.entity)

            let read = try FilterNode(text: text, of: Dish.entity)

            try #require(read == node, "LARDER_SEED=\(source.seed): \(text)")
        }
    }

    @Test func `of random tokens becomes a filter that has a text, or an error with a place`() {
        var source = RandomFilters()
        var filters = 0
        for _ in 0..<20_000 {
            if isRead(source.tokens(), seed: source.seed) { filters += 1 }
        }
        #expect(filters > 100, "LARDER_SEED=\(source.seed): nearly nothing was read, so nothing was tested")
    }

    @Test func `damaged by a character becomes a filter that has a text, or an error with a place`() {
        var source = RandomFilters()
        for _ in 0..<1500 {
            _ = isRead(source.damaged(source.node(depth: 2).text(of: Dish.entity)), seed: source.seed)
        }
    }

    /// Reads a text and tells whether that gave a filter; records an issue for a filter that does not come
    /// back from its text, and for an error without a place.
    private func isRead(_ text: String, seed: UInt64) -> Bool {
        switch Result(catching: { () throws(DataStoreError) in try FilterNode(text: text, of: Dish.entity) })
        {
        case .success(let node):
            let again = try? FilterNode(text: node.text(of: Dish.entity), of: Dish.entity)
            if again != node { Issue.record("LARDER_SEED=\(seed): \(text) does not come back") }
            return true
        case .failure(let error):
            let codes: [DataStoreError.Code] = [.invalidText, .unknownAttribute, .wrongType, .invalidValue]
            let column = TextFailure(error)?.column ?? 0
            if !codes.contains(error.code) || column < 1 || column > text.count + 1 {
                Issue.record("LARDER_SEED=\(seed): \(text) gives \(error)")
            }
            return false
        }
    }
}

/// Random filters, values and texts.
private struct RandomFilters {
    private var generator = Seed.ofProcess()

    var seed: UInt64 { generator.seed }

    private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0..<elements.count)]
    }

    private mutating func list<Element>(
        _ count: Range<Int>, _ element: (inout RandomFilters) -> Element
    ) -> [Element] {
        (0..<number(count)).map { _ in element(&self) }
    }
}

extension RandomFilters {
    /// A filter as operators and functions can make it.
    mutating func node(depth: Int) -> FilterNode {
        guard depth > 0, number(0..<4) > 0 else { return leaf() }
        switch number(0..<3) {
        case 0: return .not(node(depth: depth - 1))
        case 1: return .all(list(2..<5) { $0.node(depth: depth - 1) })
        default: return .any(list(2..<5) { $0.node(depth: depth - 1) })
        }
    }

    private mutating func leaf() -> FilterNode {
        let column = number(0..<Dish.entity.attributes.count)
        let type = Dish.entity.attributes[column].type
        switch number(0..<10) {
        case 8:
            let syntax: PatternTest.Syntax = pick([.like, .matches])
            let pattern = syntax == .like ? text() + "\\\\" : pick(["a.*", #"\d+["'\]]"#, "(a|\u{e9})*", ""])
            return .pattern(
                Dish.column(pick(["name", "source", "note"])), syntax,
                pattern.hasSuffix("\\\\") ? "*?" + text() + "a" : pattern,
                pick([
                    .exact, .caseInsensitive, .diacriticInsensitive,
                    [.caseInsensitive, .diacriticInsensitive],
                ]))
        case 9: return calculation()
        case 0: return .always(pick([true, false]))
        case 1: return .isIn(column: column, list(0..<4) { $0.constant(type) })
        case 2, 3:
            // A text that is compared by its bytes has a form of its own.
            let kind = pick(TextTest.Kind.allCases)
            let isOrder = ![.contains, .hasPrefix, .hasSuffix, .equals].contains(kind)
            let test = TextTest(
                kind, text(), ignoresCase: isOrder || pick([true, false]),
                ignoresDiacritics: pick([true, false]))
            return .text(column: Dish.column(pick(["name", "source", "note", "odd `name`", "course"])), test)
        default:
            let orders: [Comparison] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
            let all: [Comparison] = [.equal, .notEqual] + (type.isOrdered ? orders : [])
            return .compare(column: column, pick(all), constant(type))
        }
    }

    /// A comparison of calculated values, or of two attributes.
    private mutating func calculation() -> FilterNode {
        let kinds: [(AttributeType, [String])] = [
            (.int64, ["portions", "level", "stock", "in"]), (.uint64, ["views"]), (.double, ["rating"]),
            (.float, ["weight"]), (.decimal, ["price"]),
        ]
        let (type, names) = pick(kinds)
        let comparison: Comparison = pick([.equal, .notEqual, .less, .greaterOrEqual])
        let left = value(type, names, depth: 3)
        let right = value(type, names, depth: 2)
        if case .constant = right { return .calculated(.negative(left), comparison, right) }
        return .calculated(left, comparison, right)
    }

    private mutating func value(_ type: AttributeType, _ names: [String], depth: Int) -> ValueNode {
        let attribute = ValueNode.attribute(AttributePlace(column: Dish.column(pick(names))))
        if depth == 0 { return attribute }
        switch number(0..<4) {
        case 0: return attribute
        case 1: return .negative(value(type, names, depth: depth - 1))
        default:
            let sign = pick(ArithmeticOperator.allCases.filter { type != .decimal || $0 != .remainder })
            let inner = value(type, names, depth: depth - 1)
            let other =
                number(0..<2) == 0
                ? finiteConstant(type) : value(type, names, depth: depth - 1)
            return number(0..<2) == 0 ? .arithmetic(sign, inner, other) : .arithmetic(sign, other, inner)
        }
    }

    private mutating func finiteConstant(_ type: AttributeType) -> ValueNode {
        while true {
            let value = constant(type)
            if !value.isNull { return .constant(value, type) }
        }
    }

    private mutating func constant(_ type: AttributeType) -> Constant {
        if type == .json || number(0..<10) == 0 { return .null }
        switch type {
        case .bool: return .integer(pick([0, 1]))
        case .int8: return .integer(Int64(integer(Int8.self)))
        case .int16: return .integer(Int64(integer(Int16.self)))
        case .int32: return .integer(Int64(integer(Int32.self)))
        case .int64, .itemID, .json: return .integer(integer(Int64.self))
        case .uint8: return .integer(Int64(integer(UInt8.self)))
        case .uint16: return .integer(Int64(integer(UInt16.self)))
        case .uint32: return .integer(Int64(integer(UInt32.self)))
        case .uint64: return .unsigned(integer(UInt64.self))
        case .double: return .real(real())
        case .date:
            return .real(pick([real(), Double(number(-1000..<1000)), Double(number(0..<9_000_000)) / 1000]))
        case .float: return .real(Double(Float(bitPattern: UInt32(number(0..<0x7F80_0001)))))
        case .string: return .text(text())
        case .url: return .text("https://example.com/\(number(0..<1000))?q=%20")
        case .uuid: return .blob((0..<16).map { _ in integer(UInt8.self) })
        case .data: return .blob(list(0..<5) { $0.integer(UInt8.self) })
        case .decimal: return .decimal(decimal())
        }
    }

    private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
        pick([.min, .max, 0, 1, Value.random(in: .min ... .max, using: &generator)])
    }

    private mutating func real() -> Double {
        let any = Double(bitPattern: generator.next())
        return pick([0, .infinity, -.infinity, 0.1, any.isNaN ? 1 : any])
    }

    private mutating func decimal() -> String {
        let digits = String(number(1..<10)) + list(0..<37) { String($0.number(0..<10)) }.joined()
        let sign = pick(["", "-"])
        let fraction = String(digits.dropFirst(number(1..<(digits.count + 1))))
        let whole = digits.dropLast(fraction.count)
        let text = fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
        guard let value = Decimal(string: sign + text, locale: nil) else { return "0" }
        return Constant.canonicalDecimal(value)
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "Z", " ", "\"", "'", "\\", "`", "\n", "\r\n", "\t", "\0", "é", "e\u{301}", "\u{301}", "🍰",
            "ß",
            "İ", "\u{7F}", "\u{200D}", "]", "}", "AND",
        ]
        return list(0..<6) { $0.pick(pieces) }.joined()
    }
}

extension RandomFilters {
    /// Tokens in any order, some of them likely to belong together.
    mutating func tokens() -> String {
        list(1..<12) { $0.pick(Self.words) + $0.pick([" ", " ", " ", ""]) }.joined()
    }

    private static let words =
        """
        AND or NOT && || ! ( ) ( ) { } , [c] [x] IN BETWEEN CONTAINS == = != < >= <> & true FALSEPREDICATE \
        LIKE MATCHES [d] [cd] * / % + - %@ %K nil nan -inf 4 -1.5e3 1e 'x' "y x'00' x'0' '2024-05-01' `in` ` rating name nutrition ratng 😀 \\
        """
        .split(separator: " ").map(String.init)
        + ["rating > 4", "name CONTAINS[c] 'x'", "level IN {1}", "isVegan == true"]

    /// The text with one character taken out, put in or doubled.
    mutating func damaged(_ text: String) -> String {
        var characters = Array(text)
        guard !characters.isEmpty else { return text }
        let place = number(0..<characters.count)
        switch number(0..<3) {
        case 0: characters.remove(at: place)
        case 1: characters.insert(pick(Array("()'\"`\\{}[]<=&e0-\u{301}")), at: place)
        default: characters.insert(characters[place], at: place)
        }
        return String(characters)
    }
}

extension Constant {
    /// The canonical text of a decimal number, as attributes store it.
    fileprivate static func canonicalDecimal(_ value: Decimal) -> String {
        guard case .decimal(let text)? = try? Constant(encoding: value) else { return "0" }
        return text
    }
}
