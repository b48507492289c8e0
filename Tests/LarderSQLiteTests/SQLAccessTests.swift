import Foundation
import Larder
import LarderSQLite
import Testing

@testable import AdapterTestSupport

/// SQL of the app's own in SQLite; what all SQL engines have in common is in the kit.
@Suite struct `SQL of the app` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private func open(_ options: SQLiteOptions = .forTests) throws -> SQLiteDataStore {
        let store = SQLiteDataStore(at: url, storing: [Recipe.self], options: options)
        try store.setup()
        return store
    }

    private func filled() throws -> SQLiteDataStore {
        let store = try open()
        try store.writeSync { try $0.insert(contentsOf: (1...3).map { Recipe($0) }) }
        return store
    }

    @Test func `SQLite runs SQL in a read block and in a write block`() throws {
        let store = try filled()
        let count: SQLText = "SELECT count(*) FROM \(Recipe.self)"

        #expect(try store.read { try $0.runsSQL() })
        #expect(try store.read { try $0.rows(sql: count, as: Int.self) } == [3])
        let deleted = try store.writeSync {
            try $0.execute(sql: "DELETE FROM \(Recipe.self) WHERE id > \(1)")
        }
        #expect(deleted == 2)
        #expect(try store.read { try $0.rows(sql: count, as: Int.self) } == [1])
        #expect(try RawDatabase(url).value("SELECT count(*) FROM Recipe") == "1")
    }

    @Test func `a child store does not run SQL`() throws {
        let child = try filled().makeChildDataStore()

        #expect(try child.read { try $0.runsSQL() } == false)
        let refused = thrown {
            try child.writeSync { _ = try $0.execute(sql: "DELETE FROM \(Recipe.self)") }
        }
        #expect(refused?.code == .unsupported)
        #expect(child.hasChanges == false)
    }

    @Test func `a text has one statement, and its values are interpolated`() throws {
        let store = try filled()
        let refused: [SQLText] = [
            "SELECT 1; SELECT 2", "SELECT 1; COMMIT", "SELECT ?", "SELECT \(1), ?", "SELECT ?, \(1)",
            "SELECT 1\0; COMMIT",
        ]

        try store.read { accessor in
            for statement in refused {
                let error = thrown { _ = try accessor.rows(sql: statement, as: Int.self) }
                #expect(error?.code == .invalidRequest, "\(statement)")
            }
            let one = try accessor.rows(sql: "SELECT 1; ", as: Int.self)
            #expect(one == [1])
        }
    }

    @Test func `a change is explained by a call that reads, and not made`() throws {
        let store = try filled()
        let explanation: SQLText = "EXPLAIN QUERY PLAN DELETE FROM \(Recipe.self) WHERE id > \(1)"
        var details: [String] = []

        try store.read { accessor in
            try accessor.forEachRow(sql: explanation) { row in details.append(try row.value("detail")) }
        }

        #expect(details.count == 1)
        #expect(details.first?.hasPrefix("SEARCH Recipe") == true)
        #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3])
    }

    @Test func `a statement that rolls back everything fails its block`() throws {
        let store = try filled()

        let failure = thrown {
            try store.writeSync { accessor in
                try accessor.insert(Recipe(4))
                let clash = thrown {
                    try accessor.execute(sql: "UPDATE OR ROLLBACK \(Recipe.self) SET id = 1")
                }
                #expect(clash?.underlying?.source == "SQLite")
            }
        }

        #expect(failure?.underlying?.source == "SQLite")
        #expect(try store.read { try $0.ids(for: Recipe.all) } == [1, 2, 3])
        try store.writeSync { _ = try $0.insert(Recipe(4)) }
        #expect(try store.read { try $0.countItems(for: Recipe.all) } == 4)
    }

    @Test func `a rule that SQL has broken is found by the check of the store`() throws {
        let store = try filled()

        let count = try store.writeSync { accessor in
            try accessor.execute(sql: "UPDATE \(Recipe.self) SET slug = \("same") WHERE id < \(3)")
        }

        #expect(count == 2)
        #expect(
            try store.checkIntegrity() == [
                #"The items 1 and 2 of Recipe have the same slug "same", which has to be unique."#
            ])
    }

    /// Its column takes values of any type.
    @Test(arguments: [("unsigned - 1", "-1.0"), ("5 * 1.5", "7.5"), ("'42'", "\"42\"")])
    func `a value that SQL has left in an unsigned attribute is not read as another number`(
        _ expression: String, stored: String
    ) throws {
        let store = SQLiteDataStore(at: url, storing: [Sample.self], options: .forTests)
        try store.setup()
        var zero = Sample()
        zero.unsigned = 0
        let sample = zero
        try store.writeSync { _ = try $0.insert(sample) }
        try RawDatabase(url).execute("UPDATE Sample SET unsigned = \(expression)")
        let message = "The stored value \(stored) cannot be read as uint64."

        let refused = thrown { try store.read { try $0.items(for: Sample.all) } }
        let uncounted = [
            thrown { try store.read { try $0.sum(\.unsigned, for: Sample.all) } },
            thrown { try store.read { try $0.average(\.unsigned, for: Sample.all) } },
            thrown { try store.read { try $0.maximum(\.unsigned, for: Sample.all.limit(2)) } },
        ]
        let problems = try store.checkIntegrity()

        for error in uncounted {
            #expect(error?.code == .undecodable)
            #expect(error?.attribute == "unsigned")
            #expect(error?.message == message)
        }
        #expect(refused?.code == .undecodable)
        #expect(refused?.attribute == "unsigned")
        #expect(refused?.message == message)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("Sample.unsigned: " + message) == true, "\(problems)")
        try store.tearDown()
    }

    /// An index of the attribute gives one row, and others are not read.
    @Test func `an unsigned extreme without an index passes over no value that SQL has left`() throws {
        let store = SQLiteDataStore(at: url, storing: [Sample.self], options: .forTests)
        try store.setup()
        let samples = ([5, 8] as [UInt64]).map { number in
            var sample = Sample()
            (sample.large, sample.unsigned) = (1, number)
            return sample
        }
        try store.writeSync { try $0.insert(contentsOf: samples) }
        try RawDatabase(url).execute("UPDATE Sample SET unsigned = 5 * 1.5 WHERE unsigned = 5")

        let refused = [
            thrown { try store.read { try $0.maximum(\.unsigned, for: Sample.where(\.large == 1)) } },
            thrown { try store.read { try $0.minimum(\.unsigned, for: Sample.where(\.large == 1)) } },
        ]
        let greatest = try store.read { try $0.maximum(\.unsigned, for: Sample.all) }

        for error in refused {
            #expect(error?.code == .undecodable)
            #expect(error?.attribute == "unsigned")
            #expect(error?.message == "The stored value 7.5 cannot be read as uint64.")
        }
        #expect(greatest == 8)
        try store.tearDown()
    }

    @Test func `pragmas of the options are set on each connection`() throws {
        var options = SQLiteOptions.forTests
        options.pragmas = ["temp_store": 2, "analysis_limit": 77]
        let store = try open(options)
        let asked: SQLText = """
            SELECT temp_store, analysis_limit FROM pragma_temp_store, pragma_analysis_limit
            """

        let reading = try store.read { try $0.rows(sql: asked, as: Int.self, Int.self) }
        let writing = try store.writeSync { try $0.rows(sql: asked, as: Int.self, Int.self) }

        #expect(reading.map { [$0.0, $0.1] } == [[2, 77]])
        #expect(writing.map { [$0.0, $0.1] } == [[2, 77]])
    }

    @Test(arguments: ["journal_mode", "synchronous", "user_version", "a; DROP TABLE Recipe"])
    func `a pragma of the store is refused`(_ name: String) throws {
        var options = SQLiteOptions.forTests
        options.pragmas = [name: 0]

        let refused = thrown { _ = try open(options) }

        #expect(refused?.code == .cannotOpen)
        #expect(refused?.message.contains(name) == true)
        #expect(try folder.names == [])
    }
}

extension Sample.Attributes {
    fileprivate var large: Attribute<Sample, Int64?> { Attribute(column: 3) }
    fileprivate var unsigned: Attribute<Sample, UInt64?> { Attribute(column: 4) }
}
