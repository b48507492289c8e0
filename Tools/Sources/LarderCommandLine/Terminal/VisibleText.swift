extension String {
    /// The text with escapes for characters that move the cursor, change its direction or are invisible.
    ///
    /// Without them, a value in a store could overwrite the user's screen.
    var visible: String {
        if unicodeScalars.allSatisfy({ !$0.needsEscape }) { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.needsEscape {
                text += scalar.escape
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// True for what moves the cursor, changes its direction or is invisible.
    var needsEscape: Bool {
        if value < 0x7F { return value < 0x20 }
        if properties.isBidiControl { return true }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    fileprivate var escape: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}
