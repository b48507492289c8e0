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

    #if os(Linux)
        /// Makes the rest of the process run as a user without rights.
        private static func becomeNobody() {
            setgid(65534)
            setuid(65534)
        }

        @Test func `in a folder where nothing can be made needs the app's word`() async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            chmod(url.path, 0o644)
            chmod(folder.path, 0o755)
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                Self.becomeNobody()
                let url = URL(fileURLWithPath: path)
                let plain = code { try TestStore(at: url, options: SQLiteOptions(isReadOnly: true)) }
                guard plain == .readOnly || plain == .permissionDenied else { exit(2) }
                let options = SQLiteOptions(isReadOnly: true, assumesNoWriter: true)
                guard try TestStore(at: url, options: options).all(Recipe.self).count == 2 else { exit(3) }
                guard code({ try TestStore(at: url) }) == .permissionDenied else { exit(4) }
            }
            #expect(try folder.names == ["store.db"])
        }

        @Test func `a file that may not be read is refused`() async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            chmod(folder.path, 0o755)
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                Self.becomeNobody()
                guard code({ try TestStore(at: URL(fileURLWithPath: path)) }) == .permissionDenied else {
                    exit(2)
                }
            }
        }

        @Test func `a store cannot be made in a folder of somebody else`() async throws {
            try #require(geteuid() == 0, "becoming another user needs root")
            chmod(folder.path, 0o755)
            await #expect(processExitsWith: .success) { [path = folder.file("new.db").path as String] in
                Self.becomeNobody()
                guard code({ try TestStore(at: URL(fileURLWithPath: path)) }) == .permissionDenied else {
                    exit(2)
                }
            }
            #expect(try folder.names == ["store.db"])
        }
    #endif
}
