import Larder
import LarderText
import Testing

struct `A long text of a filter` {
    private static let limit = 200

    private func failure(_ text: String) -> TextFailure? {
        #expect(throws: DataStoreError.self) { try FilterNode(text: text, of: Dish.entity) }
            .flatMap(TextFailure.init)
    }

    @Test(arguments: ["AND", "OR", "&&", "||"])
    func `stays flat over five thousand terms`(word: String) throws {
        let terms = (0..<5000).map { "(portions == \($0))" }

        let node = try FilterNode(text: terms.joined(separator: " \(word) "), of: Dish.entity)

        let parts = (0..<5000).map { FilterNode.compare(column: 3, .equal, .integer($0)) }
        #expect(node == (word == "AND" || word == "&&" ? .all(parts) : .any(parts)))
    }

    @Test func `may list five thousand values`() throws {
        let list = (0..<5000).map(String.init).joined(separator: ",")

        let node = try FilterNode(text: "portions IN {\(list)}", of: Dish.entity)

        #expect(node == .isIn(column: 3, (0..<5000).map { .integer($0) }))
    }

    @Test func `may nest as deep as the limit`() throws {
        let parentheses = String(repeating: "(", count: Self.limit)
        let nots = String(repeating: "!", count: Self.limit)

        let flat = try FilterNode(
            text: parentheses + "true" + String(repeating: ")", count: Self.limit), of: Dish.entity)
        let deep = try FilterNode(text: nots + "true", of: Dish.entity)

        #expect(flat == .always(true))
        #expect(deep == (0..<Self.limit).reduce(.always(true)) { node, _ in .not(node) })
        #expect(deep.text(of: Dish.entity) == String(repeating: "NOT ", count: Self.limit) + "true")
    }

    @Test func `is refused where it nests deeper`() {
        let place = TextFailure(.invalidText, column: Self.limit + 1)

        #expect(failure(String(repeating: "(", count: 100_000)) == place)
        #expect(failure(String(repeating: "!", count: Self.limit + 1) + "true") == place)
        #expect(failure(String(repeating: "(!", count: 100_000)) == place)
    }

    @Test func `may hold any number of short parentheses`() throws {
        let text = Array(repeating: "((rating > 4) OR NOT (true))", count: 1000).joined(separator: " AND ")

        let part = FilterNode.any([.compare(column: 2, .greater, .real(4)), .not(.always(true))])
        #expect(try FilterNode(text: text, of: Dish.entity) == .all(Array(repeating: part, count: 1000)))
    }

    @Test(.timeLimit(.minutes(1)))
    func `may calculate with a hundred terms`() throws {
        let ones = Array(repeating: "1", count: 100).joined(separator: " + ")

        let right = try FilterNode(text: "portions == \(ones)", of: Dish.entity)
        let left = try FilterNode(text: "portions + \(ones) > 3", of: Dish.entity)

        let portions = ValueNode.attribute(AttributePlace(column: 3))
        let one = ValueNode.constant(.integer(1), .int64)
        let sum = (1..<100).reduce(one) { sum, _ in .arithmetic(.plus, sum, one) }
        #expect(right == .calculated(portions, .equal, sum))
        let longer = (0..<100).reduce(portions) { sum, _ in .arithmetic(.plus, sum, one) }
        #expect(left == .calculated(longer, .greater, .constant(.integer(3), .int64)))
    }

    private static let portions = ValueNode.attribute(AttributePlace(column: 3))

    private static func nested(
        _ count: Int, in start: ValueNode, _ step: (ValueNode) -> ValueNode
    ) -> ValueNode {
        (0..<count).reduce(start) { value, _ in step(value) }
    }

    @Test func `may nest the operators of a calculation as deep as the limit`() throws {
        let portions = Self.portions
        var values: [ValueNode] = []
        for start in [portions, .constant(.integer(1), .int64)] {
            values.append(Self.nested(Self.limit, in: start) { .negative($0) })
            for sign in ArithmeticOperator.allCases {
                values.append(Self.nested(Self.limit, in: start) { .arithmetic(sign, portions, $0) })
                values.append(Self.nested(Self.limit, in: start) { .arithmetic(sign, $0, portions) })
                values.append(
                    Self.nested(Self.limit / 2, in: start) { .negative(.arithmetic(sign, portions, $0)) })
            }
        }

        for value in values {
            let node = FilterNode.calculated(value, .greater, portions)
            let read = try FilterNode(text: node.text(of: Dish.entity), of: Dish.entity)
            #expect(value.depth == Self.limit)
            #expect(read == node)
        }
    }

    @Test func `is refused where a calculation nests deeper`() {
        let portions = Self.portions
        let signs = Self.nested(Self.limit + 1, in: portions) { .negative($0) }
        let sums = Self.nested(Self.limit + 1, in: portions) { .arithmetic(.plus, portions, $0) }
        for (value, column) in [(signs, 1), (sums, 10)] {
            let text = FilterNode.calculated(value, .greater, portions).text(of: Dish.entity)
            #expect(failure(text) == TextFailure(.invalidText, column: column))
        }
        let flat = Array(repeating: "portions", count: Self.limit + 2).joined(separator: " + ") + " > 0"
        #expect(failure(flat) == TextFailure(.invalidText, column: 10 + 11 * Self.limit))

        let opening = String(repeating: "(", count: 100_000)
        let closing = String(repeating: ")", count: 100_000)
        let place = TextFailure(.invalidText, column: Self.limit + 2)
        #expect(failure("\(opening)portions\(closing) > 0") == place)
        #expect(failure(String(repeating: "-", count: 100_000) + "portions > 0") == place)
        #expect(failure("portions > \(opening)") == TextFailure(.invalidText, column: Self.limit + 13))
    }
}
