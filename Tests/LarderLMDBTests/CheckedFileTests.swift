import Foundation
import Testing

@testable import AdapterTestSupport
@testable import LarderLMDB

/// A file that is read while another process changes its length.
@Suite struct `A checked file` {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("file")
        try Data(1...4).write(to: url)
    }

    private func append(_ bytes: Data) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// The bytes at an offset, of which eight are asked for.
    private func bytes(of file: CheckedFile, at offset: UInt64) throws -> [UInt8] {
        var piece = PageBytes(capacity: 8)
        try file.read(into: &piece, at: offset)
        return (0..<piece.count).compactMap { piece.load(UInt8.self, at: $0) }
    }

    @Test func `is read as far as it goes now, not as far as it went when it was measured`() throws {
        let file = try CheckedFile(url.path)
        #expect(file.byteCount == 4)
        #expect(try bytes(of: file, at: 4) == [])
        #expect(try bytes(of: file, at: 2) == [3, 4])

        try append(Data(5...20))

        #expect(file.byteCount == 4)
        #expect(try bytes(of: file, at: 2) == [3, 4, 5, 6, 7, 8, 9, 10])
        #expect(try bytes(of: file, at: 12) == [13, 14, 15, 16, 17, 18, 19, 20])
        #expect(try bytes(of: file, at: 15) == [16, 17, 18, 19, 20])
        #expect(try bytes(of: file, at: 20) == [])
        try file.measure()
        #expect(file.byteCount == 20)
    }

    @Test func `gives no bytes beyond the end of a file that was cut`() throws {
        let file = try CheckedFile(url.path)

        #expect(truncate(url.path, 3) == 0)

        #expect(file.byteCount == 4)
        #expect(try bytes(of: file, at: 2) == [3])
        #expect(try bytes(of: file, at: 3) == [])
        #expect(try bytes(of: file, at: .max) == [])
        try file.measure()
        #expect(file.byteCount == 3)
    }
}
