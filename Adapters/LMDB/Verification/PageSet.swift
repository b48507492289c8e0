/// A set of page numbers, of any size, that costs memory only around its members.
struct PageSet {
    private static let pagesPerChunk: UInt64 = 32768
    private static let emptyChunk = [UInt64](repeating: 0, count: Int(pagesPerChunk / 64))

    private var chunks: [UInt64: [UInt64]] = [:]
    /// The number of member pages.
    private(set) var count: UInt64 = 0

    func contains(_ page: UInt64) -> Bool {
        guard let chunk = chunks[page / Self.pagesPerChunk] else { return false }
        let place = page % Self.pagesPerChunk
        return chunk[Int(place / 64)] & (1 << (place % 64)) != 0
    }

    /// The first member among some pages in a row.
    func firstMember(from first: UInt64, count: UInt64) -> UInt64? {
        for part in parts(first, count) {
            let members = (chunks[part.chunk]?[part.word] ?? 0) & part.mask
            if members != 0 { return part.firstPage + UInt64(members.trailingZeroBitCount) }
        }
        return nil
    }

    /// Adds pages in a row, none of which is a member.
    mutating func insert(from first: UInt64, count: UInt64) {
        for part in parts(first, count) {
            chunks[part.chunk, default: Self.emptyChunk][part.word] |= part.mask
        }
        self.count &+= count
    }

    /// Pages in a row that share a word.
    private struct Part {
        let chunk: UInt64
        let word: Int
        let mask: UInt64
        /// The page that the word's lowest bit stands for.
        let firstPage: UInt64
    }

    private func parts(_ first: UInt64, _ count: UInt64) -> some Sequence<Part> {
        let end = first &+ count
        return sequence(state: first) { next -> Part? in
            guard next < end else { return nil }
            let bit = next % 64
            let length = min(64 - bit, end - next)
            let ones = length == 64 ? UInt64.max : (1 << length) - 1
            defer { next += length }
            return Part(
                chunk: next / Self.pagesPerChunk, word: Int(next % Self.pagesPerChunk / 64),
                mask: ones << bit, firstPage: next - bit)
        }
    }
}
