#if Macros

    package import SwiftSyntax
    package import SwiftSyntaxMacros

    /// The macro of a mark that `@StoredItem` reads; by itself it only checks the mark's place and arguments.
    package protocol PropertyMarkMacro: PeerMacro {
        static var mark: PropertyMark { get }
    }

    extension PropertyMarkMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            let place = MarkPlacement(
                mark: mark, declaration: DeclSyntax(declaration), lexicalContext: context.lexicalContext)
            if let problem = place.problem {
                context.diagnose(problem)
            }
            return []
        }
    }

    /// `@Indexed`.
    package struct IndexedMacro: PropertyMarkMacro {
        package static let mark = PropertyMark.indexed
    }

    /// `@Unique`.
    package struct UniqueMacro: PropertyMarkMacro {
        package static let mark = PropertyMark.unique
    }

    /// `@Attribute`.
    package struct AttributeMacro: PropertyMarkMacro {
        package static let mark = PropertyMark.attribute
    }

    /// `@Transient`.
    package struct TransientMacro: PropertyMarkMacro {
        package static let mark = PropertyMark.transient
    }

    /// `@Relationship`.
    package struct RelationshipMacro: PropertyMarkMacro {
        package static let mark = PropertyMark.relationship
    }

#endif
