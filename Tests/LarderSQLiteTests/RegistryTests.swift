import Foundation
import Larder
import LarderFiles
import Testing
@testable import AdapterTestSupport

@Suite struct `Files by what they are` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data("content".utf8).write(to: folder.file("a"))
    }

    private func status(_ name: String) throws -> FileStatus? {
        try FileAccess.status(at: folder.file(name).path)
    }

    @Test func `every name of a file leads to the same identity`() throws {
        try FileManager.default.createSymbolicLink(
            at: folder.file("link"), withDestinationURL: folder.file("a"))
        try FileManager.default.linkItem(at: folder.file("a"), to: folder.file("hard"))
        try Data("content".utf8).write(to: folder.file("b"))

        let identity = try status("a")?.identity
        #expect(try status("link")?.identity == identity)
        #expect(try status("hard")?.identity == identity)
        #expect(try status("hard")?.linkCount == 2)
        #expect(try status("b")?.identity != identity)
        #expect(try status("c") == nil)
    }

    @Test func `a file is claimed once until it is released`() throws {
        let registry = OpenFileRegistry()
        let identity = try #require(try status("a")).identity
        try registry.claim(identity, at: "/first")

        let refused = thrown { try registry.claim(identity, at: "/second") }
        #expect(refused?.code == .alreadyOpen)
        #expect(refused?.path == "/second")
        #expect(refused?.message == "The file is already open in this process, as /first.")

        registry.release(identity)
        #expect(thrown { try registry.claim(identity, at: "/second") } == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a claim waits while its file is being closed, and no other does`() throws {
        let registry = OpenFileRegistry()
        let identity = try #require(try status("a")).identity
        try Data().write(to: folder.file("b"))
        let other = try #require(try status("b")).identity
        try registry.claim(identity, at: "/first")
        let events = Locked<[String]>([])
        let thread = Thread {
            let refused = thrown { try registry.claim(identity, at: "/second") }
            events.withLock { $0.append(refused.map { "\($0)" } ?? "claimed") }
        }

        registry.release([identity]) {
            thread.start()
            #expect(thrown { try registry.claim(other, at: "/other") } == nil)
            #expect(
                thrown { try registry.whileNotOpen(other, at: "/other") { () throws(DataStoreError) in } }?
                    .code == .alreadyOpen)
            events.withLock { $0.append("closed") }
        }

        while !thread.isFinished { sched_yield() }
        #expect(events.withLock { $0 } == ["closed", "claimed"])
        #expect(registry.isHeld(identity))
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func `a claim waits while a body runs on its file, which is not open, and no other does`(
        _ fails: Bool
    ) throws {
        let registry = OpenFileRegistry()
        let identity = try #require(try status("a")).identity
        try Data().write(to: folder.file("b"))
        let other = try #require(try status("b")).identity
        for round in 0..<20 {
            let events = Locked<[String]>([])
            let begun = DispatchSemaphore(value: 0)
            let thread = Thread {
                begun.signal()
                let refused = thrown { try registry.claim(identity, at: "/second") }
                events.withLock { $0.append(refused.map { "\($0)" } ?? "claimed") }
            }

            let error = thrown {
                try registry.whileNotOpen(identity, at: "/first") { () throws(DataStoreError) in
                    thread.start()
                    begun.wait()
                    for _ in 0..<100 { sched_yield() }
                    #expect(registry.isHeld(identity))
                    #expect(thrown { try registry.claim(other, at: "/other") } == nil)
                    registry.release(other)
                    events.withLock { $0.append("done") }
                    if fails { throw DataStoreError(.storeFull, "The disk is full.") }
                }
            }

            #expect(error?.code == (fails ? .storeFull : nil))
            while !thread.isFinished { sched_yield() }
            #expect(events.withLock { $0 } == ["done", "claimed"], "round \(round)")
            registry.release(identity)
        }
    }

    @Test func `a path is resolved though its last part does not exist`() throws {
        let link = folder.file("folder-link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        let real = try FileAccess.resolved(folder.path)

        #expect(try FileAccess.resolved(link.appendingPathComponent("./new").path) == real + "/new")
        #expect(try FileAccess.resolved(link.appendingPathComponent("a").path) == real + "/a")
        for (name, target) in [("first", "folder-link/new"), ("second", folder.path("first"))] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: target)
            #expect(try FileAccess.resolved(folder.path(name)) == real + "/new")
        }
        let refused = thrown { try FileAccess.resolved(folder.file("missing/new").path) }
        #expect(refused?.code == .cannotOpen)
        #expect(refused?.message == "The folder \(folder.file("missing").path) cannot be opened.")
    }

    @Test func `the first bytes are read and no more`() throws {
        let (bytes, status) = try FileAccess.firstBytes(3, of: folder.file("a").path)
        #expect(bytes == Array("con".utf8))
        #expect(status.byteCount == 7)
        #expect(try FileAccess.firstBytes(100, of: folder.file("a").path).bytes == Array("content".utf8))
    }

    @Test func `a file gets its name only when nobody has it`() throws {
        try Data("new".utf8).write(to: folder.file("temporary"))

        #expect(try !FileAccess.publish(folder.file("temporary").path, as: folder.file("a").path))
        #expect(try folder.names == ["a", "temporary"])

        #expect(try FileAccess.publish(folder.file("temporary").path, as: folder.file("b").path))
        #expect(try folder.names == ["a", "b"])
        #expect(try status("b")?.linkCount == 1)
    }

    @Test func `error numbers become codes`() {
        let codes = [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG, EIO, ENOENT, EMFILE].map(
            FileAccess.code(for:))

        #expect(
            codes == [
                .permissionDenied, .permissionDenied, .readOnly, .storeFull, .storeFull, .storeFull,
                .inputOutput,
                .cannotOpen, .cannotOpen,
            ])
    }
}
