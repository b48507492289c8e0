import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A process that is killed while the parts of a store take a step leaves the old store, or one that the next opening
/// completes.
struct RoutedUpgradeKillTests {
    private let entries = (1...75 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))

    /// Leaves a store of the first version.
    private func makeStore(at file: URL) throws {
        let store = RoutedPlace.makeStore(at: file, version: 1)
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: entries)
            try accessor.insert(contentsOf: (1...75 as ClosedRange<Int64>).map { Remark($0) })
        }
        try store.tearDown()
    }

    private func versions(at file: URL) throws -> [String?] {
        try RoutedPlace.parts(at: file, version: 1).map { try $0.coordinator.adapter.storedSchema()?.version }
    }

    private func expectUpgraded(at file: URL, after lines: [String]) throws {
        let store = RoutedPlace.makeStore(at: file, version: 2)
        try store.setup()
        let (found, remarks) = try store.read { accessor in
            (try accessor.items(for: LaterEntry.all), try accessor.items(for: LaterRemark.all))
        }
        #expect(found == entries.map(LaterEntry.init), "after \(lines)")
        #expect(remarks == (1...75 as ClosedRange<Int64>).map { LaterRemark($0) }, "after \(lines)")
        try store.tearDown()
        #expect(try versions(at: file) == ["2", "2"], "after \(lines)")
    }

    @Test func `a store over two engines that is killed at every pause of a step takes it then`() throws {
        let folder = try TemporaryFolder()
        // The first part takes the step first and commits last.
        let pauses: [(line: String, versions: [String?])] = [
            ("step 1 of 2, 1 → 2: 0 of 300", ["1", "1"]), ("step 1 of 2, 1 → 2: 256 of 300", ["1", "1"]),
            ("step 1 of 2, 1 → 2: 300 of 300", ["1", "1"]), ("step 2 of 2, 1 → 2: 0 of 75", ["1", "1"]),
            ("step 2 of 2, 1 → 2: 75 of 75", ["1", "1"]), ("open remarks", ["1", "2"]),
            ("open entries", ["2", "2"]),
        ]
        for (number, pause) in pauses.enumerated() {
            let file = folder.url.appendingPathComponent("store-\(number)")
            try makeStore(at: file)
            let child = try ChildProcess(["routed", "upgrade", file.path])
            var lines: [String] = []
            while lines.count <= number, let line = child.nextLine() {
                lines.append(line)
                if lines.count <= number { child.answer() }
            }
            child.kill()

            #expect(lines == pauses[...number].map(\.line))
            #expect(try versions(at: file) == pause.versions, "after \(lines)")
            if pause.versions == ["1", "1"] {
                let old = RoutedPlace.makeStore(at: file, version: 1)
                try old.setup()
                #expect(try old.read { try $0.items(for: Entry.all) } == entries, "after \(lines)")
                #expect(try old.read { try $0.countItems(for: Remark.all) } == 75, "after \(lines)")
                try old.tearDown()
            }
            try expectUpgraded(at: file, after: lines)
        }
    }
}
