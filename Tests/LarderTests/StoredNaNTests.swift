import Foundation
import Larder
import LarderTesting
import Testing

@testable import func AdapterTestSupport.thrown

/// NaN in a store: the app cannot write it, and another tool can.
struct StoredNaNTests {
    /// A number that is stored as it is.
    private struct RawNumber: AttributeStorable {
        static let attributeType = AttributeType.double
        let value: Double

        static func decode(_ cell: Cell) -> RawNumber? { RawNumber(value: cell.real) }

        func encode(in arena: RowArena) throws(DataStoreError) -> Cell { .real(value) }
    }

    private struct Visit: DataStoreItem {
        let id: Int64
        let seconds: RawNumber
        let rating: RawNumber

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

        init(_ id: Int64, _ number: Double) {
            self.id = id
            (seconds, rating) = (RawNumber(value: number), RawNumber(value: number))
        }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            seconds = try row.value(at: 1)
            rating = try row.value(at: 2)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(seconds, at: 1)
            try row.set(rating, at: 2)
        }
    }

    @Test func `is refused in a part of a date, in a sum and in an average`() throws {
        let store = try TemporaryStore(storing: [Visit.self])
        try store.writeSync { try $0.insert(contentsOf: [Visit(1, 7), Visit(2, .nan)]) }
        let months = Visit.all.grouped(by: \.date[.month, in: .gmt])

        var failures: [DataStoreError?] = []
        try store.read { accessor in
            failures.append(thrown { try accessor.groups(for: months, .count) })
            failures.append(thrown { try accessor.sum(\.rating, for: Visit.all) })
            failures.append(thrown { try accessor.average(\.rating, for: Visit.all) })
            failures.append(thrown { try accessor.groups(for: Visit.all.grouped(by: \.id), .sum(\.rating)) })
            let sum = try accessor.sum(\.rating, for: Visit.where(\.id == 1))
            let count = try accessor.countValues(\.rating, for: Visit.all)
            #expect(sum == 7)
            #expect(count == 2)
        }

        #expect(failures.map { $0?.code } == [.undecodable, .undecodable, .undecodable, .undecodable])
        #expect(failures.map { $0?.itemType } == ["Visit", "Visit", "Visit", "Visit"])
        #expect(failures.map { $0?.attribute } == ["date", "rating", "rating", "rating"])
    }
}
