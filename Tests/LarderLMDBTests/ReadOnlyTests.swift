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
                guard
                    code({ try TestStore(at: url, options: LMDBOptions(isReadOnly: true)) })
                        == .permissionDenied
                else { exit(2) }
                let options = LMDBOptions(isReadOnly: true, assumesNoWriter: true)
                guard try TestStore(at: url, options: options).all(Recipe.self).count == 2 else { exit(3) }
                guard code({ try TestStore(at: url) }) == .permissionDenied else { exit(4) }
            }
            #expect(try folder.names == ["store.mdb"])
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
            await #expect(processExitsWith: .success) { [path = folder.file("new.mdb").path as String] in
                Self.becomeNobody()
                guard code({ try TestStore(at: URL(fileURLWithPath: path)) }) == .permissionDenied else {
                    exit(2)
                }
            }
            #expect(try folder.names == ["store.mdb"])
        }
    #endif
}
