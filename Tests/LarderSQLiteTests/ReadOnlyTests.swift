import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `Reading only` {
    let folder: TemporaryFolder
    let url: URL
    private var readOnly: SQLiteOptions { SQLiteOptions(isReadOnly: true) }
    private var immutable: SQLiteOptions { SQLiteOptions(isReadOnly: true, assumesNoWriter: true) }

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
        let store = try TestStore(at: url)
        try store.insert([Recipe(1), Recipe(2)])
        try store.adapter.close()
    }

    @Test func `refuses the tools that write`() throws {
        for options in [readOnly, immutable] {
            let store = try TestStore(at: url, options: options)

            #expect(code { try store.adapter.compact() } == .readOnly)
            #expect(code { try store.adapter.checkpoint() } == .readOnly)
            try store.adapter.close()
        }
    }

    @Test func `reads what a crashed process has left in the log and leaves it there`() throws {
        let origin = folder.file("origin.db")
        let writer = try TestStore(at: origin)
        try writer.insert([Recipe(7)])
        let copy = folder.file("copy.db")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(at: origin.adding(suffix), to: copy.adding(suffix))
        }
        let log = try Data(contentsOf: copy.adding("-wal"))

        let store = try TestStore(at: copy, options: readOnly)
        #expect(try store.all(Recipe.self) == [Recipe(7)])
        try store.adapter.close()

        #expect(try Data(contentsOf: copy.adding("-wal")) == log)
        #expect(code { try TestStore(at: copy, options: immutable) } == .readOnly)
    }
}
