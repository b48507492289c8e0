#if Macros

    import SwiftSyntax

    /// How far a declaration can be seen, least first.
    enum AccessLevel: String, CaseIterable, Comparable {
        case `private`
        case `fileprivate`
        case `internal`
        case `package`
        case `public`

        /// The level that the modifiers write out; `private(set)` says nothing about reading.
        init?(_ modifiers: DeclModifierListSyntax) {
            let levels = modifiers.filter { $0.detail == nil }.compactMap {
                AccessLevel(rawValue: $0.name.text)
            }
            guard let level = levels.first else { return nil }
            self = level
        }

        /// The level of a struct's members that are meant to be seen wherever the struct is: no higher than
        /// that of any type around it, or Swift refuses them in an extension.
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

        /// The modifier with a space after it; nothing where Swift assumes the level anyway.
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
