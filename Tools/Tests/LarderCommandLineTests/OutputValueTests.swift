import Testing

@testable import LarderCommandLine

struct OutputValueTests {
    @Test(arguments: [
        (OutputValue.null, "null"), (.bool(true), "true"), (.integer(-7), "-7"),
        (.integer(9_007_199_254_740_992), "9007199254740992"),
        (.integer(9_007_199_254_740_993), "\"9007199254740993\""),
        (.integer(.min), "\"-9223372036854775808\""), (.unsigned(.max), "\"18446744073709551615\""),
        (.unsigned(3), "3"), (.real(0.1), "0.1"), (.real(.infinity), "\"inf\""),
        (.real(-.infinity), "\"-inf\""),
        (.text("a \"b\" \\ \n é"), #""a \"b\" \\ \n é""#),
        (.text("\u{1B}\u{9B}\u{0}"), #""\u001b\u009b\u0000""#),
        (.bytes([0, 255, 16]), "\"AP8Q\""), (.json(#"{"a":[1,2]}"#), #"{"a":[1,2]}"#),
        (.json("no JSON"), "\"no JSON\""), (.json("{\n}"), #""{\n}""#),
        (.json("[\"\u{9B}31m\u{202E}\u{7F}\"]"), #"["\u009b31m\u202e\u007f"]"#),
        (.text("\u{202E}\u{2028}😀"), #""\u202e\u2028😀""#),
        (.list([.integer(1), .null]), "[1,null]"),
        (.record([.init("b", .integer(1)), .init("a", .text(""))]), #"{"b":1,"a":""}"#),
    ])
    func `JSON keeps every value exact`(_ value: OutputValue, _ text: String) {
        #expect(value.jsonText == text)
    }

    @Test(arguments: [
        (OutputValue.null, ""), (.text(""), "\"\""), (.text("plain"), "plain"), (.text("a,b"), "\"a,b\""),
        (.text("say \"hi\""), "\"say \"\"hi\"\"\""), (.text("two\r\nlines"), "\"two\r\nlines\""),
        (.text("\"\u{301}"), "\"\"\"\u{301}\""), (.integer(.max), "9223372036854775807"), (.real(4.5), "4.5"),
        (.bool(false), "false"), (.bytes([1]), "AQ=="), (.json(#"{"a":1}"#), #""{""a"":1}""#),
    ])
    func `CSV quotes what has to be quoted, and tells nil from empty text`(
        _ value: OutputValue, _ text: String
    ) {
        #expect(value.csvField == text)
    }

    @Test(arguments: [
        (OutputValue.text("=1+2"), "'=1+2"), (.text("+a"), "'+a"), (.text("-"), "'-"),
        (.text("@a,b"), "\"'@a,b\""),
        (.text("a=1"), "a=1"), (.text(""), "\"\""), (.integer(-7), "-7"), (.real(-0.5), "-0.5"),
        (.decimal("-1.5"), "-1.5"), (.null, ""),
    ])
    func `CSV for spreadsheets has no formulas`(_ value: OutputValue, _ text: String) {
        #expect(value.csvField(forSpreadsheets: true) == text)
    }

    @Test(arguments: [
        (OutputValue.null, "nil"), (.text("a\nb"), "a\\nb"), (.bytes([1, 2]), "<2 bytes>"),
        (.list([.text("a"), .integer(1)]), "a, 1"), (.real(2), "2.0"),
        (.record([.init("a\u{9B}", .text("\u{9B}"))]), #"a\u{9b}: \u{9b}"#),
    ])
    func `tables show values on one line`(_ value: OutputValue, _ text: String) {
        #expect(value.tableText == text)
    }
}
