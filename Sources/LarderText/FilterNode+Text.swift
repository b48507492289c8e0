package import Larder

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
    /// A list of one is written as its element, and an empty list as its meaning. `.invalid` is written as a
    /// message that cannot be parsed.
    package func text(of entity: EntitySchema) -> String {
        var text = ""
        write(to: &text, of: entity, isOperand: false)
        return text
    }

    /// - Parameter isOperand: True if it is in a list or after a NOT, where a list needs parentheses.
    private func write(to text: inout String, of entity: EntitySchema, isOperand: Bool) {
        switch self {
        case .always(let value): text += String(value)
        case .compare(let column, let comparison, let constant):
            text += entity.attributes[column].text(comparison.rawValue, constant)
        case .isIn(let column, let constants): text += entity.attributes[column].text(isIn: constants)
        case .text(let column, let test):
            text += entity.attributes[column].text(test.operatorText, test.needle)
        case .not(let inner):
            text += "NOT "
            inner.write(to: &text, of: entity, isOperand: true)
        case .all(let parts) where parts.isEmpty: text += "true"
        case .all(let parts):
            Self.write(parts, joinedBy: " AND ", to: &text, of: entity, isOperand: isOperand)
        case .any(let parts) where parts.isEmpty: text += "false"
        case .any(let parts):
            Self.write(parts, joinedBy: " OR ", to: &text, of: entity, isOperand: isOperand)
        case .invalid(let column, let message):
            text += "\(entity.attributes[column].nameInText) == <\(message)>"
        case .related, .relatedCount: text += "<a test of related items>"
        case .tooDeep(let depth): text += "<\(Self.tooDeepMessage(depth))>"
        }
    }

    private static func write(
        _ parts: [FilterNode], joinedBy word: String, to text: inout String, of entity: EntitySchema,
        isOperand: Bool
    ) {
        let isList = parts.count > 1
        if isList && isOperand { text += "(" }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += word }
            part.write(to: &text, of: entity, isOperand: isList || isOperand)
        }
        if isList && isOperand { text += ")" }
    }
}

extension TextTest {
    /// The operator for the test in the text form.
    fileprivate var operatorText: String {
        let word =
            switch kind {
            case .contains: "CONTAINS"
            case .hasPrefix: "BEGINSWITH"
            case .hasSuffix: "ENDSWITH"
            case .equals: "EQUALS"
            }
        return ignoresCase ? word + "[c]" : word
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

    /// A comparison of the attribute with a value.
    fileprivate func text(_ operatorText: String, _ constant: Constant) -> String {
        "\(nameInText) \(operatorText) \(constant.text(of: type))"
    }

    /// A test whether the attribute is one of these.
    fileprivate func text(isIn constants: [Constant]) -> String {
        "\(nameInText) IN {\(constants.map { $0.text(of: type) }.joined(separator: ", "))}"
    }
}
