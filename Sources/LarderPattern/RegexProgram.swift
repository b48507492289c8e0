/// A regular expression as instructions of a machine that follows all ways through the pattern at once.
///
/// There is no backtracking: each scalar of the text is read once, and for each of them every instruction is
/// visited once at most (Thompson's construction).
///
/// *Cost:* the length of the text times the number of instructions that are reached at a place.
struct RegexProgram: Sendable {
    enum Instruction: Sendable {
        case scalar(UInt32)
        case set(Int)
        case split(Int, Int)
        case jump(Int)
        case assertion(RegexAssertion)
        case match
    }

    private(set) var instructions: [Instruction] = []
    private(set) var sets: [RegexSet] = []
    /// The folding of the text, with what the pattern itself asks for.
    let folding: TextFolding
    /// The text that every match begins with.
    private(set) var prefix = ""

    init(_ pattern: String, folding: TextFolding) throws(PatternError) {
        var parser = RegexParser(pattern, folding: folding)
        let node = try parser.parse()
        self.folding = parser.folding
        try append(node)
        instructions.append(.match)
        // No way leads around the instructions before the first branch.
        for instruction in instructions {
            if case .assertion(.start) = instruction, prefix.isEmpty { continue }
            guard case .scalar(let value) = instruction, let scalar = Unicode.Scalar(value) else { break }
            prefix.unicodeScalars.append(scalar)
        }
    }

    private mutating func append(_ instruction: Instruction) throws(PatternError) {
        if instructions.count >= PatternLimits.size { throw .tooLarge }
        instructions.append(instruction)
    }

    private mutating func append(_ node: RegexNode) throws(PatternError) {
        switch node {
        case .empty: return
        case .scalar(let scalar): try append(.scalar(scalar.value))
        case .set(let set):
            sets.append(set)
            try append(.set(sets.count - 1))
        case .assertion(let assertion): try append(Instruction.assertion(assertion))
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .alternatives(let nodes): try append(alternatives: nodes)
        case .repetition(let inner, let least, let most):
            for _ in 0..<least {
                let start = instructions.count
                try append(inner)
                if instructions.count == start { break }  // nothing, however often
            }
            if let most {
                try append(optional: inner, times: most - least)
            } else {
                let start = instructions.count
                try append(.split(0, 0))
                try append(inner)
                try append(.jump(start))
                instructions[start] = .split(start + 1, instructions.count)
            }
        }
    }

    private mutating func append(alternatives nodes: [RegexNode]) throws(PatternError) {
        var jumps: [Int] = []
        for (position, node) in nodes.enumerated() {
            let start = instructions.count
            let isLast = position == nodes.count - 1
            if !isLast { try append(.split(0, 0)) }
            try append(node)
            if isLast { continue }
            jumps.append(instructions.count)
            try append(.jump(0))
            instructions[start] = .split(start + 1, instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func append(optional node: RegexNode, times count: Int) throws(PatternError) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(instructions.count)
            try append(.split(0, 0))
            try append(node)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }
}

// MARK: Running

extension RegexProgram {
    /// True if the pattern describes the whole of a text, which is folded.
    ///
    /// - Parameter steps: Grows by one for each instruction that is visited.
    func matches(_ text: UnsafeRawBufferPointer, steps: inout Int) -> Bool {
        let count = instructions.count
        // The instructions to continue from, the instructions of the next scalar, the ones left to visit, and
        // for each instruction the number of the place where it was last visited.
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 5 * count) { memory in
            let visits = UnsafeMutableBufferPointer(rebasing: memory[(4 * count)...])
            visits.initialize(repeating: -1)
            var run = RegexRun(
                program: self, text: text,
                current: UnsafeMutableBufferPointer(rebasing: memory[..<count]),
                next: UnsafeMutableBufferPointer(rebasing: memory[count..<(2 * count)]),
                stack: UnsafeMutableBufferPointer(rebasing: memory[(2 * count)..<(4 * count)]),
                visits: visits)
            defer { steps += run.steps }
            return run.matches()
        }
    }
}

private struct RegexRun {
    let program: RegexProgram
    let text: UnsafeRawBufferPointer
    // reason: memory for the time of one test, which is not checked for each step.
    var current: UnsafeMutableBufferPointer<Int32>
    var next: UnsafeMutableBufferPointer<Int32>
    let stack: UnsafeMutableBufferPointer<Int32>
    let visits: UnsafeMutableBufferPointer<Int32>
    var steps = 0
    private var currentCount = 0
    private var nextCount = 0
    private var place: Int32 = 0
    private var hasMatch = false

