import struct Foundation.UUID

extension FilterNode {
    /// The filter that a text describes; ``Filter/init(text:)`` says how texts are written.
    ///
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType`, `.invalidValue`.
    package init(text: String, of entity: EntitySchema) throws(DataStoreError) {
        var parser = try FilterParser(SourceText(text: text, entity: entity))
        self = try parser.filter()
    }

    /// The filter as the text that describes it; reading it gives the same filter back.
    ///
    /// Lists of one are written as what they hold, and empty ones as what they mean. What is `.invalid` is
    /// written as a message that cannot be read.
    package func text(of entity: EntitySchema) -> String {
        switch self {
        case .always(let value): return String(value)
        case .compare(let column, let comparison, let constant):
            let attribute = entity.attributes[column]
            return "\(attribute.nameInText) \(comparison.rawValue) \(constant.text(of: attribute.type))"
        case .isIn(let column, let constants):
            let attribute = entity.attributes[column]
            let list = constants.map { $0.text(of: attribute.type) }.joined(separator: ", ")
            return "\(attribute.nameInText) IN {\(list)}"
        case .text(let column, let test):
            let flag = test.ignoresCase ? "[c]" : ""
            let needle = test.needle.text(of: .string)
            return "\(entity.attributes[column].nameInText) \(test.kind.word)\(flag) \(needle)"
        case .not(let inner): return "NOT " + inner.operandText(of: entity)
        case .all(let parts): return Self.joined(parts, by: " AND ", empty: true, of: entity)
        case .any(let parts): return Self.joined(parts, by: " OR ", empty: false, of: entity)
        case .invalid(let column, let message):
            return "\(entity.attributes[column].nameInText) == <\(message)>"
        }
    }

    private static func joined(
        _ parts: [FilterNode], by word: String, empty: Bool, of entity: EntitySchema
    ) -> String {
        guard let first = parts.first else { return String(empty) }
        if parts.count == 1 { return first.text(of: entity) }
        return parts.map { $0.operandText(of: entity) }.joined(separator: word)
    }

    /// The text, in parentheses where AND, OR and NOT would tear it apart.
    private func operandText(of entity: EntitySchema) -> String {
        switch self {
        case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
            parts[0].operandText(of: entity)
        case .all(let parts) where parts.count > 1, .any(let parts) where parts.count > 1:
            "(\(text(of: entity)))"
        case .always, .compare, .isIn, .text, .not, .all, .any, .invalid: text(of: entity)
        }
    }
}

extension TextTest.Kind {
    /// The word for the test in the text form.
    fileprivate var word: String {
        switch self {
        case .contains: "CONTAINS"
        case .hasPrefix: "BEGINSWITH"
        case .hasSuffix: "ENDSWITH"
        case .equals: "EQUALS"
        }
    }
}

extension AttributeSchema {
    /// The name as the text form writes it: in backticks where it is a keyword or holds odd characters.
    var nameInText: String {
        let scalars = name.unicodeScalars
        let isPlain = scalars.first?.beginsName == true && scalars.allSatisfy(\.isPartOfName)
        if isPlain && TextKeyword(name) == nil { return name }
        var quoted = "`"
        for scalar in scalars {
            quoted.unicodeScalars.append(scalar)
            if scalar == "`" { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "`"
    }
}

extension Constant {
    /// The value as the text form writes it for attributes of a type.
    fileprivate func text(of type: AttributeType) -> String {
        switch (self, type) {
        case (.null, _): return "nil"
        case (.integer(let value), .bool) where value == 0 || value == 1: return String(value == 1)
        case (.integer(let value), .itemID): return "\"\(ItemIDText.text(of: value))\""
        case (.integer(let value), _): return String(value)
        case (.unsigned(let value), _): return String(value)
        case (.real(let value), .date): return DateText.text(value)?.quotedForText ?? String(value)
        case (.real(let value), .float): return Float(exactly: value)?.description ?? String(value)
        case (.real(let value), _): return String(value)
        case (.text(let text), _): return text.quotedForText
        case (.decimal(let text), _): return text
        case (.blob(let bytes), .uuid):
            let uuid = withCell { UUID.decode($0) }
            return uuid?.uuidString.quotedForText ?? "x'\(bytes.hexadecimal)'"
        case (.blob(let bytes), _): return "x'\(bytes.hexadecimal)'"
        }
    }
}

extension [UInt8] {
    private static let digits = Array("0123456789abcdef".utf8)

    fileprivate var hexadecimal: String {
        String(decoding: flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension String {
    /// The text in quotes, with escapes for what would end it or could not be seen.
    fileprivate var quotedForText: String {
        var quoted = "\"".unicodeScalars
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)".unicodeScalars
            case "\n": quoted += "\\n".unicodeScalars
            case "\r": quoted += "\\r".unicodeScalars
            case "\t": quoted += "\\t".unicodeScalars
            case "\0": quoted += "\\0".unicodeScalars
            default:
                let isHidden = scalar.properties.generalCategory == .control
                quoted +=
                    isHidden
                    ? "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars : "\(scalar)".unicodeScalars
            }
        }
        return String(quoted) + "\""
    }
}
