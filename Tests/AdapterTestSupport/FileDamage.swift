/// A random damage to the bytes of a file.
struct FileDamage: CustomStringConvertible {
    let description: String

    /// Damages a file, and says how; one that was cut to almost nothing stays as it is.
    init(of bytes: inout [UInt8], pageBytes: Int, _ random: inout Seed) {
        guard bytes.count >= 2 * pageBytes else {
            description = "nothing more"
            return
        }
        let pages = bytes.count / pageBytes
        let (page, other) = (
            Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random)
        )
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: description = Self.flip(0..<bytes.count, &bytes, &random)
        case 2: description = Self.flip(0..<100, &bytes, &random)
        // Where a page's header and the places of its cells are.
        case 3, 4, 5:
            description = Self.flip(page * pageBytes..<(page * pageBytes + 40), &bytes, &random)
        // Where SQLite keeps the texts of the tables, and the store its schema; several bits, so that one is
        // in a text.
        case 10, 11, 12, 13:
            let flips = (0..<4).map { _ in Self.flip(100..<(min(pages, 8) * pageBytes), &bytes, &random) }
            description = flips.joined(separator: ", ")
        case 6:
            for place in 0..<pageBytes { bytes[page * pageBytes + place] = 0 }
            description = "page \(page) zeroed"
        case 7:
            for place in 0..<pageBytes { bytes.swapAt(page * pageBytes + place, other * pageBytes + place) }
            description = "pages \(page) and \(other) swapped"
        case 8:
            for place in 0..<pageBytes { bytes[other * pageBytes + place] = bytes[page * pageBytes + place] }
            description = "page \(page) copied over page \(other)"
        default:
            let count = Int.random(in: 0..<bytes.count, using: &random)
            bytes.removeLast(Bool.random(using: &random) ? count : count / pageBytes * pageBytes)
            description = "cut to \(bytes.count) bytes"
        }
    }

    private static func flip(_ range: Range<Int>, _ bytes: inout [UInt8], _ random: inout Seed) -> String {
        let place = Int.random(in: range, using: &random)
        let bit = UInt8.random(in: 0..<8, using: &random)
        bytes[place] ^= 1 << bit
        return "bit \(bit) of byte \(place) flipped"
    }
}
