import Foundation
import Larder
import LarderText
import Testing

struct `A value in the text of a filter` {
    /// An attribute, a value as it is written, and the constant it becomes.
    struct Example: Sendable, CustomTestStringConvertible {
        let attribute: String
        let value: String
        let constant: Constant

        init(_ attribute: String, _ value: String, _ constant: Constant) {
            self.attribute = attribute
            self.value = value
            self.constant = constant
        }

        var testDescription: String { "\(attribute) == \(value)" }
    }

    static let floatingPoint = [
        Example("rating", "4", .real(4)),
        Example("rating", "-4.25", .real(-4.25)),
        Example("rating", ".5", .real(0.5)),
        Example("rating", "+1e3", .real(1000)),
        Example("rating", "1E-3", .real(0.001)),
        Example("rating", "00010.100", .real(10.1)),
        Example("rating", "-0.0", .real(0)),
        Example("rating", "inf", .real(.infinity)),
        Example("rating", "-Infinity", .real(-.infinity)),
        Example("rating", "1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
        Example("rating", "5e-324", .real(.leastNonzeroMagnitude)),
        Example("rating", "1e-400", .real(0)),
        Example("rating", "9007199254740993", .real(9_007_199_254_740_992)),
        Example("weight", "0.1", .real(Double(Float(0.1)))),
        Example("weight", "-inf", .real(-.infinity)),
    ]

    static let exact = [
        Example("portions", "9223372036854775807", .integer(.max)),
        Example("portions", "-9223372036854775808", .integer(.min)),
        Example("portions", "4.0", .integer(4)),
        Example("portions", "12.5e1", .integer(125)),
        Example("portions", "0e99", .integer(0)),
        Example("level", "-128", .integer(-128)),
        Example("level", "127", .integer(127)),
        Example("stock", "65535", .integer(65535)),
        Example("stock", "-0", .integer(0)),
        Example("views", "18446744073709551615", .unsigned(.max)),
        Example("views", "1e19", .unsigned(10_000_000_000_000_000_000)),
        Example("price", "4.50", .decimal("4.5")),
        Example("price", "-0", .decimal("0")),
        Example("price", "1e3", .decimal("1000")),
        Example("price", "-1.5e-3", .decimal("-0.0015")),
        Example(
            "price", "340282366920938463463374607431768211455",
            .decimal("340282366920938463463374607431768211455")),
        Example("isVegan", "TRUE", .integer(1)),
        Example("isVegan", "false", .integer(0)),
        Example("isVegan", "1", .integer(1)),
        Example("id", "129", .integer(129)),
        Example("id", "-1", .integer(-1)),
    ]

    static let quoted = [
        Example("name", #""it's""#, .text("it's")),
        Example("name", #"'"x"'"#, .text("\"x\"")),
        Example("name", "''", .text("")),
        Example("name", #""\n\r\t\0\\\"\'\u{1F370}\u{e9}""#, .text("\n\r\t\0\\\"'\u{1F370}\u{e9}")),
        Example("name", "\"\u{301}e\u{301}\"", .text("\u{301}e\u{301}")),
        Example("name", "'two\nlines'", .text("two\nlines")),
        Example("name", "'\\'\u{301}'", .text("'\u{301}")),
        Example("course", "'dessert'", .text("dessert")),
        Example("source", "'https://example.com/a b'", .text("https://example.com/a%20b")),
        Example("source", "nil", .null),
        Example(
            "token", "'00000000-0000-4000-8000-0000000000ff'",
            .blob([0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 255])),
        Example("photo", "x'00fFA0'", .blob([0, 255, 160])),
        Example("photo", #"X"""#, .blob([])),
        Example("id", "'0000000000041'", .integer(129)),
        Example("id", "'7zzzzzzzzzzzz'", .integer(.max)),
    ]

    static let dates = [
        Example("cookedAt", "'2001-01-01'", .real(0)),
        Example("cookedAt", "'2001-01-01T00:00:00Z'", .real(0)),
        Example("cookedAt", "'2000-12-31T23:59:59.5Z'", .real(-0.5)),
        Example("cookedAt", "'2024-02-29'", .real(730_857_600)),
        Example("cookedAt", "'2024-05-01'", .real(736_214_400)),
        Example("cookedAt", "'2024-05-01T10:00:00Z'", .real(736_250_400)),
        Example("cookedAt", "'2024-05-01t10:00z'", .real(736_250_400)),
        Example("cookedAt", "'2024-05-01 10:00'", .real(736_250_400)),
        Example("cookedAt", "'2024-05-01T12:00:00.25+02:00'", .real(736_250_400.25)),
        Example("cookedAt", "'2024-05-01T04:30:00-0530'", .real(736_250_400)),
        Example("cookedAt", "'2024-05-01T12:00+02'", .real(736_250_400)),
        Example("cookedAt", "'0000-01-01'", .real(-63_145_526_400)),
        Example("cookedAt", "'9999-12-31'", .real(252_423_907_200)),
        Example("cookedAt", "736250400.125", .real(736_250_400.125)),
        Example("cookedAt", "-inf", .real(-.infinity)),
    ]

    @Test(arguments: floatingPoint + exact + quoted + dates)
    func `becomes the constant that the attribute stores`(example: Example) throws {
        let node = try FilterNode(text: example.testDescription, of: Dish.entity)

        #expect(node == .compare(column: Dish.column(example.attribute), .equal, example.constant))
    }

    @Test func `is written as the shortest text that is still exact`() {
        func text(_ attribute: String, _ constant: Constant) -> String {
            FilterNode.compare(column: Dish.column(attribute), .equal, constant).text(of: Dish.entity)
        }

        #expect(text("id", .integer(129)) == #"id == "0000000000041""#)
        #expect(text("rating", .real(0.1)) == "rating == 0.1")
        #expect(text("weight", .real(Double(Float(0.1)))) == "weight == 0.1")
        #expect(text("rating", .real(-.infinity)) == "rating == -inf")
        #expect(text("isVegan", .integer(0)) == "isVegan == false")
        #expect(text("cookedAt", .real(736_250_400)) == #"cookedAt == "2024-05-01T10:00:00Z""#)
        #expect(text("cookedAt", .real(-0.5)) == #"cookedAt == "2000-12-31T23:59:59.5Z""#)
        #expect(text("cookedAt", .real(0.0001)) == #"cookedAt == "2001-01-01T00:00:00.0001Z""#)
        #expect(text("cookedAt", .real(1e13)) == #"cookedAt == "+318888-05-20T17:46:40Z""#)
        #expect(text("cookedAt", .real(.infinity)) == "cookedAt == inf")
        #expect(text("photo", .blob([0, 171])) == "photo == x'00ab'")
        #expect(
            text("token", .blob([UInt8](0...15))) == #"token == "00010203-0405-0607-0809-0A0B0C0D0E0F""#)
        #expect(text("name", .text("a\"\\\n\u{7F}é")) == #"name == "a\"\\\n\u{7f}é""#)
        #expect(text("odd `name`", .null) == "`odd ``name``` == nil")
        #expect(text("in", .null) == "`in` == nil")
    }

    @Test func `is nil only for an attribute stored as JSON, in an argument too`() throws {
        func read(_ text: String, _ argument: (any AttributeStorable)?) throws -> FilterNode {
            try FilterNode(text: text, arguments: [argument], of: 0, in: StoreSchema(of: Dish.entity))
        }
        let nutrition = Dish.Nutrition(energy: 5)
        let values: [(text: String, argument: any AttributeStorable)] = [
            ("nutrition == %@", nutrition), ("nutrition != %@", nutrition), ("nutrition IN %@", [nutrition]),
            ("nutrition == %@", ["energy": 5] as [String: Int]),
        ]

        for (text, argument) in values {
            let error = #expect(throws: DataStoreError.self) { _ = try read(text, argument) }
            #expect(error.flatMap { TextFailure($0) } == TextFailure(.wrongType, column: 14), "\(text)")
        }
        let isNil = FilterNode.compare(column: Dish.column("nutrition"), .equal, .null)
        #expect(try read("nutrition == %@", nil) == isNil)
    }

    @Test func `may be a date of any day, as Foundation counts them`() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for year in [1600, 1900, 1999, 2000, 2001, 2004, 2023, 2024, 2100] {
            for day in stride(from: 1, through: 365, by: 13) {
                let parts = DateComponents(
                    timeZone: .gmt, year: year, day: day, hour: 23, minute: 59, second: 1)
                let date = try #require(calendar.date(from: parts))
                let node = FilterNode.compare(
                    column: 8, .less, .real(date.timeIntervalSinceReferenceDate))

                let text = "cookedAt < \"\(date.ISO8601Format())\""

                #expect(node.text(of: Dish.entity) == text)
                #expect(try FilterNode(text: text, of: Dish.entity) == node)
            }
        }
    }
}
