/// A regular expression as a tree.
indirect enum RegexNode {
    case empty
    case scalar(Unicode.Scalar)
    case set(RegexSet)
    case sequence([RegexNode])
    case alternatives([RegexNode])
    /// A number of repetitions; nil for any.
    case repetition(RegexNode, Int, Int?)
    case assertion(RegexAssertion)
}

/// A condition on a place between two scalars.
enum RegexAssertion: Sendable {
    case start, end, wordBoundary, noWordBoundary
}

/// A set of scalars: ranges and kinds, or all others.
struct RegexSet: Sendable {
    private(set) var ranges: [ClosedRange<UInt32>] = []
    private(set) var kinds: [(kind: Kind, isNegated: Bool)] = []
    private var isNegated = false
    /// True if a scalar is a member whenever one of its cases is.
    private var ignoresCase = false
    /// The members below 128, as bits.
    private var ascii: (UInt64, UInt64) = (0, 0)

    /// The kinds of scalars that an escape names.
    enum Kind: Sendable {
        case digit, word, space
    }

    /// Every scalar, or every one but the line feed.
    static func any(withLineFeed: Bool) -> RegexSet {
        var set = RegexSet()
        if !withLineFeed { set.insert(0xA...0xA) }
        set.finish(isNegated: true, folding: .exact)
        return set
    }

    mutating func insert(_ range: ClosedRange<UInt32>) {
        ranges.append(range)
    }

    mutating func insert(_ kind: Kind, isNegated: Bool) {
        kinds.append((kind, isNegated))
    }

    /// The longest range whose members are folded one by one; the members of a longer one are found in a
    /// table, which takes a moment to make.
    private static let longestRangeWithoutTable = 1024

    /// Ends the set; nothing is inserted after it.
    mutating func finish(isNegated: Bool, folding: TextFolding) {
        if !folding.isExact {
            for range in ranges {
                if range.count <= Self.longestRangeWithoutTable {
                    for value in range {
                        if let folded = folding.scalar(for: value) { ranges.append(folded...folded) }
                    }
                } else {
                    ranges += folding.changedScalars(in: range).map { $0...$0 }
                }
            }
        }
        ranges = Self.merged(ranges)
        self.isNegated = isNegated
        ignoresCase = folding.ignoresCase
        for value in UInt32(0)..<128 where Unicode.Scalar(value).map(isMember) ?? false {
            if value < 64 { ascii.0 |= 1 << value } else { ascii.1 |= 1 << (value - 64) }
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 64 { return ascii.0 >> value & 1 == 1 }
        if value < 128 { return ascii.1 >> (value - 64) & 1 == 1 }
        return isMember(scalar)
    }

    private func isMember(_ scalar: Unicode.Scalar) -> Bool {
        var isNamed = names(scalar)
        if !isNamed, ignoresCase {
            let properties = scalar.properties
            isNamed = [properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
                .contains {
                    let scalars = $0.unicodeScalars
                    return scalars.count == 1 && scalars.first.map(names) ?? false
                }
        }
        return isNamed != isNegated
    }

    private func names(_ scalar: Unicode.Scalar) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].contains(scalar.value) { return true }
            if scalar.value < ranges[middle].lowerBound { high = middle } else { low = middle + 1 }
        }
        return kinds.contains { $0.kind.contains(scalar) != $0.isNegated }
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

extension RegexSet.Kind {
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .digit: scalar.properties.generalCategory == .decimalNumber
        case .space: scalar.properties.isWhitespace
        case .word:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
                true
            default: scalar.properties.isAlphabetic
            }
        }
    }
}
