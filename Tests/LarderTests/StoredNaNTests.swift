import Foundation
import Larder
import LarderTesting
import Testing

@testable import AdapterTestSupport

/// NaN in a store: the app cannot write it, and another tool can.
struct StoredNaNTests {
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
