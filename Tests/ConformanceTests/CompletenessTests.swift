import Foundation
import LarderConformance
import Testing

/// No case is forgotten: what is written down is run, and every rule has its proof.
struct CompletenessTests {
    @Test func `every case in the source is in the suite`() throws {
        let written = try sources().reduce(0) { $0 + occurrences(of: "ConformanceCase\\(\\s*\"", in: $1) }

        #expect(written == ConformanceSuite.allCases.count)
    }

    @Test func `titles are sentences of their own`() {
        let titles = ConformanceSuite.allCases.map(\.title)

        #expect(Set(titles).count == titles.count)
        for title in titles { #expect(title.contains(" ") && !title.hasSuffix(".") && title.count < 100) }
    }

    @Test func `cases that are left out over several parts exist`() {
        let titles = Set(ConformanceSuite.allCases.map(\.title))

        #expect(CasesInParts.leftOut.subtracting(titles) == [])
        #expect(CasesInParts.leftOutForItems.subtracting(titles) == [])
        #expect(CasesInParts.acrossParts.subtracting(titles) == [])
    }

    @Test(arguments: Array(1...13) + Array(15...23)) func `every rule of the contract is proven by a case`(
        rule: Int
    ) {
        #expect(ConformanceSuite.allCases.contains { $0.rules.contains(rule) })
    }

    @Test func `every case proves a rule that there is`() {
        for testCase in ConformanceSuite.allCases {
            #expect(!testCase.rules.isEmpty, "\(testCase)")
            #expect(testCase.rules.allSatisfy { (1...23).contains($0) }, "\(testCase)")
        }
    }

    /// The source files that cases are written in.
    private func sources() throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/LarderConformance/Cases")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        try #require(files.contains { $0.lastPathComponent == "ReadingCases.swift" })
        return try files.filter { $0.pathExtension == "swift" }.map {
            try String(contentsOf: $0, encoding: .utf8)
        }
    }

    /// How often a pattern is found.
    private func occurrences(of pattern: String, in source: String) -> Int {
        var count = 0
        var rest = source.startIndex..<source.endIndex
        while let found = source.range(of: pattern, options: .regularExpression, range: rest) {
            count += 1
            rest = found.upperBound..<source.endIndex
        }
        return count
    }
}