    init(
        program: RegexProgram, text: UnsafeRawBufferPointer, current: UnsafeMutableBufferPointer<Int32>,
        next: UnsafeMutableBufferPointer<Int32>, stack: UnsafeMutableBufferPointer<Int32>,
        visits: UnsafeMutableBufferPointer<Int32>
    ) {
        self.program = program
        self.text = text
        self.current = current
        self.next = next
        self.stack = stack
        self.visits = visits
    }

    mutating func matches() -> Bool {
        var decoder = ScalarDecoder(text)
        var previous: Unicode.Scalar?
        var following = decoder.next()
        follow(0, after: previous, before: following)
        swapLists()
        while let scalar = following {
            if currentCount == 0 { return false }
            following = decoder.next()
            previous = scalar
            place &+= 1
            hasMatch = false
            for position in 0..<currentCount {
                let number = Int(current[position])
                steps += 1
                let isMet =
                    switch program.instructions[number] {
                    case .scalar(let value): value == scalar.value
                    case .set(let set): program.sets[set].contains(scalar)
                    case .split, .jump, .assertion, .match: false
                    }
                if isMet { follow(number + 1, after: previous, before: following) }
            }
            swapLists()
        }
        return hasMatch
    }

    private mutating func swapLists() {
        swap(&current, &next)
        (currentCount, nextCount) = (nextCount, 0)
    }

    /// Collects the instructions that read a scalar and are reached without reading one.
    private mutating func follow(
        _ start: Int, after previous: Unicode.Scalar?, before following: Unicode.Scalar?
    ) {
        var depth = 0
        stack[0] = Int32(truncatingIfNeeded: start)
        depth = 1
        while depth > 0 {
            depth -= 1
            let number = Int(stack[depth])
            if visits[number] == place { continue }
            visits[number] = place
            steps += 1
            switch program.instructions[number] {
            case .scalar, .set:
                next[nextCount] = Int32(truncatingIfNeeded: number)
                nextCount += 1
            case .match: hasMatch = true
            case .jump(let target):
                stack[depth] = Int32(truncatingIfNeeded: target)
                depth += 1
            case .split(let first, let second):
                stack[depth] = Int32(truncatingIfNeeded: second)
                stack[depth + 1] = Int32(truncatingIfNeeded: first)
                depth += 2
            case .assertion(let assertion):
                guard assertion.holds(after: previous, before: following) else { continue }
                stack[depth] = Int32(truncatingIfNeeded: number + 1)
                depth += 1
            }
        }
    }
}

extension RegexAssertion {
    fileprivate func holds(after previous: Unicode.Scalar?, before following: Unicode.Scalar?) -> Bool {
        let isWord = RegexSet.Kind.word.contains
        switch self {
        case .start: return previous == nil
        case .end: return following == nil
        case .wordBoundary: return (previous.map(isWord) ?? false) != (following.map(isWord) ?? false)
        case .noWordBoundary: return (previous.map(isWord) ?? false) == (following.map(isWord) ?? false)
        }
    }
}

/// The scalars of UTF-8, one after the other; what is not UTF-8 is U+FFFD.
private struct ScalarDecoder {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func next() -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        let first = UInt32(bytes[position])
        position += 1
        if first < 0x80 { return Unicode.Scalar(first) }
        let count = first >= 0xF0 ? 3 : (first >= 0xE0 ? 2 : 1)
        var value = first & (0x3F >> UInt32(count))
        guard position + count <= bytes.count, first >= 0xC0 else { return "\u{FFFD}" }
        for offset in 0..<count { value = value << 6 | UInt32(bytes[position + offset] & 0x3F) }
        position += count
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
