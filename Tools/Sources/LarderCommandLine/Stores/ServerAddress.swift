import Foundation
import Larder

#if PostgreSQL
    import LarderPostgreSQL
#endif

/// A store on a server, named by an address and not by a path: `postgresql://app@db.example.com/kitchen?schema=recipes`.
///
/// The password may also be in `PGPASSWORD`, or in a file of libpq. It is in no output.
struct ServerAddress {
    let text: String

    private static let schemes = ["postgresql://", "postgres://"]

    /// False for a path.
    static func isOne(_ text: String) -> Bool { schemes.contains(where: text.hasPrefix) }

    /// A word of the command line as it may be printed: without control characters, and without what follows the scheme of an
    /// address, which may hold a password.
    static func hiding(_ word: String) -> String {
        let places = schemes.compactMap { word.range(of: $0)?.lowerBound }
        guard let place = places.min() else { return word.visible }
        return String(word[..<place]).visible + "postgresql://…"
    }

    /// A store's name for people: the path that the user wrote, or the place of an address, which may hold a password.
    static func name(of store: String) throws(CommandFailure) -> String {
        isOne(store) ? try ServerAddress(text: store).address().location : store
    }

    /// - Throws: `.usage` if the address names no schema, cannot be understood, or is of no use to this build.
    func address() throws(CommandFailure) -> StoreAddress {
        #if PostgreSQL
            return .postgreSQL(try connection(), schema: try schema())
        #else
            throw Self.missingTrait
        #endif
    }

    /// The defects of the store on the server.
    func checkIntegrity() throws -> [String] {
        #if PostgreSQL
            let store = PostgreSQLDataStore(
                connection: try connection(), schema: try schema(), storing: [],
                options: PostgreSQLOptions(isReadOnly: true))
            try store.setup()
            let problems = try store.checkIntegrity()
            try store.tearDown()
            return problems
        #else
            throw Self.missingTrait
        #endif
    }

    #if PostgreSQL
        private func connection() throws(CommandFailure) -> PostgreSQLConnection {
            do throws(DataStoreError) {
                let connection = try PostgreSQLConnection(connectionText)
                if hasPassword || getenv("PGPASSWORD") == nil { return connection }
                return connection.signingIn(with: .environment("PGPASSWORD"))
            } catch {
                throw CommandFailure(
                    .usage, error.message,
                    advice: """
                        Write it as postgresql://user@host:port/database?schema=name, and the password into PGPASSWORD; \
                        in an address it is percent-encoded (%2F for /, %40 for @).
                        """)
            }
        }
    #else
        private static var missingTrait: CommandFailure {
            CommandFailure(
                .usage, "This larder was built without PostgreSQL.",
                advice: "Build it with make larder TRAITS=PostgreSQL.")
        }
    #endif

    /// The name of the schema.
    func schema() throws(CommandFailure) -> String {
        if let schema = parameters.first(where: { $0.hasPrefix("schema=") })?.dropFirst(7), !schema.isEmpty {
            return schema.removingPercentEncoding ?? String(schema)
        }
        throw CommandFailure(
            .usage, "The address of the server names no schema.", advice: "Add ?schema= and its name.")
    }

    /// The address for libpq, which does not know the parameter of the schema.
    var connectionText: String {
        let others = parameters.filter { !$0.hasPrefix("schema=") }
        return parts[0] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

    var hasPassword: Bool {
        let authority = parts[0].split(separator: "/").dropFirst().first ?? ""
        let user = authority.contains("@") ? authority.prefix { $0 != "@" } : ""
        return user.contains(":") || parameters.contains { $0.hasPrefix("password=") }
    }

    private var parts: [String] { text.split(separator: "?", maxSplits: 1).map(String.init) }

    private var parameters: [String] {
        parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
    }
}
