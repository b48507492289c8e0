#if PostgreSQL
    import Foundation
    import Larder
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// A server stores NaN that the SQL of an app writes.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StoredNaNTests {
        @Test func `NaN of another tool is refused in a part of a date and in a sum`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = try world.makeStore(storing: [Visit.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Visit(1, 1), Visit(2, 1)])
                let count = try accessor.execute(
                    sql: "UPDATE \(Visit.self) SET \"date\" = 'NaN', rating = 'NaN' WHERE id = 2")
                #expect(count == 1)
            }
            let months = Visit.all.grouped(by: \.date[.month, in: .gmt])

            var failures: [DataStoreError?] = []
            try store.read { accessor in
                failures.append(thrown { try accessor.groups(for: months, .count) })
                failures.append(thrown { try accessor.sum(\.rating, for: Visit.all) })
            }

            #expect(failures.map { $0?.code } == [.undecodable, .undecodable])
            #expect(failures.map { $0?.attribute } == ["date", "rating"])
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
