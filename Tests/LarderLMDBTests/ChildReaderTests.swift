import CLMDB
import Larder
import Testing

import struct Foundation.URL
@testable import AdapterTestSupport
@testable import LarderLMDB

@Suite struct `A child of an LMDB store` {
    let folder: TemporaryFolder
    let store: LMDBDataStore

    init() throws {
        folder = try TemporaryFolder()
        store = LMDBDataStore(
            at: folder.file("store.mdb"), storing: [Recipe.self], options: LMDBOptions(durability: .none))
        try store.setup()
    }

    @Test func `it has no snapshot between its blocks`() throws {
        try store.writeSync { try $0.insert(contentsOf: (1...10).map { Recipe($0) }) }
        let child = try store.makeChildDataStore()
        let grandchild = try child.makeChildDataStore()
        try grandchild.writeSync { try $0.insert(Recipe(11)) }

        let during = try grandchild.read { accessor in
            _ = try accessor.items(for: Recipe.all)
            return try snapshots()
        }
        #expect(during == 1)
        #expect(try snapshots() == 0)
        try child.merge(grandchild)
        try child.writeSync { _ = try $0.deleteAllItems(of: Recipe.self) }
        #expect(try snapshots() == 0)
        #expect(try child.read { try $0.countItems(for: Recipe.all) } == 0)
        try store.tearDown()
    }

    /// The number of entries in LMDB's reader table that hold a snapshot.
    private func snapshots() throws -> Int {
        var lines: [String] = []
        let environment = try store.engine.files.current().environment.handle
        withUnsafeMutablePointer(to: &lines) { lines in
            _ = mdb_reader_list(
                environment,
                { line, context in
                    guard let line, let context else { return -1 }
                    context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: line))
                    return 0
                }, lines)
        }
        // A line has the process, the thread and the transaction, or a hyphen for a place without one.
        return lines.count { line in
            line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } != nil
        }
    }
}
