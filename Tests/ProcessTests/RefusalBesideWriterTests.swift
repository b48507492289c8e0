import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// What a refusal or a reading puts back is never taken from a process that has the store open.
struct RefusalBesideWriterTests {
    /// An entry whose block is text, which no store of ``Entry`` can become by itself.
    private struct OtherEntry: VersionedItem {
        static let schema = EntitySchema(
            "Entry", attributes: [.attribute("id", Int64.self), .attribute("block", String.self)])
        var values: [Cell]
    }

    @Test(arguments: Engine.inFiles)
    func `a process that writes goes on and loses nothing`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store")
        try makeStore(engine, at: url)
        let schema = try StoreSchema(storing: [OtherEntry.self])
        let child = try ChildProcess([engine.rawValue, "append", url.path])
        _ = child.nextLine()

        var acknowledged: Int64 = 0
        for _ in 0..<30 {
            #expect(
                code { try engine.address(at: url).adapter(for: .writing).open(schema) } == .schemaMismatch)
            let reading = engine.makeReadOnlyStore(at: url)
            try reading.setup()
            let last = try reading.read { try $0.firstItem(for: Entry.all.sorted(by: \.block, .descending)) }
            try reading.tearDown()
            #expect((last?.block ?? 0) >= acknowledged)
            acknowledged = try #require(nextBlock(of: child))
        }
        child.kill()

        let store = engine.makeStore(at: url)
        try store.setup()
        let count = try store.read { try $0.countItems(for: Entry.all) }
        #expect(Int64(count) >= acknowledged * Entry.entriesPerBlock)
        #expect(Int64(count) % Entry.entriesPerBlock == 0)
        #expect(try Engine.problems(in: store) == [])
        try store.tearDown()
    }

    /// The block that the process has committed next.
    private func nextBlock(of child: ChildProcess) -> Int64? {
        while let line = child.nextLine() {
            if line.hasPrefix("done ") { return Int64(line.dropFirst(5)) }
        }
        return nil
    }

    private func makeStore(_ engine: Engine, at url: URL) throws {
        let store = engine.makeStore(at: url)
        try store.setup()
        try store.tearDown()
    }
}
