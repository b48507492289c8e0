#if Macros

    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacroExpansion
    import SwiftSyntaxMacros
    import SwiftSyntaxMacrosGenericTestSupport
    import Testing

    import LarderMacros

    let marks: [String: MacroSpec] = [
        "Indexed": MacroSpec(type: IndexedMacro.self),
        "Unique": MacroSpec(type: UniqueMacro.self),
        "Attribute": MacroSpec(type: AttributeMacro.self),
        "Transient": MacroSpec(type: TransientMacro.self),
        "Relationship": MacroSpec(type: RelationshipMacro.self),
    ]

    let allMacros = marks.merging(
        ["StoredItem": MacroSpec(type: StoredItemMacro.self, conformances: ["DataStoreItem"])]
    ) { $1 }

    /// What a test expects the macros to complain about.
    struct ExpectedProblem {
        let id: String
        let message: String
        let line: Int
        let column: Int
        let fixIts: [String]

        init(_ id: String, _ message: String, line: Int, column: Int, fixIt: String? = nil) {
            self.init(id, message, line: line, column: column, fixIts: [fixIt].compactMap(\.self))
        }

        init(_ id: String, _ message: String, line: Int, column: Int, fixIts: [String]) {
            self.id = id
            self.message = message
            self.line = line
            self.column = column
            self.fixIts = fixIts
        }

        var specification: DiagnosticSpec {
            DiagnosticSpec(
                id: MessageID(domain: "LarderMacros", id: id), message: message, line: line, column: column,
                fixIts: fixIts.map { FixItSpec(message: $0) })
        }
    }

    /// Expects the source to expand to exactly this, without a complaint.
    func expectExpansion(
        of source: String, to expanded: String, conformances: [TypeSyntax] = ["DataStoreItem"],
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        let storedItem = MacroSpec(type: StoredItemMacro.self, conformances: conformances)
        assertMacroExpansion(
            source, expandedSource: expanded, macroSpecs: marks.merging(["StoredItem": storedItem]) { $1 },
            failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
    }

    /// What the source expands to, for tests that look at some lines of it.
    func expansion(of source: String) -> String {
        expand(source).description
    }

    /// The warnings of a source that is expanded all the same.
    func warnings(of source: String) -> [String] {
        expand(source).context.diagnostics.filter { $0.diagMessage.severity == .warning }.map(\.message)
    }

    private func expand(_ source: String) -> (description: String, context: BasicMacroExpansionContext) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")])
        let expanded = file.expand(
            macroSpecs: allMacros,
            contextGenerator: { syntax in
                BasicMacroExpansionContext(
                    sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4))
        return (expanded.description, context)
    }

    /// Expects these complaints, no expansion besides them, and the source that the fix-its lead to.
    ///
    /// - Parameter fixIts: The fix-its to apply; by default all.
    func expectProblems(
        in source: String, _ problems: ExpectedProblem..., applying fixIts: [String]? = nil,
        fixed: String? = nil, macros: [String: MacroSpec] = allMacros,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        assertMacroExpansion(
            source, expandedSource: source.withoutAttributes(of: macros.keys),
            diagnostics: problems.map(\.specification), macroSpecs: macros, applyFixIts: fixIts,
            fixedSource: fixed,
            failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
    }

    extension String {
        /// The source as it is left when macros are expanded to nothing.
        fileprivate func withoutAttributes(of macros: some Sequence<String>) -> String {
            macros.reduce(self) { source, name in
                source.replacing(#/@(?:Larder\.)?(\w+)(?:\((?:[^()]|\([^()]*\))*\))?\s+/#) { match in
                    match.1 == name ? "" : String(match.0)
                }
            }
        }
    }

#endif
