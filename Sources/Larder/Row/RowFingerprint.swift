/// Numbers that tell rows apart: they differ, except with a chance of one in 2^64, when the rows do.
///
/// Seeded by chance for each process, so that no data can be made whose changes go unseen.
enum RowFingerprint {
    static func of(_ cells: UnsafePointer<Cell>, count: Int) -> Int {
        var hasher = Hasher()
        for position in 0..<count {
            let cell = cells[position]
            // The kind and the length in one step, as each step costs as much as a number.
            hasher.combine(UInt64(cell.kind.rawValue) << 32 | UInt64(cell.isBytes ? cell.length : 0))
            if cell.isBytes { hasher.combine(bytes: cell.bytes) } else { hasher.combine(cell.bits) }
        }
        return hasher.finalize()
    }

    /// One number for several, in their order.
    static func combining(_ digests: some Sequence<Int>) -> Int {
        var hasher = Hasher()
        for digest in digests { hasher.combine(digest) }
        return hasher.finalize()
    }
}

extension Cell {
    fileprivate var isBytes: Bool { kind == .text || kind == .blob }
}
