import Testing

@testable import LarderCommandLine

struct ServerAddressTests {
    @Test(arguments: [
        ("postgresql://db/kitchen?schema=recipes", "postgresql://db/kitchen", "recipes", false),
        (
            "postgres://a@db:5433/k?sslmode=require&schema=a%20b", "postgres://a@db:5433/k?sslmode=require",
            "a b", false
        ),
        ("postgresql://a:secret@db/k?schema=s", "postgresql://a:secret@db/k", "s", true),
        (
            "postgresql://a@one:1,two:2/k?schema=s&password=x", "postgresql://a@one:1,two:2/k?password=x",
            "s", true
        ),
        ("postgresql:///k?host=/run&schema=s", "postgresql:///k?host=/run", "s", false),
    ])
    func `an address is libpq's with the name of a schema`(
        _ text: String, _ connection: String, _ schema: String, _ hasPassword: Bool
    ) throws {
        let address = ServerAddress(text: text)

        #expect(ServerAddress.isOne(text))
        #expect(address.connectionText == connection)
        #expect(try address.schema() == schema)
        #expect(address.hasPassword == hasPassword)
    }

    @Test(arguments: ["store.sqlite", "./postgresql:/x", "mysql://db/k?schema=s", ""])
    func `anything else is a path`(_ text: String) {
        #expect(!ServerAddress.isOne(text))
    }

    @Test(arguments: ["postgresql://", "postgresql://db/k", "postgresql://db/k?schema=", "postgresql://?"])
    func `an address without a schema is refused`(_ text: String) throws {
        #expect(throws: CommandFailure.self) { try ServerAddress(text: text).schema() }
    }

    @Test(arguments: [
        "postgresql://app:hunter2/x+y=@db.example.com/kitchen?schema=s",
        "postgresql://app:p@hunter2@db.example.com?schema=s",
    ])
    func `an address that its password divides is refused, and not printed`(_ text: String) {
        let failure = #expect(throws: CommandFailure.self) { try ServerAddress.name(of: text) }

        #expect(failure?.status == .usage)
        #expect(!"\(failure as Any)".contains("hunter2"))
    }
}
