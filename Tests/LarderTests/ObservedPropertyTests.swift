import Foundation
import Larder
import Testing

/// Stored properties with observers, which Swift shows to a predicate as computed ones.
struct ObservedPropertyTests {
    struct Counter: DataStoreItem {
        let id: Int64
        var total: Int64 {
            didSet { changes += 1 }
        }
        /// Not stored.
        var changes = 0

        struct Attributes: Sendable {
            let id = Attribute<Counter, Int64>(column: 0)
            let total = Attribute<Counter, Int64>(column: 1)
        }
        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Counter", attributes: [.attribute("id", Int64.self), .attribute("total", Int64.self)])

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            total = try row.value(at: 1)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(total, at: 1)
        }
    }

    @Test func `a predicate by one is refused, and the error says why`() {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
        let predicate = #Predicate<Counter> { $0.total > 3 }

        let error = #expect(throws: DataStoreError.self) { _ = try Filter<Counter>(predicate) }

        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message.hasSuffix(
                "the last name is not a stored property of Counter, or has observers or a wrapper, "
                    + "which hide its name from a predicate.") == true)
    }

    @Test func `a sort descriptor by one is refused, and the error says why`() {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
        let descriptors: [SortDescriptor<Counter>] = [SortDescriptor(\.total)]

        let error = #expect(throws: DataStoreError.self) { _ = try ItemOrder(descriptors) }

        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message.hasSuffix(
                "which is not a stored attribute of Counter, or has observers or a wrapper, "
                    + "which hide its name.") == true)
        #expect(error?.advice.contains("sorted(by:)") == true)
    }
}
