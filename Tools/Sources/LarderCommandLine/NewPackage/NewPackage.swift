import ArgumentParser

/// The files of a package that stores items, as `larder new` makes it.
struct NewPackage {
    enum Engine: String, CaseIterable, Sendable, ExpressibleByArgument {
        case sqlite
        case lmdb
        case memory
        case postgresql
    }

    /// The place from which the package gets Larder.
    enum Source {
        case folder(String)
        case repository(String)
    }

    let name: String
    let engine: Engine
    let larder: Source

    /// The files by their paths in the package's folder.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest), (".gitignore", ".build/\n*.sqlite*\n*.lmdb*\n"),
            ("Sources/\(name)/App.swift", Self.app), ("Sources/\(name)/Items.swift", Self.items),
            ("Sources/\(name)/Store.swift", store), ("Tests/\(name)Tests/ItemTests.swift", tests),
        ]
    }

    /// The reason why a package cannot have this name; nil if it can.
    static func problem(withName name: String) -> String? {
        let isLetter: (Character) -> Bool = { $0.isASCII && $0.isLetter }
        let isName = name.allSatisfy { isLetter($0) || ($0.isASCII && $0.isNumber) || $0 == "_" }
        guard let first = name.first, isLetter(first), isName else {
            return """
                "\(name)" cannot be a module of Swift. Use letters, digits and _, with a letter in front.
                """
        }
        if name.utf8.count > 100 { return "The name has \(name.utf8.count) letters. Use at most 100." }
        let lower = name.lowercased()
        if lower.hasPrefix("larder") || taken.contains(lower) {
            return "\"\(name)\" is a word of Swift, or a name that the package uses. Choose another name."
        }
        return nil
    }

    /// The modules and types in the package, and the keywords that a module cannot be called by, in lower case.
    private static let taken: Set<String> = [
        "any", "app", "as", "author", "book", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
        "for", "foundation", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
        "itemtests", "let", "logging", "nil", "operator", "package", "packagedescription",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "swift", "switch", "testing", "throw", "throws", "true",
        "try", "type", "typealias", "var", "where", "while", "xctest",
    ]

    /// The product of Larder with the engine.
    private var product: String {
        switch engine {
        case .sqlite: "LarderSQLite"
        case .lmdb: "LarderLMDB"
        case .memory: "LarderMemory"
        case .postgresql: "LarderPostgreSQL"
        }
    }
}

// MARK: The texts

extension NewPackage {
    private var dependency: String {
        let traits = engine == .postgresql ? #", traits: ["Macros", "PostgreSQL"]"# : ""
        return switch larder {
        case .folder(let path): ".package(name: \"larder\", path: \(literal(path))\(traits))"
        case .repository(let url):
            // No version can be named before the first release.
            ".package(url: \(literal(url)), branch: \"main\"\(traits))"
        }
    }

    /// The name by which the package names Larder's: the last part of its address, unless it has been given one.
    private var larderName: String {
        switch larder {
        case .folder: return "larder"
        case .repository(let url):
            let last = url.split(separator: "/").last.map { String($0) } ?? "larder"
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }
    }

    private func literal(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }

