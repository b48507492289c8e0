package import LarderKernel

extension FilterNode {
    /// The filter that a text describes; ``Filter/init(text:)`` says how texts are written.
    ///
    /// - Parameter entity: The number of the item type that the filter is about.
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType`, `.invalidValue`.
    package init(text: String, of entity: Int, in schema: StoreSchema) throws(DataStoreError) {
        try self.init(text: text, arguments: nil, of: entity, in: schema)
    }

    /// - Parameter values: The values for `%@` and `%K`.
    package init(
        text: String, arguments values: [(any AttributeStorable)?]?, of entity: Int, in schema: StoreSchema
    ) throws(DataStoreError) {
        var source = SourceText(text: text, schema: schema, root: entity)
        source.arguments = values?.map(TextArgument.init)
        var parser = try FilterParser(source)
        self = try parser.filter()
    }

    /// The filter as the text that describes it; reading it gives the same filter back.
    ///
    /// A list of one is written as its element, and an empty list as its meaning. A mistake is written as a
    /// message that cannot be parsed.
    package func text(of entity: Int, in schema: StoreSchema) -> String {
        var text = ""
        write(to: &text, of: entity, in: schema, isOperand: false)
        return text
    }

    /// - Parameter isOperand: True if it is in a list or after a NOT, so that a list in it needs parentheses.
    fileprivate func write(
        to text: inout String, of number: Int, in schema: StoreSchema, isOperand: Bool
    ) {
        let entity = schema.entities[number]
        switch self {
        case .always(let value): text += String(value)
        case .compare(let column, let comparison, let constant):
            text += entity.attributes[column].text(comparison.rawValue, constant)
        case .isIn(let column, let constants): text += entity.attributes[column].text(isIn: constants)
        case .text(let column, let test):
            text += entity.attributes[column].text(test.operatorText, test.needle)
        case .pattern(let column, let test):
            text += entity.attributes[column].text(
                (test.syntax == .like ? "LIKE" : "MATCHES") + test.flags, .text(test.pattern))
        case .calculated(let left, let comparison, let right):
            let (left, right) = (left.text(of: number, in: schema), right.text(of: number, in: schema))
            text += "\(left) \(comparison.rawValue) \(right)"
        case .not(let inner):
            text += "NOT "
            inner.write(to: &text, of: number, in: schema, isOperand: true)
        case .all(let parts) where parts.isEmpty: text += "true"
        case .all(let parts): write(parts, joinedBy: " AND ", to: &text, of: number, in: schema, isOperand)
        case .any(let parts) where parts.isEmpty: text += "false"
        case .any(let parts): write(parts, joinedBy: " OR ", to: &text, of: number, in: schema, isOperand)
        case .mistake(let mistake):
            if let column = mistake.column { text += "\(entity.attributes[column].nameInText) == " }
            text += "<\(mistake.message)>"
        case .related, .relatedCount: writeRelated(to: &text, of: number, in: schema)
        }
    }

    private func write(
        _ parts: [FilterNode], joinedBy word: String, to text: inout String, of number: Int,
        in schema: StoreSchema, _ isOperand: Bool
    ) {
        let isList = parts.count > 1
        if isList && isOperand { text += "(" }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += word }
            part.write(to: &text, of: number, in: schema, isOperand: isList || isOperand)
        }
        if isList && isOperand { text += ")" }
    }
}

// MARK: Calculations

extension ValueNode {
    /// The value as the text form writes it; a nested one gets parentheses.
    fileprivate func text(of number: Int, in schema: StoreSchema) -> String {
        switch self {
        case .attribute(let place): return place.names(from: number, in: schema)
        case .constant(let constant, let type): return constant.text(of: type)
        case .negative(let inner):
            if case .attribute = inner { return "-" + inner.text(of: number, in: schema) }
            return "-(\(inner.text(of: number, in: schema)))"
        case .arithmetic(let sign, let left, let right):
            let left = left.operandText(of: number, in: schema)
            return "\(left) \(sign.rawValue) \(right.operandText(of: number, in: schema))"
        case .mistake(let mistake): return "<\(mistake.message)>"
        }
    }

    private func operandText(of number: Int, in schema: StoreSchema) -> String {
        let text = text(of: number, in: schema)
        if case .arithmetic = self { return "(\(text))" }
        return text
    }
}

extension AttributePlace {
    /// The names of the references and of the attribute as the text form writes them, with dots between them.
    func names(from number: Int, in schema: StoreSchema) -> String {
        var names: [String] = []
        var number = number
        for reference in path {
            guard let relationship = try? schema.relationship(reference, of: number) else { continue }
            names.append(relationship.propertyName.nameInText)
            number = relationship.target
        }
        names.append(schema.entities[number].attributes[column].nameInText)
        return names.joined(separator: ".")
    }
}

// MARK: Related items

extension FilterNode {
    /// Writes a test of related items: the quantifier, the names, and the test after a dot or in parentheses.
    private func writeRelated(to text: inout String, of number: Int, in schema: StoreSchema) {
        var names: [String] = []
        var test = self
        var number = number
        while case .related(let reference, .reference, let inner) = test {
            guard let relationship = try? schema.relationship(reference, of: number) else { break }
            names.append(relationship.propertyName.nameInText)
            number = relationship.target
            test = inner
        }
        var isAfterDot = test.isTestOfAttribute
        if case .related(let reference, let quantifier, let inner) = test,
            let relationship = try? schema.relationship(reference, of: number)
        {
            text += quantifier.word
            names.append(relationship.propertyName.nameInText)
            number = relationship.target
            test = inner
            // A path of references to the attribute may follow what has several items.
            isAfterDot =
                relationship.kind.isToMany ? inner.isAtEndOfReferences : inner.isTestOfAttribute
        } else if case .relatedCount(let reference, let comparison, let count) = test {
            let name =
                (try? schema.relationship(reference, of: number))?.propertyName.nameInText ?? "<unknown>"
            text += (names + [name, "@count"]).joined(separator: ".") + " \(comparison.rawValue) \(count)"
            return
        }
        text += names.joined(separator: ".") + (isAfterDot ? "." : " (")
        test.write(to: &text, of: number, in: schema, isOperand: isAfterDot)
        if !isAfterDot { text += ")" }
    }

    /// True if it is written with the name of an attribute in front.
    private var isTestOfAttribute: Bool {
        switch self {
        case .compare, .isIn, .text, .pattern: true
        case .always, .calculated, .not, .all, .any, .related, .relatedCount, .mistake: false
        }
    }

    /// True if it is one test of an attribute, perhaps after references.
    private var isAtEndOfReferences: Bool {
        if case .related(_, .reference, let inner) = self { return inner.isAtEndOfReferences }
        return isTestOfAttribute
    }
}

extension FilterNode.Quantifier {
    /// The word before a relationship, with the space after it.
    fileprivate var word: String {
        switch self {
        case .any: "ANY "
        case .all: "ALL "
        case .none: "NONE "
        case .reference: ""
        }
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
            case .less, .lessOrEqual, .greater, .greaterOrEqual: kind.rawValue
            }
        return word + flags
    }
}

extension String {
    /// A name as the text form writes it: in backticks if it is a keyword or holds odd characters.
    var nameInText: String {
        let scalars = unicodeScalars
        let isPlain = scalars.first?.beginsName == true && scalars.allSatisfy(\.isPartOfName)
        if isPlain && TextKeyword(self) == nil { return self }
        var quoted = "`"
        for scalar in scalars {
            quoted.unicodeScalars.append(scalar)
            if scalar == "`" { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "`"
    }
}

extension AttributeSchema {
    /// The name as the text form writes it.
    var nameInText: String { propertyName.nameInText }

    /// A comparison of the attribute with a value.
    fileprivate func text(_ operatorText: String, _ constant: Constant) -> String {
        "\(nameInText) \(operatorText) \(constant.text(of: type))"
    }

    /// A test whether the attribute is one of these.
    fileprivate func text(isIn constants: [Constant]) -> String {
        "\(nameInText) IN {\(constants.map { $0.text(of: type) }.joined(separator: ", "))}"
    }
}
