/// A piece of SQL, with the sources of its parameters.
///
/// Parameters have no numbers before ``text(in:)`` writes the whole statement, as fragments are joined until then.
package struct SQLFragment {
    /// The texts around the parameters: one more than there are places for parameters.
    private var texts = [""]
    private var places: [SQLParameter] = []

    package init(_ text: String = "") {
        texts = [text]
    }

    package mutating func append(_ text: String) {
        texts[texts.count - 1] += text
    }

    package mutating func append(_ parameter: SQLParameter) {
        places.append(parameter)
        texts.append("")
    }

    package mutating func append(_ other: SQLFragment) {
        append(other.texts[0])
        texts += other.texts.dropFirst()
        places += other.places
    }

    /// The sources of the parameters in the order of their numbers.
    ///
    /// One that is in several places is one parameter, so that its value is sent once.
    package var parameters: [SQLParameter] {
        var seen: Set<SQLParameter> = []
        return places.filter { seen.insert($0).inserted }
    }

    /// The text of the statement, with its parameters numbered from 1.
    package func text(in dialect: any SQLDialect) -> String {
        let numbers = Dictionary(uniqueKeysWithValues: zip(parameters, 1...))
        return text { dialect.parameter(numbers[$0] ?? 0) }
    }

    /// The text with a word for each parameter.
    package func text(_ word: (SQLParameter) -> String) -> String {
        var text = texts[0]
        for (place, after) in zip(places, texts.dropFirst()) { text += word(place) + after }
        return text
    }
}

/// The source of a parameter's value, in every plan of the shape that a statement was written for.
package enum SQLParameter: Sendable, Hashable {
    /// Part of a test; tests are numbered as ``RowPredicate/forEachTest(of:in:_:expression:)`` comes to them.
    case test(Int, Part)
    /// The whole predicate, as a ``SQLCoreFilter`` takes it.
    case filter
    case limit
    case offset

    package enum Part: Sendable, Hashable {
        /// The constant of a comparison, or the text that is looked for.
        case constant
        /// The constant at a position of a list.
        case element(Int)
        /// A list as one value, and the number of its constants.
        case list, listCount
        /// The smallest value after all texts that begin with the prefix.
        case prefixEnd
        /// The pattern of a text, as one value.
        case pattern
        /// The comparison of calculated values, as a ``SQLCoreFilter`` takes it.
        case expression
    }
}
