#if Macros

    import SwiftSyntax

    /// The visibility of a declaration, least visible first.
    enum AccessLevel: String, CaseIterable, Comparable {
        case `private`
        case `fileprivate`
        case `internal`
        case `package`
        case `public`

        /// The level that the modifiers spell out; `private(set)` does not affect reading.
        init?(_ modifiers: DeclModifierListSyntax) {
            let levels = modifiers.filter { $0.detail == nil }.compactMap {
                AccessLevel(rawValue: $0.name.text)
            }
            guard let level = levels.first else { return nil }
            self = level
        }

        /// The level of members that should be visible wherever the struct is: no higher than any enclosing
        /// type's, or Swift refuses them in an extension.
        static func ofMembers(in structure: StructDeclSyntax, lexicalContext: [Syntax]) -> AccessLevel {
            var lowest = AccessLevel.public
            var level = AccessLevel(structure.modifiers)
            for context in lexicalContext {
                if let enclosing = context.as(ExtensionDeclSyntax.self) {
                    level = level ?? AccessLevel(enclosing.modifiers)
                } else if let enclosing = context.asProtocol((any DeclGroupSyntax).self) {
                    lowest = min(lowest, level ?? .internal)
                    level = AccessLevel(enclosing.modifiers)
                }
            }
            return max(min(lowest, level ?? .internal), .fileprivate)
        }

        /// The modifier with a space after it; empty if Swift assumes the level anyway.
        var prefix: String {
            self == .internal ? "" : "\(rawValue) "
        }

        static func < (left: AccessLevel, right: AccessLevel) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int {
            switch self {
            case .private: 0
            case .fileprivate: 1
            case .internal: 2
            case .package: 3
            case .public: 4
            }
        }
    }

#endif
