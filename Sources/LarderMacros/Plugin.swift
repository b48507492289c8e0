#if Macros

    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plugin, which expands `@StoredItem` and its companions.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            StoredItemMacro.self, IndexedMacro.self, UniqueMacro.self, AttributeMacro.self,
            TransientMacro.self, RelationshipMacro.self,
        ]
    }

#else

    // Without the trait, swift-syntax is not resolved, but the target still has to link.
    @main
    struct Plugin {
        static func main() {}
    }

#endif
