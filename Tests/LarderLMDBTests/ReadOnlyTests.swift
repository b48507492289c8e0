import Foundation
import Larder
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `Reading only` {
    let folder: TemporaryFolder
    let url: URL
    private var readOnly: LMDBOptions { LMDBOptions(isReadOnly: true) }
    private var unlocked: LMDBOptions { LMDBOptions(isReadOnly: true, assumesNoWriter: true) }

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
        let store = try TestStore(at: url)
        try store.insert([Recipe(1), Recipe(2)])
        try store.close()
        for suffix in ["-lock", "-writer"] { try FileManager.default.removeItem(at: url.adding(suffix)) }
    }

    @Test func `leaves a lock file that was there`() throws {
        try Data().write(to: url.adding("-lock"))

        try TestStore(at: url, options: readOnly).close()

        #expect(try folder.names == ["store.mdb", "store.mdb-lock"])
    }

    @Test func `refuses the tools that write`() throws {
        for options in [readOnly, unlocked] {
            let store = try TestStore(at: url, options: options)

            #expect(code { try store.store.compact() } == .readOnly)
            try store.close()
        }
    }
}
