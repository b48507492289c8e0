import LarderKernel

extension ByteBuffer {
    /// Appends a number as 4 bytes, little-endian.
    func append(number: Int) {
        grow(by: 4).storeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian, as: UInt32.self)
    }

    /// Appends the number of a text's bytes and then the text.
    func append(text: String) {
        var text = text
        text.withUTF8 { bytes in
            append(number: bytes.count)
            append(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Appends the number of some texts and then the texts.
    func append(texts: [String]) {
        append(number: texts.count)
        for text in texts { append(text: text) }
    }
}

/// Reads what ``ByteBuffer`` wrote, field by field.
struct RecordFields {
    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// - Throws: `.damaged` at the end of the bytes.
    mutating func number() throws(DataStoreError) -> Int {
        let bytes = try take(4)
        return Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    }

    /// - Throws: `.damaged` at the end of the bytes.
    mutating func text() throws(DataStoreError) -> String {
        String(decoding: try take(try number()), as: UTF8.self)
    }

    /// - Throws: `.damaged` at the end of the bytes.
    mutating func texts() throws(DataStoreError) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try number()) { texts.append(try text()) }
        return texts
    }

    private mutating func take(_ count: Int) throws(DataStoreError) -> UnsafeRawBufferPointer {
        guard count <= rest.count else {
            throw DataStoreError(.damaged, "A record about the store's tables ends too early.")
        }
        let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        rest = rest.dropFirst(count)
        return bytes
    }
}
