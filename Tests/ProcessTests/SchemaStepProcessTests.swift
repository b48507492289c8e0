import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A process that is killed while it takes a schema step leaves the old store, whole.
struct SchemaStepProcessTests {
    @Test(arguments: Engine.all)
    func `a store killed at every pause of a step is the old one, and then takes it`(
        _ engine: Engine
    ) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        let entries = (1...300 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))
        let store = engine.makeStore(at: file)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: entries) }
        try store.tearDown()

        var pauses = 0
        while true {
            let child = try ChildProcess([engine.rawValue, "migrate", file.path])
            var lines: [String] = []
            while lines.count <= pauses, let line = child.nextLine(), line != "done" {
                lines.append(line)
                if lines.count <= pauses { child.answer() }
            }
            guard lines.count > pauses else {
                #expect(child.waitUntilExit() == 0)
                break
            }
            child.kill()

            let old = engine.makeStore(at: file)
            try old.setup()
            #expect(try old.read { try $0.items(for: Entry.all) } == entries, "after \(lines)")
            #expect(try Engine.problems(in: old) == [], "after \(lines)")
            try old.tearDown()
            pauses += 1
        }
        // Before the first row, after each 256 of 1200, and after the indexes were built.
        #expect(pauses == 7)

        let new = engine.makeLaterStore(at: file)
        try new.setup()
        #expect(try new.read { try $0.items(for: LaterEntry.all) } == entries.map(LaterEntry.init))
        #expect(try Engine.problems(in: new) == [])
        try new.tearDown()
    }
}

extension Engine {
    fileprivate func makeLaterStore(at url: URL) -> any DataStore {
        switch self {
        case .sqlite: SQLiteDataStore(at: url, storing: [LaterEntry.self])
        case .lmdb: LMDBDataStore(at: url, storing: [LaterEntry.self])
        case .postgresql: ServerPlace.makeStore(at: url, storing: [LaterEntry.self])
        }
    }
}
