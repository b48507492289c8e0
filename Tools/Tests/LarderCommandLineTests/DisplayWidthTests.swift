import Testing

@testable import LarderCommandLine

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("cake", 4), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한글", 4), ("ｗ", 2), ("ﾊ", 1),
        ("🍰", 2), ("👩‍🍳", 2), ("🇫🇷", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("\u{301}", 0),
        ("Ω→ß", 3), ("𠮷", 2),
    ])
    func `text takes as many columns as a terminal gives it`(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("cake", 4, "cake"), ("cakes", 4, "cak…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab", 1, "…"),
        ("ab", 0, ""), ("cafe\u{301}s", 5, "cafe\u{301}s"), ("cafe\u{301}s!", 5, "cafe\u{301}…"),
    ])
    func `text is cut with an ellipsis and never inside of a character`(
        _ text: String, _ width: Int, _ cut: String
    ) {
        #expect(DisplayWidth.cut(text, to: width) == cut)
        #expect(DisplayWidth.of(DisplayWidth.cut(text, to: width)) <= width)
    }

    @Test(arguments: [
        ("plain \\ text", "plain \\ text"), ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\u{1B}[31m", "\\u{1b}[31m"),
        ("\u{0}", "\\u{0}"), ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"), ("a\u{202E}b", "a\\u{202e}b"),
        ("\u{2028}", "\\u{2028}"), ("👩‍🍳é", "👩‍🍳é"),
    ])
    func `what would move the cursor is escaped`(_ text: String, _ visible: String) {
        #expect(text.visible == visible)
    }
}
