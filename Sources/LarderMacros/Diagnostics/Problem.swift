#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    /// A problem at one place of the source, as a sentence that says what to do.
    struct Problem: DiagnosticMessage {
        let name: String
        let message: String
        let severity: DiagnosticSeverity

        init(_ name: String, _ message: String, severity: DiagnosticSeverity = .error) {
            self.name = name
            self.message = message
            self.severity = severity
        }

        var diagnosticID: MessageID { MessageID(domain: "LarderMacros", id: name) }

        func diagnostic(at node: some SyntaxProtocol, fixIts: [FixIt?] = []) -> Diagnostic {
            Diagnostic(node: node, message: self, fixIts: fixIts.compactMap(\.self))
        }
    }

    /// The text of a change that the editor offers.
    struct Repair: FixItMessage {
        let message: String

        init(_ message: String) {
            self.message = message
        }

        var fixItID: MessageID { MessageID(domain: "LarderMacros", id: message) }
    }

#endif
