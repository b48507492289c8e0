import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderEngine
@testable import LarderFiles

/// Files that are made under a temporary name.
struct NewFileTests {
    private let folder: TemporaryFolder
    private let file: NewFile

    init() throws {
        folder = try TemporaryFolder()
        file = NewFile(at: folder.path("store"))
    }

    private static let name = ".store.larder-new-0123456789abcdef"

    @Test func `what a killed making has left goes, and what another container makes stays`() throws {
        // Its process number says nothing here: only the lock does.
        let living = try lockedFile(Self.name)
        try Data("half".utf8).write(to: folder.file(".store.larder-new-0000000000000001"))
        try Data("other".utf8).write(to: folder.file(".store.larder-upgrade-partial"))

        #expect(try file.make { _ throws(DataStoreError) in })

        #expect(try folder.names == [Self.name, ".store.larder-upgrade-partial", "store"])
        // A process that another test is just starting may still have the file, and would keep the lock with it.
        living.unlock(.signOfLife)
        living.close()
        file.removeAbandoned()
        #expect(try folder.names == [".store.larder-upgrade-partial", "store"])
    }

    private func lockedFile(_ name: String) throws -> LockedFile {
        try FileAccess.makeFile(folder.path(name))
        let file = try #require(try LockedFile(at: folder.path(name)))
        #expect(file.lock(.signOfLife) == .locked)
        return file
    }

    @Test func `a file that is being made is no remains, and has a name of its own`() throws {
        var names: [String] = []
        let isMade = try file.make { first throws(DataStoreError) in
            #expect(file.abandoned() == [])
            _ = try? file.make { second throws(DataStoreError) in
                names = [first, second]
                try FileAccess.write([2], to: second)
            }
            try FileAccess.write([1], to: first)
        }

        #expect(!isMade)
        #expect(Set(names).count == 2)
        #expect(try folder.names == ["store"])
        #expect(try folder.contents["store"] == Data([2]))
    }

    @Test func `the first name of a published file is remains, also while the file is open`() throws {
        #expect(try file.make { _ throws(DataStoreError) in })
        #expect(link(file.path, folder.path(Self.name)) == 0)
        let identity = try #require(try FileAccess.status(at: file.path)).identity
        try OpenFileRegistry.shared.claim(identity, at: file.path)

        #expect(file.abandoned() == [FileAccess.parts(of: file.path).folder + "/" + Self.name])
        file.removeAbandoned()

        #expect(try folder.names == ["store"])
        OpenFileRegistry.shared.release(identity)
    }

    #if os(Linux)
        @Test func `a finished file is not locked, though a process that was forked meanwhile has it open`()
            throws
        {
            var shared: Int32 = -1
            let isMade = try file.make { temporary throws(DataStoreError) in
                // As a forked process has: another descriptor of the same opening.
                for descriptor in Int32(0)..<1024 where shared < 0 {
                    let link = "/proc/self/fd/\(descriptor)"
                    if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == temporary {
                        shared = dup(descriptor)
                    }
                }
            }
            defer { close(shared) }

            #expect(isMade)
            #expect(shared >= 0)
            let file = try #require(try LockedFile(at: file.path))
            defer { file.close() }
            #expect(file.lock(.signOfLife) == .locked)
        }
    #endif

    @Test func `a file that replaces another has its mode`() throws {
        try FileAccess.makeFile(file.path)
        #expect(chmod(file.path, 0o640) == 0)

        try file.replace { path throws(DataStoreError) in try FileAccess.write([1], to: path) }

        #expect(try folder.file("store").permissions == 0o640)
        #expect(try folder.contents == ["store": Data([1])])
    }

    @Test func `where there are no hard links, a file that appears meanwhile is not replaced`() throws {
        let new = folder.path("new")
        try FileAccess.write([1], to: new)

        let isPublished = try FileAccess.publish(new, as: file.path) { _, path in
            // Another process is faster.
            try? FileAccess.write([2], to: path)
            return EPERM
        }

        #expect(!isPublished)
        #expect(try folder.contents == ["new": Data([1]), "store": Data([2])])
        #expect(FileAccess.moveToFree(new, as: file.path) == (false, nil))
        #expect(FileAccess.moveToFree(new, as: folder.path("free")) == (true, nil))
        #expect(FileAccess.moveToFree(new, as: folder.path("again")) == (false, ENOENT))
        #expect(try folder.contents == ["free": Data([1]), "store": Data([2])])
    }
}
