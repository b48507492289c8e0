import Larder
import LarderText
import Testing

struct `A filter's text that cannot be read` {
    /// A text and what is wrong with it.
    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let failure: TextFailure

        init(_ text: String, _ code: DataStoreError.Code, _ column: Int) {
            self.text = text
            failure = TextFailure(code, column: column)
        }

        var testDescription: String { text }
    }

    static let grammar = [
        Example("", .invalidText, 1),
        Example("  ", .invalidText, 3),
        Example("rating", .invalidText, 7),
        Example("rating >", .invalidText, 9),
        Example("rating > >", .invalidText, 10),
        Example("rating > 4 name == 'x'", .invalidText, 12),
        Example("rating > 4 AND", .invalidText, 15),
        Example("rating > 4 AND OR", .invalidText, 16),
        Example("AND rating > 4", .invalidText, 1),
        Example("1 < rating < 5", .invalidText, 12),
        Example("(rating > 4", .invalidText, 12),
        Example("rating > 4)", .invalidText, 11),
        Example("()", .invalidText, 2),
        Example("NOT", .invalidText, 4),
        Example("rating NOT > 4", .invalidText, 12),
        Example("name == Cake", .invalidText, 9),
        Example("rating CONTAINS weight", .wrongType, 8),
        Example("4 == 4", .invalidText, 6),
        Example("'rating' == 4", .invalidText, 13),
        Example("4", .invalidText, 2),
        Example("'x' CONTAINS name", .invalidText, 5),
        Example("4 IN rating", .invalidText, 3),
        Example("in == 1", .invalidText, 1),
        Example("name SOUNDS 'x*'", .invalidText, 6),
        Example("rating IN 4", .invalidText, 11),
        Example("rating IN {1, 2)", .invalidText, 16),
        Example("rating IN {1,}", .invalidText, 14),
        Example("rating IN {1 2}", .invalidText, 14),
        Example("rating IN {", .invalidText, 12),
        Example("rating BETWEEN {1}", .invalidText, 16),
        Example("rating BETWEEN {1, 2, 3}", .invalidText, 16),
        Example("rating BETWEEN 1 OR 2", .invalidText, 18),
        Example("rating <[c] 4", .wrongType, 8),
        Example("name CONTAINS[cx] 'x'", .invalidText, 14),
        Example("name LIKE 'x\\\\'", .invalidText, 11), Example("name MATCHES '(x'", .invalidText, 14),
        Example("rating LIKE 'x'", .wrongType, 8), Example("rating * 2", .invalidText, 11),
        Example("rating * 2 CONTAINS 'x'", .invalidText, 12), Example("rating * name > 2", .wrongType, 1),
        Example("(rating + 2 > 4", .invalidText, 16), Example("rating + 'x' > 2", .wrongType, 10),
        Example("name < rating", .wrongType, 1), Example("rating 4-2 > 3", .invalidText, 8),
        Example("price % 2 == 1", .wrongType, 1), Example("rating > %@", .invalidText, 10),
        Example("rating IN[c] {1}", .invalidText, 10),
        Example("TRUEPREDICATE == isVegan", .invalidText, 15),
    ]

    static let signs = [
        Example("rating > 4 & name == 'x'", .invalidText, 12),
        Example("rating > 4 | name == 'x'", .invalidText, 12),
        Example("rating ≥ 4", .invalidText, 8),
        Example("name == “x”", .invalidText, 9),
        Example("name == 'x", .invalidText, 9),
        Example("name == \"x'", .invalidText, 9),
        Example("`name == 'x'", .invalidText, 1),
        Example("name ==[c 'x'", .invalidText, 8),
        Example(#"name == "a\q""#, .invalidText, 11),
        Example(#"name == "a\"#, .invalidText, 11),
        Example(#"name == "\u{}""#, .invalidText, 10),
        Example(#"name == "\u{D800}""#, .invalidText, 10),
        Example(#"name == "\u{110000}""#, .invalidText, 10),
        Example(#"name == "\u{-1}""#, .invalidText, 10),
        Example(#"name == "\u{41"#, .invalidText, 10),
        Example("photo == x'0'", .invalidText, 11),
        Example("photo == x'0g'", .invalidText, 11),
        Example("photo == x'0é'", .invalidText, 11),
        Example("rating > 4x", .invalidText, 10),
        Example("rating > 1..2", .invalidText, 10),
        Example("rating > 5.", .invalidText, 10),
        Example("rating > 1e", .invalidText, 10),
        Example("rating > -", .invalidText, 10),
        Example("rating > - ", .invalidText, 12),
        Example("rating > ٤", .invalidText, 10),
        Example("cookedAt > 2024-05-01", .invalidText, 12),
        Example("id == 01HZX8K2M0Q4T", .invalidText, 7),
        Example("name == 'e\u{301}🇫🇷' & 1", .invalidText, 14),
        Example("name ==\r\n'x' & 1", .invalidText, 13),
        Example("rating\u{0} > 4", .invalidText, 7),
    ]

    static let attributes = [
        Example("ratng > 4", .unknownAttribute, 1),
        Example("rating > 4 AND `no such` == nil", .unknownAttribute, 16),
        Example("4 < Rating", .unknownAttribute, 5),
        Example("gro\u{308}ße_2 > 1", .unknownAttribute, 1),
        Example("`` == 1", .unknownAttribute, 1),
        Example("name LIKE name", .invalidText, 11),
    ]

    static let types = [
        Example("rating > 'high'", .wrongType, 10),
        Example("rating == true", .wrongType, 11),
        Example("rating == 1e400", .wrongType, 11),
        Example("weight == 1e39", .wrongType, 11),
        Example("name == 4", .wrongType, 9),
        Example("name == true", .wrongType, 9),
        Example("level == 128", .wrongType, 10),
        Example("level == -129", .wrongType, 10),
        Example("level == 1.5", .wrongType, 10),
        Example("level == inf", .wrongType, 10),
        Example("level == '4'", .wrongType, 10),
        Example("stock == -1", .wrongType, 10),
        Example("portions == 9223372036854775808", .wrongType, 13),
        Example("portions == 1e-1", .wrongType, 13),
        Example("portions == 1e99999999999999999999", .wrongType, 13),
        Example("views == 18446744073709551616", .wrongType, 10),
        Example("price == 340282366920938463463374607431768211456", .wrongType, 10),
        Example("price == 1e200", .wrongType, 10),
        Example("price == inf", .wrongType, 10),
        Example("isVegan == 2", .wrongType, 12),
        Example("isVegan == 'true'", .wrongType, 12),
        Example("token == 'E621E1F8'", .wrongType, 10),
        Example("source == ''", .wrongType, 11),
        Example("photo == '00ff'", .wrongType, 10),
        Example("token == x'00'", .wrongType, 10),
        Example("id == '0123'", .wrongType, 7),
        Example("id == 'GZZZZZZZZZZZZ'", .wrongType, 7),
        Example("course == 1", .wrongType, 11),
        Example("rating IN {1, 'x', 3}", .wrongType, 15),
        Example("rating BETWEEN 1 AND 'x'", .wrongType, 22),
        Example("'x' == rating", .wrongType, 1),
        Example("rating CONTAINS 'x'", .wrongType, 8),
        Example("token BEGINSWITH[c] 'x'", .wrongType, 7),
        Example("nutrition CONTAINS 'x'", .wrongType, 11),
        Example("level ==[c] 1", .wrongType, 7),
        Example("'1' EQUALS level", .wrongType, 5),
        Example("name CONTAINS 4", .wrongType, 15),
        Example("name CONTAINS nil", .wrongType, 15),
        Example("name EQUALS nil", .wrongType, 13),
        Example("nutrition == '{}'", .wrongType, 14),
        Example("nutrition IN {nil, 1}", .wrongType, 20),
        Example("nutrition < nil", .wrongType, 11),
        Example("nutrition BETWEEN {nil, nil}", .wrongType, 11),
        Example("nil < nutrition", .wrongType, 5),
        Example("nil < (nutrition)", .wrongType, 1),
        Example("nutrition < (nil)", .wrongType, 11),
        Example("nil == (nil)", .wrongType, 1),
        Example("4 == (nil)", .wrongType, 7),
        Example("rating == NaN", .invalidValue, 11),
        Example("-nan < weight", .invalidValue, 1),
        Example("price IN {1, nan}", .invalidValue, 14),
    ]

    static let dates = [
        "2024-5-01", "2024-13-01", "2024-00-01", "2024-02-30", "2023-02-29", "1900-02-29", "2024-01-00",
        "20240501", "2024-05-01T", "2024-05-01T24:00", "2024-05-01T10:60", "2024-05-01T10:00:60Z",
        "2024-05-01T10:00:00.Z", "2024-05-01T12+02", "2024-05-01T10:00+2", "2024-05-01T10:00+24:00",
        "2024-05-01T10:00+02:", "2024-05-01T10:00Zz", "2024-05-01Z", "-001-01-01", " 2024-05-01", "today", "",
    ].map { Example("cookedAt > '\($0)'", .wrongType, 12) }

    @Test(arguments: grammar + signs + attributes + types + dates)
    func `is refused with a code and its place`(example: Example) {
        let error = #expect(throws: DataStoreError.self) {
            try FilterNode(text: example.text, of: Dish.entity)
        }

        #expect(error.flatMap(TextFailure.init) == example.failure, "\(error?.description ?? "")")
        #expect(error?.itemType == "Dish")
    }

    @Test func `is shown with a caret under the place`() {
        let error = #expect(throws: DataStoreError.self) {
            try FilterNode(text: "name == 'x' AND\n\trating > \"high\"", of: Dish.entity)
        }

        #expect(
            error?.message == """
                rating, of type double, cannot be compared with the value at column 27:
                    name == 'x' AND  rating > "high"
                                              ^
                """)
        #expect(error?.advice == "Write a number, such as 4.5.")
        #expect(error?.attribute == "rating")
    }

    @Test func `is cut where it is long`() {
        let long = String(repeating: "rating > 4 AND ", count: 1000)
        let error = #expect(throws: DataStoreError.self) {
            try FilterNode(text: long + "rating >> 4 AND " + long, of: Dish.entity)
        }

        #expect(
            error?.message == """
                A value is expected at column 15009:
                    …D rating > 4 AND rating > 4 AND rating >> 4 AND rating > 4 AND rating …
                                                             ^
                """)
    }

    @Test func `is answered with the nearest attribute, or all of them`() {
        func advice(_ text: String) -> String? {
            #expect(throws: DataStoreError.self) { try FilterNode(text: text, of: Dish.entity) }?.advice
        }

        #expect(advice("Rating > 4") == "Perhaps rating is meant.")
        #expect(advice("cookdAt > 4") == "Perhaps cookedAt is meant.")
        #expect(advice("nm > 4")?.hasPrefix("Its attributes are id, name, rating,") == true)
        #expect(
            advice("qqqqqqqq > 4") == """
                Its attributes are id, name, rating, portions, level, stock, views, price, cookedAt, token, \
                source, photo, weight, note, nutrition, isVegan, in, odd `name`, course, größe_2.
                """)
        #expect(advice("name == Cake") == #"Put text in quotes: "Cake"."#)
        #expect(
            advice("name CONTAINS note") == "Two attributes can be compared by ==, !=, <, <=, > and >= only.")
        #expect(
            advice("rating CONTAINS weight") == "Compare it by ==, !=, <, <=, >, >=, IN or BETWEEN.")
        #expect(advice("name == “x”") == "Use the straight quotes \" or '.")
    }
}
