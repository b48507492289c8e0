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
        let writing = Thread {
            try? sink.write(text)
            try? pipe.fileHandleForWriting.close()
        }
        writing.start()

        let read = pipe.fileHandleForReading.readDataToEndOfFile()

        #expect(read == Data(text.utf8))
    }
}
