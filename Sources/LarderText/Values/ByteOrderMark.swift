/// The mark of the byte order that some programs write before UTF-8.
package enum ByteOrderMark {
    package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A text without the mark at its beginning.
    package static func dropped(from text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.starts(with: bytes) ? text.dropFirst(bytes.count) : text
    }
}
