public import LarderKernel

extension Filter {
    /// The filter that a text describes.
    ///
    ///     let good = try Filter<Recipe>(text: #"rating > 4 AND name CONTAINS[c] "cake""#)
    ///
    /// Words in capitals may be written in any case. The name of an attribute is written plainly, and in
    /// backticks if it is one of these words or holds other characters than letters, digits and `_`.
    ///
    /// | text | passes items whose … |
    /// | --- | --- |
    /// | `a == 1` or `a = 1`, `a != 1` or `a <> 1` | value is this one, or another |
    /// | `a < 1`, `a <= 1`, `a > 1`, `a >= 1`, `1 < a` | value comes before or after this one |
    /// | `a == nil`, `a != NULL` | value is nil, or is not |
    /// | `a IN {1, 2, nil}`, `a IN (1, 2)`, `a NOT IN {1, 2}` | value is one of these, or none |
    /// | `a BETWEEN {1, 5}`, `a BETWEEN 1 AND 5` | value lies there, both ends included |
    /// | `t CONTAINS "x"`, `t BEGINSWITH "x"`, `t ENDSWITH "x"` | text does so, by its bytes |
    /// | `t CONTAINS[c] "x"`, `t ==[d] "x"`, `t <[cd] "x"` | text does so, whatever the case, diacritics, or both |
    /// | `t LIKE "a*?"`, `t MATCHES "a.+"`, with or without `[c]`, `[d]`, `[cd]` | whole text fits the
    /// pattern |
    /// | `a < b`, `kind.limit == a` | attribute comes before another one, or equals it |
    /// | `a * (b + 2) > -c / 3`, and `%`; `a * 2 == nil` | calculated value does so |
    /// | `kind.name == "x"`, `author.mentor.name != nil` | attribute after references does so |
    /// | `ANY parts.name == "x"`, `ANY parts (name == "x" AND size > 2)` | related items do so: at least one |
    /// | `ALL parts.size > 2`, `NONE parts (…)` | … all of them, or none |
    /// | `kind (name == "x" OR size > 2)` | reference leads to an item that passes |
    /// | `parts.@count > 3` | relationship has so many items |
    /// | `NOT f` or `!f` | filter is not passed; binds tightest |
    /// | `f AND f` or `f && f`, then `f OR f` or `f \|\| f`, `(f)` | filters are passed together |
    /// | `TRUEPREDICATE` or `true`, `FALSEPREDICATE` or `false` | … all, or none |
    ///
    /// How a value is written depends on the attribute's type: `true`; `-4`, `4.5`, `1e3`, `inf`; text, URLs,
    /// UUIDs and identifiers in `"…"` or `'…'` with `\"`, `\'`, `\\`, `\n`, `\r`, `\t`, `\0`, `\u{1F370}`;
    /// bytes as `x'00ff'`; dates as `"2024-05-01"` or `"2024-05-01T10:00:00.5+02:00"` (UTC if no offset
    /// is given) or as seconds since 2001; an enum by its raw value.
    ///
    /// In a calculation, a number has the type of the attributes that it is beside if it fits it: `count / 2.0` is a
    /// division of integers. Signs of arithmetic after a number need a space on each side. Patterns follow
    /// ``Filter/like(_:_:_:)`` and ``Filter/matches(_:_:_:)``, and calculations ``Calculation``.
    ///
    /// *Rule:* an attribute of integers takes whole numbers of its own range only. Parentheses and NOT nest
    /// up to 200 levels deep, and so do the operators of a calculation. *Cost:* one walk over the text.
    ///
    /// - Throws: `.invalidText` for what is not said here, `.unknownAttribute`, `.wrongType` for a value or
    ///   an operator the attribute does not take, `.invalidValue` for NaN. The message shows the place.
    public init(text: String) throws(DataStoreError) {
        self.init(
            try FilterNode(text: text, of: 0, in: try StoreSchema(reachableFrom: Item.self)))
    }

    /// The filter that a text describes, with values of the app's in the places of `%@`.
    ///
    ///     let good = try Filter<Recipe>(text: "rating > %@ AND name LIKE[cd] %@", arguments: [4, "gr*"])
    ///     let some = try Filter<Recipe>(text: "%K IN %@", arguments: ["kind.name", ["Cake", "Tart"]])
    ///
    /// A `%@` is a value wherever one may be written, and `IN %@` takes an array or a set. A `%K` is the name of an
    /// attribute, with names of references and dots before it. No value becomes part of the text, so that none
    /// needs quotes or escapes.
    ///
    /// - Throws: As ``init(text:)``; `.invalidText` if the text asks for another number of arguments, and
    ///   `.wrongType` for an argument that its attribute does not take. The message shows the place.
    public init(text: String, arguments: [(any AttributeStorable)?]) throws(DataStoreError) {
        self.init(
            try FilterNode(
                text: text, arguments: arguments, of: 0, in: try StoreSchema(reachableFrom: Item.self)))
    }
}

extension Filter {
    /// The filter in the form that ``init(text:)`` reads.
    ///
    /// Reading it gives an equal filter. The text of a filter that cannot be used says why, and cannot be
    /// read.
    public var text: String {
        do {
            return node.text(of: 0, in: try StoreSchema(reachableFrom: Item.self))
        } catch {
            return "<\(error.message)>"
        }
    }
}
