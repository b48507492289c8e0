import Foundation
import Testing

@testable import AdapterTestSupport

/// The code in doc comments is code: it compiles with what an app imports.
@Suite(.enabled(if: Compiler.isThere))
struct DocExampleTests {
    private static let folders: [String] = {
        let folders = ["Sources", "Adapters/LMDB", "Adapters/Memory", "Adapters/SQLite"]
        // Its module is empty in a build without it.
        #if PostgreSQL
            return folders + ["Adapters/PostgreSQL"]
        #else
            return folders
        #endif
    }()

    @Test func `every example of a public declaration compiles`() throws {
        let examples = try Self.folders.flatMap { try DocExample.all(below: $0) }
        #expect(examples.count > 200)

        try withCompiler { compiler in
            let complaints = try compiler.complaints(about: examples)

            #expect(complaints == [])
        }
    }

    @Test func `an example that does not compile is named by its file and line`() throws {
        let example = DocExample(
            file: "Sources/Larder/Some.swift", line: 7, code: ["let a = 1", "let b: String = a"])

        try withCompiler { compiler in
            let complaints = try compiler.complaints(about: [example])

            let text = "cannot convert value of type 'Int' to specified type 'String'"
            #expect(complaints == ["Sources/Larder/Some.swift:8: \(text)"])
        }
    }

    @Test func `fenced text and comments of what is not public are no examples`() {
        let text = """
            /// A.
            ///
            /// ```text
            ///
            ///     not Swift
            /// ```
            public struct A {}
            /// B.
            ///
            ///     b()
            package struct B {}
            /// C.
            ///
            ///     c()
            ///
            ///     d()
            @available(macOS 14, *)
            public struct C {}
            /// D.
            ///
            ///     e()
            @attached(
                member,
                names: named(encode(to:))
            )
            @freestanding(expression) public macro D()
            /// E.
            ///
            ///     f()
            @available(
                *, noasync
            )
            package func e() {}
            public func f() {}
            """
        let examples = DocExample.examples(in: text, of: "A.swift")

        #expect(examples.map(\.code) == [["c()", "", "d()"], ["e()"]])
        #expect(examples.map(\.line) == [14, 21])
    }
}
