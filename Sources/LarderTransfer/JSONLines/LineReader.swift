import LarderText
import struct Foundation.Data

/// Takes pieces of any length apart into lines.
struct LineReader {
    private var buffer: [UInt8] = []
    private var start = 0
    /// The end of the bytes that are known to contain no line end.
    private var searched = 0
    private var isAtEnd = false
    /// The number of the line that was given last, from 1.
    private(set) var number = 0

    /// The next line that is not empty, without its end; nil when there is none.
    mutating func next(from read: () throws -> Data?) throws -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<end]
                (start, searched) = (end + 1, end + 1)
                number += 1
                if let line = visible(line) { return line }
            } else if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { (start, searched) = (buffer.count, buffer.count) }
                number += 1
                return visible(buffer[start...])
            } else {
                buffer.removeSubrange(..<start)
                (start, searched) = (0, buffer.count)
                let piece = try read()
                if let piece, !piece.isEmpty { buffer += piece } else { isAtEnd = true }
            }
        }
    }

    /// A line without the mark of the byte order before the first one; nil for an empty line.
    private func visible(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let line = number == 1 ? ByteOrderMark.dropped(from: line) : line
        return line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : line
    }
}
