import Foundation

extension OutputValue {
    /// The value as JSON on one line.
    ///
    /// Integers beyond 2⁵³ are texts, as most readers of JSON would round them, and so are infinities, which
    /// JSON does not have. Bytes are base 64.
    var jsonText: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += String(value)
        case .integer(let value): text += Self.quoted(value, when: value.magnitude > Self.exactLimit)
        case .unsigned(let value): text += Self.quoted(value, when: value > Self.exactLimit)
        case .real(let value): text += Self.quoted(value, when: !value.isFinite)
        case .decimal(let value), .text(let value): text += Self.jsonString(value)
        case .bytes: text += Self.jsonString(plainText)
        case .json(let value): text += Self.isJSON(value) ? Self.visibleJSON(value) : Self.jsonString(value)
        case .list(let values):
            text += "["
            Self.write(values, to: &text) { $0.write(to: &$1) }
            text += "]"
        case .record(let fields):
            text += "{"
            Self.write(fields, to: &text) { field, text in
                text += Self.jsonString(field.name) + ":"
                field.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write<Part>(
        _ parts: [Part], to text: inout String, _ write: (Part, inout String) -> Void
    ) {
        for (number, part) in parts.enumerated() {
            if number > 0 { text += "," }
            write(part, &text)
        }
    }

    /// Every integer up to it is one `Double` and no other.
    private static let exactLimit: UInt64 = 1 << 53

    private static func quoted(_ value: some LosslessStringConvertible, when isText: Bool) -> String {
        isText ? "\"\(value)\"" : String(value)
    }

    /// A text in quotes, with escapes also for the control characters of a terminal.
    static func jsonString(_ text: String) -> String {
        var quoted = "\"".unicodeScalars
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted.append(contentsOf: "\\\"".unicodeScalars)
            case "\\": quoted.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
            case "\r": quoted.append(contentsOf: "\\r".unicodeScalars)
            case "\t": quoted.append(contentsOf: "\\t".unicodeScalars)
            default: append(scalar, to: &quoted)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// JSON with escapes for the control characters of a terminal, which can be in its texts only.
    private static func visibleJSON(_ json: String) -> String {
        if json.unicodeScalars.allSatisfy({ !$0.needsEscape }) { return json }
        var visible = String.UnicodeScalarView()
        for scalar in json.unicodeScalars { append(scalar, to: &visible) }
        return String(visible)
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
        guard scalar.needsEscape else { return text.append(scalar) }
        for unit in UTF16.encode(scalar) ?? .init() {
            let digits = String(unit, radix: 16)
            let zeros = String(repeating: "0", count: 4 - digits.count)
            text.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
        }
    }

    /// True if a text can be a part of JSON unchanged; a text of several lines would break JSON Lines.
    private static func isJSON(_ text: String) -> Bool {
        guard !text.utf8.contains(where: { $0 < 0x20 }) else { return false }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
    }
}
