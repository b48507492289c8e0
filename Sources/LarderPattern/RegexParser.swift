/// Reads a regular expression; `Filter.matches` of the kernel documents how they are written.
struct RegexParser {
    private let pattern: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    /// The folding of literals and sets; a leading `(?i)` adds to it.
    private(set) var folding: TextFolding
    private var dotIsAny = false

    init(_ pattern: String, folding: TextFolding) {
        self.pattern = pattern
        scalars = Array(pattern.unicodeScalars)
        self.folding = folding
    }

    mutating func parse() throws(PatternError) -> RegexNode {
        if scalars.count > PatternLimits.length { throw .tooLong(scalars.count) }
        takeFlags()
        let node = try alternatives()
        if position < scalars.count {
            throw error("A parenthesis is closed that was not opened", at: position)
        }
        return node
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private func error(_ problem: String, at position: Int) -> PatternError {
        PatternError(problem, at: position, in: pattern)
    }

    private func error(_ problem: String, from start: Int) -> PatternError {
        PatternError(problem, at: start..<max(start, min(position, scalars.count)), in: pattern)
    }

    /// Takes `(?i)`, `(?s)` or `(?is)` at the beginning.
    private mutating func takeFlags() {
        guard scalars.starts(with: "(?".unicodeScalars), let end = scalars.firstIndex(of: ")") else { return }
        let flags = scalars[2..<end]
        guard !flags.isEmpty, flags.allSatisfy({ $0 == "i" || $0 == "s" }) else { return }
        if flags.contains("i") { folding.ignoresCase = true }
        if flags.contains("s") { dotIsAny = true }
        position = end + 1
    }

    private mutating func alternatives() throws(PatternError) -> RegexNode {
        var alternatives = [try sequence()]
        while skip("|") { alternatives.append(try sequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func sequence() throws(PatternError) -> RegexNode {
        var nodes: [RegexNode] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            let start = position
            nodes.append(try repeated(try element(), from: start))
        }
        return nodes.count == 1 ? nodes[0] : (nodes.isEmpty ? .empty : .sequence(nodes))
    }

    private mutating func element() throws(PatternError) -> RegexNode {
        let start = position
        guard let scalar = current else { return .empty }
        position += 1
        switch scalar {
        case "(": return try group(from: start)
        case "[": return .set(try set(from: start))
        case ".": return .set(.any(withLineFeed: dotIsAny))
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "\\": return try escape(from: start)
        case "*", "+", "?": throw error("There is nothing to repeat", from: start)
        case "{", "}", "]":
            throw error("This sign stands for itself only after a backslash", from: start)
        default: return literal(scalar)
        }
    }

    /// The scalar as it is folded, which may be several.
    private func literal(_ scalar: Unicode.Scalar) -> RegexNode {
        if folding.isExact { return .scalar(scalar) }
        let folded = folding.folded(String(scalar)).unicodeScalars.map { RegexNode.scalar($0) }
        return folded.count == 1 ? folded[0] : .sequence(folded)
    }

    // MARK: Groups and repetitions

    private mutating func group(from start: Int) throws(PatternError) -> RegexNode {
        depth += 1
        if depth > PatternLimits.depth {
            throw error("Groups nest more than \(PatternLimits.depth) deep", from: start)
        }
        if skip("?") {
            if skip("<"), current != "=", current != "!" {
                let nameStart = position
                while let scalar = current, scalar != ">" {
                    position += 1
                    if !scalar.properties.isAlphabetic, scalar != "_", !("0"..."9").contains(scalar) {
                        throw error("The name of a group is letters and digits", from: start)
                    }
                }
                let isEmpty = position == nameStart
                guard skip(">") else { throw error("The name of a group has no end", from: start) }
                if isEmpty { throw error("The name of a group is letters and digits", from: start) }
            } else if !skip(":") {
                position += 1
                throw error(
                    "Only groups as (…), (?:…) and (?<name>…) are known, and (?i) or (?s) at the beginning",
                    from: start)
            }
        }
        let node = try alternatives()
        guard skip(")") else { throw error("A parenthesis is not closed", at: start) }
        depth -= 1
        return node
    }

    private mutating func repeated(_ node: RegexNode, from start: Int) throws(PatternError) -> RegexNode {
        let signStart = position
        guard let bounds = try bounds() else { return node }
        // A test of the whole text is the same for lazy repetitions.
        _ = skip("?")
        if let next = current, next == "*" || next == "+" || next == "?" || next == "{" {
            position += 1
            throw error("A repetition cannot be repeated; put it in parentheses", from: signStart)
        }
        return .repetition(node, bounds.least, bounds.most)
    }

    private mutating func bounds() throws(PatternError) -> (least: Int, most: Int?)? {
        let start = position
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        guard skip("{") else { return nil }
        let least = number()
        let hasComma = skip(",")
        let most = hasComma ? number() : least
        guard skip("}"), let least, most.map({ $0 >= least }) ?? hasComma else {
            position = min(position + 1, scalars.count)
            throw error("Repetitions are written as {3}, {3,} or {3,5}", from: start)
        }
        if max(least, most ?? 0) > PatternLimits.repetitions {
            throw error("At most \(PatternLimits.repetitions) repetitions are counted", from: start)
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = current, ("0"..."9").contains(scalar) {
            position += 1
            value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
        }
        return value
    }
}

// MARK: Sets and escapes

extension RegexParser {
    private mutating func set(from start: Int) throws(PatternError) -> RegexSet {
        var set = RegexSet()
        let isNegated = skip("^")
        var isEmpty = true
        while let scalar = current, scalar != "]" {
            isEmpty = false
            let memberStart = position
            guard let first = try member(scalar, of: &set) else { continue }
            guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.insert(first.value...first.value)
                continue
            }
            position += 1
            guard let next = current, let last = try member(next, of: &set) else {
                throw error("A range ends with a single character", from: memberStart)
            }
            if last.value < first.value {
                throw error("The range ends before it begins", from: memberStart)
            }
            set.insert(first.value...last.value)
        }
        guard skip("]") else { throw error("A bracket is not closed", at: start) }
        if isEmpty { throw error("A set of characters is empty", from: start) }
        set.finish(isNegated: isNegated, folding: folding)
        return set
    }

    /// Takes a scalar of a set, or inserts the kind that an escape names.
    private mutating func member(
        _ scalar: Unicode.Scalar, of set: inout RegexSet
    ) throws(PatternError) -> Unicode.Scalar? {
        let start = position
        position += 1
        if scalar == "[" {
            throw error("A bracket inside of brackets stands for itself only after a backslash", from: start)
        }
        guard scalar == "\\" else { return scalar }
        if let (kind, isNegated) = kind(current) {
            position += 1
            set.insert(kind, isNegated: isNegated)
            return nil
        }
        return try escapedScalar(from: start)
    }

    private func kind(_ letter: Unicode.Scalar?) -> (RegexSet.Kind, isNegated: Bool)? {
        switch letter {
        case "d": (.digit, false)
        case "D": (.digit, true)
        case "w": (.word, false)
        case "W": (.word, true)
        case "s": (.space, false)
        case "S": (.space, true)
        default: nil
        }
    }

    private mutating func escape(from start: Int) throws(PatternError) -> RegexNode {
        if let (kind, isNegated) = kind(current) {
            position += 1
            var set = RegexSet()
            set.insert(kind, isNegated: isNegated)
            set.finish(
                isNegated: false,
                folding: .exact)
            return .set(set)
        }
        switch current {
        case "A": position += 1; return .assertion(.start)
        case "z": position += 1; return .assertion(.end)
        case "b": position += 1; return .assertion(.wordBoundary)
        case "B": position += 1; return .assertion(.noWordBoundary)
        default: return literal(try escapedScalar(from: start))
        }
    }

    private mutating func escapedScalar(from start: Int) throws(PatternError) -> Unicode.Scalar {
        guard let letter = current else { throw error("The pattern ends with a single backslash", at: start) }
        position += 1
        switch letter {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{C}"
        case "v": return "\u{B}"
        case "0": return "\0"
        case "x": return try hexadecimal(from: start, digits: 2)
        case "u": return try hexadecimal(from: start, digits: 4)
        default:
            let isSign = letter.isASCII && !letter.properties.isAlphabetic && !("0"..."9").contains(letter)
            if isSign { return letter }
            throw error("The escape is not known", from: start)
        }
    }

    /// Takes the digits of `\x41`, `\u0041`, `\x{1F370}` or `\u{1F370}`.
    private mutating func hexadecimal(from start: Int, digits: Int) throws(PatternError) -> Unicode.Scalar {
        var text = ""
        if skip("{") {
            while let scalar = current, scalar != "}", text.utf8.count <= 6 {
                text.unicodeScalars.append(scalar)
                position += 1
            }
            guard skip("}") else { throw error("The number of a character has no end", from: start) }
        } else {
            while let scalar = current, text.unicodeScalars.count < digits {
                text.unicodeScalars.append(scalar)
                position += 1
            }
            if text.unicodeScalars.count < digits { text = "" }
        }
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
        else { throw error("This is not the number of a character", from: start) }
        return scalar
    }
}
