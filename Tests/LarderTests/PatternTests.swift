import Larder
import Testing

@testable import AdapterTestSupport

struct `A pattern` {
    private func matches(
        _ pattern: String, _ text: String, ignoresCase: Bool = false, ignoresDiacritics: Bool = false
    ) throws -> Bool {
        let test = try PatternTest(
            .matches, pattern, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
        var text = text
        text.makeContiguousUTF8()
        return text.utf8.withContiguousStorageIfAvailable { test.matches(UnsafeRawBufferPointer($0)) }
            ?? false
    }

    /// The number of steps that a test of a text takes.
    private func steps(_ syntax: PatternTest.Syntax, _ pattern: String, _ text: String) throws -> Int {
        let test = try PatternTest(syntax, pattern)
        var steps = 0
        var text = text
        _ = text.withUTF8 { test.matches(UnsafeRawBufferPointer($0), steps: &steps) }
        return steps
    }

    @Test(arguments: [
        "(a*)*b", "(a|a)*b", "(a|aa)+b", "(a+)+b", "(a*a*)*b", "a*a*a*a*a*a*a*a*b", "((a?){30}){5}b",
        "(.*)*b",
        "(\\w+\\s?)*b", "([a-z]+)*[^a]",
    ])
    func `takes steps in proportion to the text, however hostile it is`(pattern: String) throws {
        let short = try steps(.matches, pattern, String(repeating: "a", count: 1000))
        let long = try steps(.matches, pattern, String(repeating: "a", count: 8000))

        // At most each instruction once, and once again to read the scalar.
        #expect(short < 1000 * 2 * 1000)
        #expect(long <= short * 8 + 8000, "\(pattern): \(short) steps for 1,000, and \(long) for 8,000")
    }

    @Test(arguments: ["*a*a*a*a*b", "*?a?*?a?*b", "a*a*a*a?"])
    func `with wild cards takes at most the steps of its length times the text's`(pattern: String) throws {
        let text = String(repeating: "a", count: 5000)

        #expect(try steps(.like, pattern, text) <= (text.utf8.count + 1) * (pattern.utf8.count + 1))
    }

    @Test func `of few letters fits the texts that a search through all ways finds`() throws {
        var seed = Seed.ofProcess()
        let texts = (0..<40).map { _ in
            String(
                (0..<Int.random(in: 0...7, using: &seed)).map { _ in "abc".randomElement(using: &seed) ?? "a"
                })
        }
        for _ in 0..<400 {
            let tree = Tree.random(&seed, depth: 3)
            let pattern = tree.pattern
            for text in texts {
                let expected = tree.ends(in: Array(text), from: 0).contains(text.count)
                let found = try matches(pattern, text)
                try #require(found == expected, "\(seed): \(pattern) and \(text)")
            }
        }
    }

    @Test(arguments: [
        ("[\u{C0}-\u{24F}]+", "\u{E9}e", false, true),
        ("[\u{C0}-\u{1FFF}]+", "\u{E9}e", false, true),
        ("[\u{C0}-\u{10FFFF}]+", "\u{E9}e", false, true), ("[\u{C0}-\u{1FFF}]+", "\u{C9}e", true, true),
        ("[\u{17F}-\u{180}]", "S", true, false), ("[\u{17F}-\u{1FFF}]", "S", true, false),
        ("[\u{2100}-\u{2150}]", "k", true, false), ("[\u{2000}-\u{3000}]", "k", true, true),
    ])
    func `fits what a range folds to, however long it is`(
        pattern: String, text: String, ignoresCase: Bool, ignoresDiacritics: Bool
    ) throws {
        #expect(try matches(pattern, text, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics))
        #expect(try !matches(pattern, text))
    }

    @Test(arguments: ["(?<a b>x)", "(?<#>x)", "(?<a-b>x)", "(?<>x)", "(?<a.b>x)"])
    func `refuses the name of a group that is not letters and digits`(pattern: String) throws {
        let error = #expect(throws: DataStoreError.self) { try PatternTest(.matches, pattern) }
        #expect(error?.message.contains("The name of a group is letters and digits") == true)
    }

    @Test func `that ignores case fits both cases of letters, sets and ranges`() throws {
        #expect(try matches("STRA\u{DF}E", "strasse", ignoresCase: true))
        #expect(try matches("[\u{C0}-\u{D6}]+", "\u{E0}\u{F6}", ignoresCase: true))
        #expect(try matches("[\u{400}-\u{4000}]", "\u{436}", ignoresCase: true))
        #expect(try !matches("[^a]", "A", ignoresCase: true))
        #expect(try matches("(?is)a.B", "A\nb"))
        #expect(try !matches("a.b", "a\nb"))
        #expect(try matches("\\x{1F370}\\u{e9}\\u00e9\\x41", "\u{1F370}\u{E9}\u{E9}A"))
        #expect(try matches("[\\]\\-\\\\a-c.]+", "]-\\b."))
        #expect(try matches("(?<year>\\d{4})-\\d\\d", "2024-05"))
        #expect(try matches("(?<a_1>x)(?<\u{E9}>y)", "xy"))
        #expect(try matches("\u{661}\\D\\S\\W", "\u{661}ab!"))
    }
}

/// A pattern as a tree, and a search that tries all ways through it.
private indirect enum Tree {
    case letter(Character), any, set([Character], Bool)
    case sequence([Tree]), either(Tree, Tree), times(Tree, Int, Int?)

    static func random(_ seed: inout Seed, depth: Int) -> Tree {
        let kind = Int.random(in: depth == 0 ? 0...2 : 0...6, using: &seed)
        switch kind {
        case 0: return .letter("abc".randomElement(using: &seed) ?? "a")
        case 1: return .any
        case 2: return .set(Array("abc".shuffled(using: &seed).prefix(2)), .random(using: &seed))
        case 3, 4: return .sequence((0..<3).map { _ in random(&seed, depth: depth - 1) })
        case 5: return .either(random(&seed, depth: depth - 1), random(&seed, depth: depth - 1))
        default:
            let least = Int.random(in: 0...2, using: &seed)
            let most = Bool.random(using: &seed) ? nil : least + Int.random(in: 0...2, using: &seed)
            return .times(random(&seed, depth: depth - 1), least, most)
        }
    }

    var pattern: String {
        switch self {
        case .letter(let letter): String(letter)
        case .any: "."
        case .set(let letters, let isNegated): "[\(isNegated ? "^" : "")\(String(letters))]"
        case .sequence(let parts): parts.map(\.pattern).joined()
        case .either(let left, let right): "(\(left.pattern)|\(right.pattern))"
        case .times(let inner, 0, nil): "(?:\(inner.pattern))*"
        case .times(let inner, 1, nil): "(\(inner.pattern))+?"
        case .times(let inner, let least, let most):
            "(\(inner.pattern)){\(least),\(most.map { "\($0)" } ?? "")}"
        }
    }

    /// The places where a match that begins at a place may end.
    func ends(in text: [Character], from start: Int) -> Set<Int> {
        switch self {
        case .letter(let letter): return start < text.count && text[start] == letter ? [start + 1] : []
        case .any: return start < text.count ? [start + 1] : []
        case .set(let letters, let isNegated):
            return start < text.count && letters.contains(text[start]) != isNegated ? [start + 1] : []
        case .sequence(let parts):
            return parts.reduce([start]) { starts, part in
                starts.reduce(into: []) { $0.formUnion(part.ends(in: text, from: $1)) }
            }
        case .either(let left, let right):
            return left.ends(in: text, from: start).union(right.ends(in: text, from: start))
        case .times(let inner, let least, let most):
            var (places, found) = (Set([start]), Set<Int>())
            if least == 0 { found.insert(start) }
            for count in 1...max(1, most ?? (least + text.count + 1)) where count <= most ?? .max {
                places = places.reduce(into: []) { $0.formUnion(inner.ends(in: text, from: $1)) }
                if count >= least { found.formUnion(places) }
            }
            return found
        }
    }
}
