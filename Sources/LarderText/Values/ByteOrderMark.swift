/// The mark of the byte order that some programs write before UTF-8.
package enum ByteOrderMark {
    package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
