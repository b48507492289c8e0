#if Macros

    package import SwiftSyntax
    package import SwiftSyntaxMacros

    /// `@Indexed`: read by `@StoredItem`; by itself it only checks its place.
    package struct IndexedMacro: PeerMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            checkPlace(of: .indexed, on: declaration, in: context)
        }
    }

    /// `@Unique`: read by `@StoredItem`; by itself it only checks its place.
    package struct UniqueMacro: PeerMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            checkPlace(of: .unique, on: declaration, in: context)
        }
    }

    /// `@Attribute`: read by `@StoredItem`; by itself it only checks its place and its arguments.
    package struct AttributeMacro: PeerMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            checkPlace(of: .attribute, on: declaration, in: context)
        }
    }

    /// `@Transient`: read by `@StoredItem`; by itself it only checks its place.
    package struct TransientMacro: PeerMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            checkPlace(of: .transient, on: declaration, in: context)
        }
    }

    /// `@Relationship`: read by `@StoredItem`; by itself it only checks its place and its arguments.
    package struct RelationshipMacro: PeerMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            checkPlace(of: .relationship, on: declaration, in: context)
        }
    }

    extension PeerMacro {
        fileprivate static func checkPlace(
            of mark: PropertyMark,
            on declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) -> [DeclSyntax] {
            let place = MarkPlacement(
                mark: mark, declaration: DeclSyntax(declaration), lexicalContext: context.lexicalContext)
            if let problem = place.problem {
                context.diagnose(problem)
            }
            return []
        }
    }

#endif
