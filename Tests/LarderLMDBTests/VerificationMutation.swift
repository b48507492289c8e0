@testable import AdapterTestSupport

/// A random damage to a file.
struct VerificationMutation: CustomStringConvertible {
    let description: String

    /// Damages a file, and says how; one that was cut to almost nothing stays as it is.
    init(of image: inout VerificationImage, _ random: inout Seed) {
        guard image.pageCount > 2 else {
            description = "nothing more"
            return
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: description = Self.flipAnywhere(&image, &random)
        case 1, 2, 3: description = Self.flipInHeader(&image, &random)
        case 4, 5: description = Self.flipInMeta(&image, &random)
        case 6: description = Self.extremeNumber(&image, &random)
        case 7: description = Self.zeroPage(&image, &random)
        case 8: description = Self.swapPages(&image, &random)
        case 9: description = Self.copyPage(&image, &random)
        case 10: description = Self.noise(&image, &random)
        default: description = Self.truncate(&image, &random)
        }
    }

    private static func page(of image: VerificationImage, _ random: inout Seed) -> Int {
        Int.random(in: 0..<max(1, image.pageCount), using: &random)
    }

    private static func flip(
        _ range: Range<Int>, _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let place = Int.random(in: range, using: &random)
        let bit = Int.random(in: 0..<8, using: &random)
        image.bytes[place] ^= 1 << UInt8(bit)
        return "bit \(bit) of byte \(place % 4096) on page \(place / 4096) flipped"
    }

    private static func flipAnywhere(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        flip(0..<image.bytes.count, &image, &random)
    }

    /// In the header, among the offsets of the nodes, or in the header or key of a node.
    private static func flipInHeader(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let start = page(of: image, &random) * 4096
        guard Bool.random(using: &random) else { return flip(start..<(start + 40), &image, &random) }
        let count = max(1, min(2000, image.nodeCount(onPageAt: start)))
        let node = image.node(Int.random(in: 0..<count, using: &random), onPageAt: start)
        let place = min(node, image.bytes.count - 17)
        return flip(place..<(place + 17), &image, &random)
    }

    private static func flipInMeta(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let start = Bool.random(using: &random) ? 0 : 4096
        return flip(start..<(start + 152), &image, &random)
    }

    private static func extremeNumber(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let start = page(of: image, &random) * 4096
        let place = start + 2 * Int.random(in: 0..<80, using: &random)
        let number: UInt16 =
            [0, 1, 2, 15, 16, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF].randomElement(using: &random) ?? 0
        image[place] = number
        return "\(number) in byte \(place % 4096) on page \(place / 4096)"
    }

    private static func zeroPage(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let page = page(of: image, &random)
        image.bytes.replaceSubrange((page * 4096)..<(page * 4096 + 4096), with: repeatElement(0, count: 4096))
        return "page \(page) zeroed"
    }

    private static func swapPages(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let (first, second) = (page(of: image, &random), page(of: image, &random))
        for byte in 0..<4096 { image.bytes.swapAt(first * 4096 + byte, second * 4096 + byte) }
        return "pages \(first) and \(second) swapped"
    }

    /// As when a write has not arrived, or has arrived elsewhere.
    private static func copyPage(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let (from, to) = (page(of: image, &random), page(of: image, &random))
        for byte in 8..<4096 { image.bytes[to * 4096 + byte] = image.bytes[from * 4096 + byte] }
        return "page \(from) copied over page \(to), but for its number"
    }

    private static func noise(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let count = Int.random(in: 1...64, using: &random)
        let place = Int.random(in: 0..<(image.bytes.count - count), using: &random)
        image.bytes.replaceSubrange(place..<(place + count), with: random.bytes(count))
        return "\(count) bytes of noise from byte \(place % 4096) on page \(place / 4096)"
    }

    private static func truncate(
        _ image: inout VerificationImage, _ random: inout Seed
    ) -> String {
        let count = Int.random(in: 0..<image.bytes.count, using: &random)
        image.bytes.removeLast(Bool.random(using: &random) ? count : count / 4096 * 4096)
        return "cut to \(image.bytes.count) bytes"
    }
}
