#if PostgreSQL
    import Foundation
    import Larder
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import func AdapterTestSupport.thrown

    /// A server stores NaN that the SQL of an app writes.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StoredNaNTests {
        private struct Visit: DataStoreItem {
            let id: Int64
            var date: Date
            var rating: Double

            struct Attributes: StoredAttributes {
                let id = Attribute<Visit, Int64>(column: 0)
                let date = Attribute<Visit, Date>(column: 1)
                let rating = Attribute<Visit, Double>(column: 2)
            }

            static let attributes = Attributes()
            static let schema = EntitySchema(
                "Visit",
                attributes: [
                    .attribute("id", Int64.self), .attribute("date", Date.self),
                    .attribute("rating", Double.self),
                ])

            init(_ id: Int64) {
                self.id = id
                (date, rating) = (Date(timeIntervalSinceReferenceDate: 0), 1)
            }

            init(row: borrowing RowReader) throws(DataStoreError) {
                id = try row.value(at: 0)
                date = try row.value(at: 1)
                rating = try row.value(at: 2)
            }

            func encode(to row: inout RowWriter) throws(DataStoreError) {
                try row.set(id, at: 0)
                try row.set(date, at: 1)
                try row.set(rating, at: 2)
            }
        }

        @Test func `NaN of another tool is refused in a part of a date and in a sum`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = try world.makeStore(storing: [Visit.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Visit(1), Visit(2)])
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
