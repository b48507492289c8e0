import Foundation
import Testing

@testable import LarderCommandLine

struct StoreFilesTests {
    @Test func `a path through a link to a folder leads where the system goes`() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(
            "larder-\(UUID().uuidString)"
        )
        .resolvingSymlinksInPath()
        let folder = root.appendingPathComponent("a/b")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let link = root.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)

        #expect(try StoreFiles.url(link.path + "/../store").path == root.path + "/a/store")
        #expect(try StoreFiles.url(root.path + "/a/./b/../store").path == root.path + "/a/store")
        #expect(try StoreFiles.url(link.path + "/..").path == root.path + "/a")
        #expect(try StoreFiles.url(link.path + "/store").path == link.path + "/store")
        #expect(try StoreFiles.url(root.path + "/missing/../store").path == root.path + "/store")
    }

    @Test func `a pipe that does not block gets everything`() throws {
        let pipe = Pipe()
        let file = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) == 0)
        let text = String(repeating: "0123456789", count: 100_000)
        let sink = FileSink(file, name: "pipe", capacity: 0)
        let used = Guarded(Int.max)
        let writing = Thread {
            let begun = Self.milliseconds
            try? sink.write(text)
            let ended = Self.milliseconds
            used.withLock { $0 = ended - begun }
            try? pipe.fileHandleForWriting.close()
        }
        writing.start()

        // The reader is slow: 50 pieces in half a second, for most of which the pipe is full.
        var read = Data()
        while let piece = try pipe.fileHandleForReading.read(upToCount: 20_000), !piece.isEmpty {
            read += piece
            usleep(10_000)
        }

        #expect(read == Data(text.utf8))
        // Written before the end of the pipe, and without asking again and again whether there is room.
        #expect(used.withLock { $0 } < 150)
    }

    /// The processor time of the present thread.
    private static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
    }
}
