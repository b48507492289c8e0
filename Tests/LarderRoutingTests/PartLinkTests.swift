import Foundation
import Larder
import LarderRouting
import LarderSQLite
import LarderTransfer
import Testing

@testable import AdapterTestSupport

@Suite struct `The links of a part as a store without types` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The closed part of a store that has the links of a team to these cooks, opened by itself.
    private func openPart(_ name: String, linkedWith cooks: [Int64]) throws -> UntypedStore {
        let store = RoutedDataStore([
            StorePart("teams", SQLiteDataStore(at: folder.file(name), storing: [Team.self])),
            StorePart("cooks", SQLiteDataStore(at: folder.file("\(name)-cooks"), storing: [Cook.self])),
        ])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Cook(1, name: "Ada"), Cook(3, name: "Bea")])
            try accessor.insert(Team(1)).cooks.add(ids: cooks)
        }
        try store.tearDown()
        return try UntypedStore(reading: .sqlite(at: folder.file(name)))
    }

    @Test func `are not left out of an export, which is refused`() throws {
        let (linked, empty) = (
            try openPart("linked", linkedWith: [1, 3]), try openPart("empty", linkedWith: [])
        )
        defer {
            try? linked.close()
            try? empty.close()
        }
        var lines = Data()

        let error = thrown { try linked.read { try JSONLinesExport(of: $0).run { lines += $0 } } }

        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "The links of Team.cooks cannot be exported: the store does not describe their "
                + "relationship, as it is a part of several stores.")
        #expect(error?.advice == "Make a backup of the store, which has the links.")
        #expect(lines.isEmpty)
        let other = thrown { try empty.read { try JSONLinesExport(of: $0).run { lines += $0 } } }
        #expect(other == nil)
        #expect(!lines.isEmpty)
    }

    @Test func `are compared as a whole`() throws {
        let parts: [(name: String, cooks: [Int64])] = [("first", [1, 3]), ("same", [3, 1]), ("other", [3])]
        let stores = try parts.map { try openPart($0.name, linkedWith: $0.cooks) }
        defer { for store in stores { try? store.close() } }
        func differences(_ left: Int, _ right: Int) throws -> [String] {
            let all = try stores[left].read { left in
                try stores[right].read { right in try StoreComparison(left, right).first(100) }
            }
            return all.map(\.description).filter { $0.hasPrefix("Team.cooks") }
        }

        #expect(try differences(0, 1) == [])
        #expect(try differences(0, 2) == ["Team.cooks: the links differ (2 left and 1 right)"])
    }
}
