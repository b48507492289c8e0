#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    // Two initializers are generated: one takes the properties, `id` first, and one takes a row. If Swift
    // adds a memberwise initializer itself, rows are decoded through that one. In any other initializer of a
    // struct of more than six machine words, Swift 6.3 copies the finished item and destroys the original,
    // with a retain and a release for each text. Swift adds none to a struct whose body declares any
    // initializer, so the initializers that are still needed are declared in the extension.
    //
    // A relationship without a column is not given by default, which Swift's initializer does not know unless
    // the property is written with `= .notGiven`. So the extension has an initializer with that default. If
    // `id` comes first, it would have the labels of Swift's initializer, which Swift refuses; a last parameter
    // without a label, always left out, makes it another one. Swift prefers its own initializer in a call that
    // fits both.
    //
    // The type of a parameter must be as visible as the initializer, and a property that is less visible than the item
    // may be of a hidden type. If all such properties have values by themselves, the item's initializer leaves them out,
    // and there is a further one for each level of access that they have.
    //
    // A default argument of a public initializer may name public declarations only, and the value of a property any.
    // So such a value, unless it is a literal, is in the body of a function that apps do not see.

    extension StoredItem {
        /// The initializers in the body of the struct.
        var initializersInStruct: [DeclSyntax] {
            guard !isDecodedMemberwise else { return [] }
            let (memberwise, values) = memberwiseInitializers
            let decodings =
                columns.map { "self.\($0.spelledName) = try \($0.decoding)" }
                + relationships.map { "self.\($0.spelledName) = try \($0.decoding)" }
            return memberwise + values + [initializerFromRow(decodings)]
        }

        /// The initializers in the extension, in addition to the one that Swift adds.
        var initializersInExtension: [DeclSyntax] {
            guard isDecodedMemberwise else { return [] }
            // If a property is declared twice, which Swift reports, one declaration is taken.
            let decodings = Dictionary(
                columns.map { ($0.spelledName, $0.decoding) }
                    + relationships.map { ($0.spelledName, $0.decoding) },
                uniquingKeysWith: { first, _ in first })
            let values = namesInOrder.compactMap { name in decodings[name].map { "\(name): \($0)" } }
            let decoding = "try self.init(\n        \(values.joined(separator: ",\n        ")))"
            return [initializerBesideSwifts, initializerFromRow([decoding])].compactMap(\.self)
        }

        /// True if Swift adds a memberwise initializer, as visible as the struct, that the extension can
        /// call.
        private var isDecodedMemberwise: Bool {
            let namesTypes = initializerBesideSwifts != nil || columns.contains { $0.fallback != nil }
            // The extension cannot name the types around a nested struct.
            return access <= .internal && (lexicalContext.isEmpty || !namesTypes)
                && declaredInitializers.isEmpty && !hasConditionalMembers && !hasInitAccessors
                && declaredProperties.allSatisfy { $0.access >= access && $0.isPlainParameter }
        }

        /// The initializer that Swift does not offer: with `id` as the first parameter, with a generated `id`, or
        /// without relationships.
        private var initializerBesideSwifts: DeclSyntax? {
            let isIdentifierFirst = namesInOrder.first == "id"
            if !isIdentifierFirst || parameters.contains(where: \.isNotGivenByDefault) {
                let arguments = namesInOrder.map { "\($0): \($0)" }.joined(separator: ", ")
                return initializer(
                    taking: [identifierParameter] + parameters.map { $0.parameter(in: access) }
                        + (isIdentifierFirst ? ["_: Void = ()"] : []),
                    ["self.init(\(arguments))"], in: access)
            }
            guard isIdentifierMade else { return nil }
            let arguments =
                ["id: \(identifierType)()"]
                + parameters.map { "\($0.spelledName): \($0.spelledName)" }
            return initializer(
                taking: parameters.map { $0.parameter(in: access) },
                ["self.init(\(arguments.joined(separator: ", ")))"], in: access)
        }

        /// The stored properties in the order of Swift's own initializer, in which the generated `id` is
        /// last.
        private var namesInOrder: [String] {
            declaredProperties.map(\.spelledName) + (identifier == nil ? ["id"] : [])
        }

        private var identifierParameter: String {
            "id: \(identifierType)" + (isIdentifierMade ? " = \(identifierType)()" : "")
        }

        /// The initializers that take properties, with the functions for their values; none if the app has written one that
        /// takes all.
        private var memberwiseInitializers: (initializers: [DeclSyntax], values: [DeclSyntax]) {
            if declaredInitializers.contains(["id"] + parameters.map(\.name)) { return ([], []) }
            let hidden = parameters.filter { attributeAccess(of: $0) < access }
            let levels =
                hidden.allSatisfy(\.hasOwnValue)
                ? Set(hidden.map { attributeAccess(of: $0) }).sorted(by: >) : []
            let taken =
                levels.isEmpty ? parameters : parameters.filter { attributeAccess(of: $0) >= access }
            let first = memberwiseInitializer(taking: taken, in: access)
            let further = levels.compactMap { level in
                memberwiseInitializer(
                    taking: parameters.filter { attributeAccess(of: $0) >= level }, in: level)
            }
            let values = first == nil ? [] : taken.compactMap { $0.defaultValue(in: access) }
            return ((first.map { [$0] } ?? []) + further, values)
        }

        /// The initializer that takes `id` and these parameters, and leaves the others their own values; nil if the
        /// struct declares it.
        private func memberwiseInitializer(
            taking taken: [StoredProperty], in level: AccessLevel
        ) -> DeclSyntax? {
            if declaredInitializers.contains(["id"] + taken.map(\.name)) { return nil }
            let names = Set(taken.map(\.name))
            let others = parameters.filter { !names.contains($0.name) && $0.initialValue == nil }
            let assignments =
                (["id"] + taken.map(\.spelledName)).map { "self.\($0) = \($0)" }
                + others.map {
                    "self.\($0.spelledName) = \($0.hasColumn ? "nil" : StoredProperty.valueNotGiven)"
                }
            return initializer(
                taking: [identifierParameter] + taken.map { $0.parameter(in: level) }, assignments, in: level)
        }

        private func initializer(
            taking parameters: [String], _ statements: [String], in level: AccessLevel
        ) -> DeclSyntax {
            // A call that fits both initializers then takes the one that is as visible as the item.
            let mark = level == access ? "" : "@_disfavoredOverload "
            let list = parameters.isEmpty ? "" : "\n    \(parameters.joined(separator: ",\n    "))\n"
            // So an app whose default isolation is the main actor can still make items anywhere.
            return """
                \(raw: mark)nonisolated \(raw: level.prefix)init(\(raw: list)) {
                    \(raw: statements.joined(separator: "\n    "))
                }
                """
        }

        private func initializerFromRow(_ statements: [String]) -> DeclSyntax {
            """
            nonisolated \(raw: access.prefix)init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError) {
                \(raw: statements.joined(separator: "\n    "))
            }
            """
        }

        private var declaredInitializers: [[String]] {
            let initializers = structure.memberBlock.members.compactMap {
                $0.decl.as(InitializerDeclSyntax.self)
            }
            return initializers.map { $0.signature.parameterClause.parameters.map(\.firstName.plainText) }
        }

        private var hasConditionalMembers: Bool {
            structure.memberBlock.members.contains { $0.decl.is(IfConfigDeclSyntax.self) }
        }

        /// True if Swift's initializer takes a computed property in place of those that its `init` accessor sets.
        private var hasInitAccessors: Bool {
            structure.memberBlock.members.contains { member in
                let bindings = member.decl.as(VariableDeclSyntax.self)?.bindings ?? []
                return bindings.contains { $0.hasInitAccessor }
            }
        }
    }

    extension StoredProperty {
        fileprivate func parameter(in access: AccessLevel) -> String {
            if defaultValue(in: access) != nil {
                return "\(spelledName): \(type) = Self._defaultValue(\(label): ())"
            }
            if let initialValue {
                // Swift takes a choice as the value of a property, and not as a default argument.
                let value =
                    initialValue.isBranching ? "{ () -> \(type) in \(initialValue) }()" : "\(initialValue)"
                return "\(spelledName): \(type) = \(value)"
            }
            if isNotGivenByDefault { return "\(spelledName): \(type) = \(Self.valueNotGiven)" }
            return "\(spelledName): \(type)" + (type.wrappedInOptional == nil ? "" : " = nil")
        }

        /// The name as the label of an argument, of which Swift wants only these three escaped.
        private var label: String {
            let isIdentifier = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            return isIdentifier && !["inout", "let", "var"].contains(name) ? name : spelledName
        }

        /// The function with the initial value, if that may name what is not public.
        fileprivate func defaultValue(in access: AccessLevel) -> DeclSyntax? {
            guard access == .public, let initialValue, !initialValue.isLiteral else { return nil }
            return """
                @usableFromInline nonisolated static func _defaultValue(\(raw: label): Void) -> \(type) {
                    \(initialValue)
                }
                """
        }

        /// True if a new item has a value of the property that the app did not give.
        fileprivate var hasOwnValue: Bool {
            initialValue != nil || type.wrappedInOptional != nil || !hasColumn
        }

        /// True if the property needs no value although its declaration gives none.
        fileprivate var isNotGivenByDefault: Bool { !hasColumn && initialValue == nil }

        /// True if the property is a parameter of Swift's own initializer: it has no wrapper, and it is `nil` by
        /// default if it is optional.
        fileprivate var isPlainParameter: Bool {
            // Swift warns about most backticks in the labels of a call, and needs the others.
            guard spelledName == name else { return false }
            let isNilByItself = type.is(OptionalTypeSyntax.self) && !isConstant
            let hasSameDefault = initialValue != nil || type.wrappedInOptional == nil || isNilByItself
            return hasSameDefault && declaration.attributes.allSatisfy { $0.isPropertyMark }
        }
    }

    extension Column {
        /// The value of the column in a row, without `try`.
        fileprivate var decoding: String {
            let fallback = fallback.map { ", fallback: \($0.trimmed)" } ?? ""
            return "row.value(at: \(number)\(fallback))"
        }
    }

#endif
