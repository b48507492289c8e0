#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    /// The arguments of `@StoredItem`.
    struct StoredItemArguments {
        private(set) var entityName: ExprSyntax?
        /// The literal after `originalName:`; nil also if that is spelled `nil`.
        private(set) var originalName: ExprSyntax?
        private(set) var indexes: [CompoundList] = []
        private(set) var uniques: [CompoundList] = []
        private(set) var problems: [Diagnostic] = []

        init(_ attribute: AttributeSyntax) {
            for argument in attribute.argumentList {
                switch argument.label?.text {
                case nil: readEntityName(argument.expression)
                case "originalName": readOriginalName(argument.expression)
                case "indexes": indexes = readLists(argument.expression, mark: .indexed)
                case "uniques": uniques = readLists(argument.expression, mark: .unique)
                // The compiler already reports any other label.
                case .some: break
                }
            }
        }

        private mutating func readEntityName(_ expression: ExprSyntax) {
            guard !expression.is(NilLiteralExprSyntax.self) else { return }
            if let name = expression.literalText, !name.isEmpty {
                entityName = expression.trimmed
            } else {
                problems.append(Problem.entityName.diagnostic(at: expression))
            }
        }

        private mutating func readOriginalName(_ expression: ExprSyntax) {
            guard !expression.is(NilLiteralExprSyntax.self) else { return }
            if let name = expression.literalText, !name.isEmpty {
                originalName = expression.trimmed
            } else {
                problems.append(Problem.originalNameIsNotLiteral.diagnostic(at: expression))
            }
        }

        private mutating func readLists(_ expression: ExprSyntax, mark: PropertyMark) -> [CompoundList] {
            guard let lists = expression.as(ArrayExprSyntax.self) else {
                problems.append(Problem.listIsNotLiteral.diagnostic(at: expression))
                return []
            }
            return lists.elements.compactMap { readList($0, mark: mark) }
        }

        private mutating func readList(_ element: ArrayElementSyntax, mark: PropertyMark) -> CompoundList? {
            guard let list = element.expression.as(ArrayExprSyntax.self) else {
                problems.append(Problem.listIsNotLiteral.diagnostic(at: element.expression))
                return nil
            }
            var names: [CompoundList.Name] = []
            for member in list.elements {
                guard let text = member.expression.literalText else {
                    problems.append(Problem.listIsNotLiteral.diagnostic(at: member.expression))
                    return nil
                }
                names.append(CompoundList.Name(text, element: member))
            }
            return CompoundList(mark: mark, names: names, element: element)
        }
    }

    /// One list of property names in `indexes:` or `uniques:`.
    struct CompoundList {
        /// One name of the list and its place.
        struct Name {
            /// The name of a property.
            let text: String
            /// The comparison of its texts: `[c]`, `[d]` or `[cd]`; empty for the exact one.
            let flags: String
            let element: ArrayElementSyntax

            init(_ text: String, element: ArrayElementSyntax) {
                flags = ["[c]", "[d]", "[cd]"].first { text.hasSuffix($0) } ?? ""
                self.text = String(text.dropLast(flags.count))
                self.element = element
            }

            var literal: ExprSyntax { element.expression }

            /// The name with its flags.
            var spelling: String { text + flags }
        }

        /// `.unique` in `uniques:`, otherwise `.indexed`.
        let mark: PropertyMark
        let names: [Name]
        let element: ArrayElementSyntax

        /// The names with their flags.
        var texts: [String] { names.map(\.spelling) }
    }

#endif
