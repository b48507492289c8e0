import LarderKernel

/// A piece of SQL, with the sources of its parameters in the order of their question marks.
struct SQLFragment {
    private(set) var text = ""
    private(set) var parameters: [SQLParameter] = []

    mutating func append(_ text: String) {
        self.text += text
    }

    /// Appends a question mark.
    mutating func append(_ parameter: SQLParameter) {
        text += "?"
        parameters.append(parameter)
    }

    mutating func append(_ other: SQLFragment) {
        text += other.text
        parameters += other.parameters
    }
}

/// The source of a parameter's value, in every plan of the shape that a statement was written for.
enum SQLParameter {
    /// Part of a test; tests are numbered as ``RowPredicate/forEachTest(of:in:_:expression:)`` comes to them.
    case test(Int, Part)
    /// The whole predicate, as a ``ReferenceFilter``.
    case filter
    case limit
    case offset

    enum Part {
        /// The constant of a comparison, or the text that is looked for.
        case constant
        /// The constant at a position of a list.
        case element(Int)
        /// A long list as one value, and the number of its constants.
        case list, listCount
        /// The smallest value after all texts that begin with the prefix.
        case prefixEnd
        /// The pattern of a text, as one value.
        case pattern
        /// The comparison of calculated values, as a ``ReferenceFilter``.
        case expression
    }
}
