import LarderKernel

/// The names of a type's attributes, found by their bytes.
final class ColumnNames: Sendable {
    let texts: [String]
    /// The bytes of all names, one after the other, and the number of each.
    private let bytes: [UInt8]
    private let counts: [Int]

    init(of schema: EntitySchema) {
        texts = schema.declaredAttributes.map(\.name)
        bytes = texts.flatMap(\.utf8)
        counts = texts.map(\.utf8.count)
    }

    func position(of name: String) -> Int? {
        name.withBytes { name in bytes.withUnsafeBytes { position(of: name, in: $0) } }
    }

    @inline(__always)
    private func position(of name: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int? {
        var start = 0
        for position in counts.indices {
            let end = start + counts[position]
            if counts[position] == name.count,
                UnsafeRawBufferPointer(rebasing: bytes[start..<end]).isEqual(to: name)
            {
                return position
            }
            start = end
        }
        return nil
    }
}