    private var manifest: String {
        #"""
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\#(name)",
            platforms: [.macOS(.v13)],
            dependencies: [
                \#(dependency)
            ],
            targets: [
                .executableTarget(
                    name: "\#(name)",
                    dependencies: [
                        .product(name: "Larder", package: \#(literal(larderName))),
                        .product(name: "\#(product)", package: \#(literal(larderName))),
                    ]),
                .testTarget(
                    name: "\#(name)Tests",
                    dependencies: [
                        "\#(name)",
                        .product(name: "Larder", package: \#(literal(larderName))),
                        .product(name: "LarderTesting", package: \#(literal(larderName))),
                    ]),
            ]
        )

        """#
    }

    private static let items = #"""
        import Larder

        /// An author; the books that refer to it go with it.
        @StoredItem
        struct Author {
            @Unique var name: String
            @Relationship(deleteRule: .cascade, inverse: \Book.author)
            var books: ToMany<Book>
        }

        /// A book, which has one author.
        @StoredItem
        struct Book {
            @Indexed var title: String
            var year: Int
            var author: ToOne<Author>
        }

        /// Everything that the store keeps.
        let itemTypes: [any DataStoreItem.Type] = [Author.self, Book.self]

        """#

    private static let app = #"""
        import Foundation
        import Larder

        @main
        struct App {
            static func main() async throws {
                let store = try openStore(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))

                // Write. A block is stored as a whole when it ends; a throw undoes all of it.
                try await store.writeAsync { accessor in try addFirstBooks(with: accessor) }

                // Read. Items are values: they never change by themselves.
                print("Jane Austen:", try titles(of: "Jane Austen", in: store))

                // Follow a list: it comes at once, and again after each change.
                let books = Book.all.sorted(by: \.title)
                var isNew = true
                for try await books in store.values(of: books) {
                    print("\(books.count) books:", books.map(\.title).joined(separator: ", "))
                    if !isNew { break }
                    isNew = false
                    try await store.writeAsync { accessor in try addVolume(books.count + 1, with: accessor) }
                }
                try store.tearDown()
            }
        }

        /// Inserts an author with two books, unless the store has authors already.
        func addFirstBooks(with accessor: DataStoreReadWriteAccessor) throws {
            if try accessor.countItems(for: Author.all) > 0 { return }
            let author = try accessor.insert(Author(name: "Jane Austen"))
            try accessor.insert(Book(title: "Persuasion", year: 1817, author: ToOne(author)))
            try accessor.insert(Book(title: "Emma", year: 1815, author: ToOne(author)))
        }

        /// Inserts a book of the first author.
        func addVolume(_ number: Int, with accessor: DataStoreReadWriteAccessor) throws {
            guard let author = try accessor.firstItem(for: Author.all.sorted(by: \.name)) else { return }
            try accessor.insert(Book(title: "Volume \(number)", year: 2000 + number, author: ToOne(author)))
        }

        /// The titles of an author's books, by year.
        func titles(of name: String, in store: any DataStore) throws -> [String] {
            try store.read { accessor in
                try accessor.items(for: Book.where(\.author.name == name).sorted(by: \.year)).map(\.title)
            }
        }

        """#

    private var tests: String {
        #"""
        import Larder
        import LarderTesting
        import Testing

        @testable import \#(name)

        /// Each test has a store of its own, in memory: it keeps the same rules as every engine.
        struct ItemTests {
            let store: TemporaryStore

            init() throws {
                store = try TemporaryStore(storing: itemTypes)
                try store.writeSync { try addFirstBooks(with: $0) }
            }

            @Test func `the books of an author are listed by year`() throws {
                #expect(try titles(of: "Jane Austen", in: store) == ["Emma", "Persuasion"])
            }

            @Test func `the books of an author go with it`() throws {
                try store.writeSync { try $0.deleteItems(for: Author.all) }

                #expect(try store.read { try $0.countItems(for: Book.all) } == 0)
            }
        }

        """#
    }

    /// The one file that names the engine.
    private var store: String {
        switch engine {
        case .sqlite: fileStore("SQLiteDataStore", "sqlite")
        case .lmdb: fileStore("LMDBDataStore", "lmdb")
        case .memory:
            #"""
            import Foundation
            import Larder
            import LarderMemory

            /// Opens a new store in memory, which ends with the program.
            func openStore(in folder: URL) throws -> any DataStore {
                let store: any DataStore = MemoryDataStore(storing: itemTypes)
                try store.setup()
                return store
            }

            """#
        case .postgresql:
            #"""
            import Foundation
            import Larder
            import LarderPostgreSQL

            /// Opens the store on the server that the environment names; it is made if there is none.
            func openStore(in folder: URL) throws -> any DataStore {
                let address = ProcessInfo.processInfo.environment["DATABASE"] ?? "postgresql://localhost/postgres"
                let store: any DataStore = PostgreSQLDataStore(
                    connection: try PostgreSQLConnection(address), schema: "\#(name.lowercased())", storing: itemTypes)
                try store.setup()
                return store
            }

            """#
        }
    }

    private func fileStore(_ type: String, _ ending: String) -> String {
        #"""
        import Foundation
        import Larder
        import \#(product)

        /// Opens the store in a folder; it is made if there is none.
        func openStore(in folder: URL) throws -> any DataStore {
            let file = folder.appendingPathComponent("\#(name).\#(ending)")
            let store: any DataStore = \#(type)(at: file, storing: itemTypes)
            try store.setup()
            return store
        }

        """#
    }
}
