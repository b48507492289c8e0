public import LarderPattern

extension Filter {
    /// Items whose whole text fits a pattern, in which `*` stands for any characters and `?` for one.
    ///
    ///     Recipe.where(.like(\.name, "gr?n*", [.caseInsensitive, .diacriticInsensitive]))
    ///
    /// A backslash makes the character after it an ordinary one: `\*`, `\?`, `\\`. A character is a Unicode
    /// scalar; if case or diacritics are ignored, one of the folded text, in which "ß" is "ss".
    ///
    /// *Rule:* a pattern has at most 1,000 characters and does not end with a single backslash; requests with
    /// another throw `.invalidRequest`. *Cost:* at most the length of the text times the length of the pattern. An
    /// exact pattern is found by an index on its attribute as far as it begins with ordinary characters.
    public static func like<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ pattern: String,
        _ matching: TextMatching = .exact
    ) -> Filter where Compared.Item == Item, Compared.Value: TextAttributeValue {
        test(Item.attributes[keyPath: attribute].operand, .like, pattern, matching)
    }

    /// Items whose whole text fits a regular expression.
    ///
    ///     Recipe.where(.matches(\.slug, #"[a-z]+(-\d{2,4})?"#))
    ///     Recipe.where(.matches(\.name, ".*(cake|tart).*", .caseInsensitive))
    ///
    /// | written | fits |
    /// | --- | --- |
    /// | `a` | itself, as every character but `\ . [ ] ( ) { } * + ? ^ $ \|` |
    /// | `.` | any character but a line feed; with `(?s)` that too |
    /// | `[abc]`, `[a-z0-9_]`, `[^a-z]` | one of these characters, or any other |
    /// | `\d`, `\w`, `\s`, and `\D`, `\W`, `\S` | a decimal digit; a letter, mark, digit or `_`; white space; any other |
    /// | `\n`, `\r`, `\t`, `\f`, `\v`, `\0`, `\x41`, `\u0041`, `\u{1F370}` | this character |
    /// | `\.` and so on | the sign itself |
    /// | `ab`, `a\|b`, `(a)`, `(?:a)`, `(?<name>a)` | one after the other, either, the same as in the group |
    /// | `a*`, `a+`, `a?`, `a{3}`, `a{3,}`, `a{3,5}` | so many; a `?` after it changes nothing |
    /// | `^` or `\A`, `$` or `\z`, `\b`, `\B` | the beginning, the end, a border of a word, no border of a word |
    /// | `(?i)`, `(?s)`, `(?is)` at the beginning | case ignored; `.` for a line feed too |
    ///
    /// A character is a Unicode scalar; if case or diacritics are ignored, one of the folded text. References
    /// back to groups and looking around are not known. The engine is the library's own and never goes back in
    /// the text, so that no pattern is slow on a long one.
    ///
    /// *Rule:* a pattern has at most 1,000 characters, and 4,000 with its repetitions written out. Requests with
    /// a pattern that is not as above throw `.invalidRequest`, with the part that is wrong. *Cost:* at most the
    /// length of the text times the length of the pattern. An exact pattern is found by an index on its attribute as
    /// far as it begins with ordinary characters.
    public static func matches<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, _ pattern: String,
        _ matching: TextMatching = .exact
    ) -> Filter where Compared.Item == Item, Compared.Value: TextAttributeValue {
        test(Item.attributes[keyPath: attribute].operand, .matches, pattern, matching)
    }

    private static func test(
        _ operand: FilterOperand, _ syntax: PatternTest.Syntax, _ pattern: String, _ matching: TextMatching
    ) -> Filter {
        // A number has no text; the compiler refuses to ask.
        guard case .column(let column) = operand.value else { return .always(false) }
        return Filter(operand.through(.pattern(column, syntax, pattern, matching)))
    }
}

extension FilterNode {
    /// A test of text by a pattern; a mistake if the pattern has a mistake.
    package static func pattern(
        _ column: Int, _ syntax: PatternTest.Syntax, _ pattern: String, _ matching: TextMatching
    ) -> FilterNode {
        do {
            let test = try PatternTest(
                syntax, pattern, ignoresCase: matching.contains(.caseInsensitive),
                ignoresDiacritics: matching.contains(.diacriticInsensitive))
            return .pattern(column: column, test)
        } catch {
            return .mistake(RequestMistake(error.message, column: column))
        }
    }
}
