#if Macros

    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plugin: what `@StoredItem` and its companions expand to.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            StoredItemMacro.self, IndexedMacro.self, UniqueMacro.self, AttributeMacro.self,
            TransientMacro.self,
        ]
    }

#else

    // Without the trait nothing of swift-syntax is resolved, and the target still has to link.
    @main
    struct Plugin {
        static func main() {}
    }

#endif
