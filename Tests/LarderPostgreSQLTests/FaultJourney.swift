#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The work of an app with a store on a server, from its first opening to a schema step, while the
    /// network may do harm once; and the states in which the store may be after each answer.
    ///
    /// *Rule:* used by one thread.
    final class FaultJourney {
        /// The result of a journey.
        struct Report: Sendable {
            /// The errors that the calls have thrown, in their order.
            var errors: [String] = []
            /// Everything that is not as the calls have said.
            var problems: [String] = []
        }

        private let world: PostgreSQLWorld
        private let connection: PostgreSQLConnection
        private let options: PostgreSQLOptions
        private let admin: ServerConnection
        private(set) var report = Report()
        /// One state, or two after a commit whose outcome is not known.
        private var states: [[Int64: Recipe]] = [[:]]

        /// - Parameters:
        ///   - connection: The way to the server that is harmed.
        ///   - world: The way to the server that is not.
        init(
            by connection: PostgreSQLConnection, in world: PostgreSQLWorld, _ options: PostgreSQLOptions
        ) throws {
            self.connection = connection
            self.world = world
            self.options = options
            admin = try ServerConnection(ServerHosts(world.connection, world.options, path: "test"))
        }

        /// Does all of the work.
        ///
        /// - Throws: An error that no harm explains.
        func run() throws {
            let store = try open(Self.history(ofVersions: 1), "the opening")
            write(store, "the first block", Self.insertTwo) { recipes in
                recipes[1] = Recipe(1)
                recipes[2] = Recipe(2)
            }
            write(store, "the second block", Self.changeThree) { recipes in
                recipes[1]?.rating = 5
                recipes[2] = nil
                recipes[3] = Recipe(3)
            }
            read(store)
            merge(into: store)
            insertTwin(into: store)
            // By now the harm is done, unless it is done to the schema step.
            try repeating("a block after all others") {
                _ = try store.writeSync { try $0.upsert(Recipe(6)) }
            }
            for number in states.indices { states[number][6] = Recipe(6) }
            read(store)
            try compare("id || '|' || name || '|' || rating::int || '|' || slug") { recipe in
                "\(recipe.id)|\(recipe.name)|\(Int(recipe.rating))|\(recipe.slug)"
            }
            try store.tearDown()

            let later = try open(Self.history(ofVersions: 2), "the schema step")
            var found: [LaterRecipe] = []
            try repeating("the new version") { found = try later.read { try $0.items(for: LaterRecipe.all) } }
            let expected = (states.first ?? [:]).values.sorted { $0.id < $1.id }.map { LaterRecipe($0) }
            if found != expected { note("the new version has \(found)") }
            try repeating("a block of the new version") {
                _ = try later.writeSync { try $0.upsert(LaterRecipe(Recipe(7))) }
            }
            for number in states.indices { states[number][7] = Recipe(7) }
            try compare("id || '|' || title || '|' || slug") { recipe in
                "\(recipe.id)|\(LaterRecipe(recipe).title)|\(recipe.slug)"
            }
            try later.tearDown()
            admin.close()
        }

        private func note(_ problem: String) { report.problems.append(problem) }
    }

    // MARK: Calls

    extension FaultJourney {
        /// The codes of the errors by which a call may answer to harm.
        private static let documented: Set<DataStoreError.Code> = [
            .connectionLost, .commitUncertain, .busy, .timedOut,
        ]

        /// Runs a body that the harm may meet, and returns the code of its error.
        private func attempt(_ name: String, _ body: () throws -> Void) -> DataStoreError.Code? {
            do {
                try body()
                return nil
            } catch {
                report.errors.append("\(name): \(error)")
                guard let code = (error as? DataStoreError)?.code, Self.documented.contains(code) else {
                    note("\(name): \(error)")
                    return .engine
                }
                return code
            }
        }

        /// Runs a body that does the same if it is run twice, until it succeeds.
        ///
        /// - Throws: The error of the last attempt.
        private func repeating(_ name: String, _ body: () throws -> Void) throws {
            let end = ContinuousClock.now + .seconds(20)
            while true {
                do {
                    return try body()
                } catch {
                    report.errors.append("\(name): \(error)")
                    let code = (error as? DataStoreError)?.code
                    guard let code, Self.documented.contains(code), ContinuousClock.now < end else {
                        throw error
                    }
                }
                usleep(10_000)
            }
        }

        /// Opens a store; the harm may meet it.
        private func open(_ history: SchemaHistory, _ name: String) throws -> any DataStore {
            let store = PostgreSQLDataStore(
                connection: connection, schema: world.schema, storing: history, options: options)
            try repeating(name) { try store.setup() }
            return store
        }

        private func write(
            _ store: any DataStore, _ name: String, _ block: (DataStoreReadWriteAccessor) throws -> Void,
            changing change: (inout [Int64: Recipe]) -> Void
        ) {
            let code = attempt(name) { try store.writeSync { try block($0) } }
            add(code, change)
        }

        /// Adds what a block has changed to the states, as its answer says.
        private func add(_ code: DataStoreError.Code?, _ change: (inout [Int64: Recipe]) -> Void) {
            var changed = states
            for number in changed.indices { change(&changed[number]) }
            if code == nil {
                states = changed
            } else if code == .commitUncertain {
                for state in changed where !states.contains(state) { states.append(state) }
            }
        }

        /// Two requests on one snapshot, which say which of the states it is.
        private func read(_ store: any DataStore) {
            var found: [Recipe] = []
            var count = -1
            let code = attempt("the reading block") {
                try store.read { accessor in
                    found = try accessor.items(for: Recipe.all)
                    count = try accessor.countItems(for: Recipe.all)
                }
            }
            if code != nil { return }
            if count != found.count { note("\(count) items were counted, and \(found.count) read") }
            var state: [Int64: Recipe] = [:]
            for recipe in found { state[recipe.id] = recipe }
            if !states.contains(state) { note("read \(found), not \(states)") }
            states = [state]
        }

        private func merge(into store: any DataStore) {
            let code = attempt("the merge") {
                let child = try store.makeChildDataStore()
                try child.writeSync { accessor in
                    try accessor.insert(Recipe(4))
                    try accessor.mutableItem(id: 1, of: Recipe.self)?.name = "merged"
                }
                try store.merge(child)
            }
            add(code) { recipes in
                recipes[1]?.name = "merged"
                recipes[4] = Recipe(4)
            }
        }

        /// Inserts a recipe whose slug is the third one's, if that is stored.
        private func insertTwin(into store: any DataStore) {
            let twin = Recipe(5, slug: "recipe-3")
            var isRefused = false
            let code = attempt("the twin") {
                do {
                    _ = try store.writeSync { try $0.insert(twin) }
                } catch DataStoreError.Code.uniqueViolation {
                    isRefused = true
                }
            }
            let before = states
            if isRefused {
                states = states.filter { $0[3] != nil }
            } else if code == nil {
                states = states.filter { $0[3] == nil }
                for number in states.indices { states[number][5] = twin }
            } else if code == .commitUncertain {
                for state in before where state[3] == nil {
                    var changed = state
                    changed[5] = twin
                    states.append(changed)
                }
            }
            if states.isEmpty { note("the twin was \(isRefused ? "refused" : "taken"), with \(before)") }
        }

        /// Compares the rows on the server, read without the proxy, with the one state that is left.
        private func compare(_ columns: String, _ line: (Recipe) -> String) throws {
            let table = world.schema + ".\"Recipe\""
            let rows = try admin.execute("SELECT \(columns) FROM \(table) ORDER BY id").texts
            if states.count != 1 { note("there is no one state: \(states)") }
            let expected = (states.first ?? [:]).values.sorted { $0.id < $1.id }.map { line($0) }
            if rows != expected { note("the server has \(rows), not \(expected)") }
        }
    }

    // MARK: Blocks

    extension FaultJourney {
        private static func insertTwo(_ accessor: DataStoreReadWriteAccessor) throws {
            try accessor.insert(contentsOf: [Recipe(1), Recipe(2)])
        }

        /// Does what it can if the first block was lost.
        private static func changeThree(_ accessor: DataStoreReadWriteAccessor) throws {
            try accessor.mutableItem(id: 1, of: Recipe.self)?.rating = 5
            try accessor.insert(Recipe(3))
            try accessor.delete(id: 2, of: Recipe.self)
        }

        static func history(ofVersions count: Int) -> SchemaHistory {
            let versions = [
                SchemaVersion("1", storing: [Recipe.self]), SchemaVersion("2", storing: [LaterRecipe.self]),
            ]
            let step = SchemaStep(from: "1", to: "2") {
                Transform("Recipe") { old, new in
                    let recipe = try new.make()
                    recipe["title"] = .value("\(try old["name", as: String.self])!")
                }
            }
            return SchemaHistory(Array(versions.prefix(count)), steps: count > 1 ? [step] : [])
        }
    }

    /// The recipe of a later version of the app.
    struct LaterRecipe: DataStoreItem, Equatable {
        let id: Int64
        var title: String
        var slug: String

        struct Attributes: Sendable {}
        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("slug", String.self),
            ],
            indexes: [.unique("slug")])

        init(_ recipe: Recipe) {
            id = recipe.id
            title = recipe.name + "!"
            slug = recipe.slug
        }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            title = try row.value(at: 1)
            slug = try row.value(at: 2)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(title, at: 1)
            try row.set(slug, at: 2)
        }
    }
#endif
