#if Macros

    import SwiftSyntax

    extension TypeSyntax {
        /// `T` if this is `T?`, `Optional<T>` or `Swift.Optional<T>`.
        var wrappedInOptional: TypeSyntax? {
            if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
            guard lastName == "Optional" else { return nil }
            return genericArguments.first
        }

        /// True if this is `T?`, `T!` or `Optional<T>`.
        var isOptional: Bool {
            wrappedInOptional != nil || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        }

        /// `Name` if this is `Name`, `Module.Name` or `Name<…>`.
        var lastName: String? {
            self.as(IdentifierTypeSyntax.self)?.name.plainText
                ?? self.as(MemberTypeSyntax.self)?.name.plainText
        }

        /// The types in angle brackets after the last name.
        var genericArguments: [TypeSyntax] {
            let clause =
                self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
                ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
            return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
        }

        /// The type without optionals, type attributes and parentheses around it.
        var core: TypeSyntax {
            if let wrapped = wrappedInOptional { return wrapped.core }
            if let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
                return unwrapped.wrappedType.core
            }
            if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.core }
            if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
                let only = tuple.elements.first
            {
                return only.type.core
            }
            return self
        }

        /// True if the spelling alone shows a type that no index can hold.
        var isNotIndexable: Bool {
            core.is(ArrayTypeSyntax.self) || core.is(DictionaryTypeSyntax.self)
                || ["Data", "Decimal", "Duration", "Array", "Set", "Dictionary"].contains(core.lastName)
        }

        /// True if the spelling alone shows a type without texts.
        var isNoText: Bool {
            let names = [
                "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
                "Bool",
                "Double", "Float", "Date", "UUID", "URL", "ItemID",
            ]
            return core.lastName.map(names.contains) ?? false
        }

        /// True if a part of this is the member type of a struct, with or without the struct before it.
        func names(_ member: String, of owner: String) -> Bool {
            tokens(viewMode: .sourceAccurate).contains { token in
                guard token.plainText == member else { return false }
                let dot = token.previousToken(viewMode: .sourceAccurate)
                guard let dot, dot.tokenKind == .period else { return true }
                let base = dot.previousToken(viewMode: .sourceAccurate)?.plainText
                return base == "Self" || base == owner
            }
        }

        /// `T.self`, in the form that parses for every type.
        var metatype: String { "\(spellingBeforeSuffix).self" }

        /// `T?`, in the form that parses for every type; for `T!` too.
        var spelledOptional: String {
            let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType ?? self
            return "\(unwrapped.spellingBeforeSuffix)?"
        }

        /// The spelling in parentheses if a suffix would belong to a part of the type alone.
        private var spellingBeforeSuffix: String {
            let isSimple =
                !self.is(SomeOrAnyTypeSyntax.self) && !self.is(CompositionTypeSyntax.self)
                && !self.is(FunctionTypeSyntax.self) && !self.is(AttributedTypeSyntax.self)
            return isSimple ? trimmedDescription : "(\(trimmedDescription))"
        }

        /// The type as it must be spelled in a type inside the struct, in which `Self` would be that type.
        func replacingSelf(by name: String) -> TypeSyntax {
            TypeSyntax(SelfReplacer(name: name).rewrite(self)) ?? self
        }
    }

    /// Replaces `Self` by the name of the struct.
    private final class SelfReplacer: SyntaxRewriter {
        private let name: String

        init(name: String) {
            self.name = name
        }

        override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
            guard node.name.tokenKind == .keyword(.Self) else { return super.visit(node) }
            var replaced = node
            replaced.name = .identifier(
                name, leadingTrivia: node.leadingTrivia, trailingTrivia: node.trailingTrivia)
            return TypeSyntax(replaced)
        }
    }

#endif
