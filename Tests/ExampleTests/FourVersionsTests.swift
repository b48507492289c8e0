import Foundation
import LarderTesting
import Testing

@testable import AdapterTestSupport
@testable import FourVersions

/// The example of an app whose types changed three times.
struct FourVersionsTests {
    @Test func `no version has changed since it was released`() throws {
        try expectSchema(
            history,
            matchesLock: """
                1: fdbee05510ebf9fc73dcdbbac3b62de8
                2: 5c53679ac550de049920bd5e7541caea
                3: 9b0f04f3c73221951f81de66ab4c7e22
                4: f8f767b3ed21b7f0c667b7f3b4f6c9df
                """)
    }

    @Test func `a store of every old version becomes one of today`() throws {
        let parts = try output().components(separatedBy: "\n\n").filter { !$0.isEmpty }

        #expect(parts.count == 6)
        #expect(
            parts.first == """
                SQLite, a store of version 1
                  Recipe 1; Pie; 90; Ada; apple,flour
                  Recipe 2; Bread; 150; Bo; flour
                  Recipe 3; Pie; 60; Ada; flour,plum
                  Note 1; Best warm.
                  Draft 1; Something with leek
                steps
                  1 → 2 inferred, 3 rows
                  2 → 3 mapped, 3 rows
                  3 → 4 mapped, 6 rows
                the current app reads
                  Pie: apple, flour
                  Bread: flour
                  Pie (3): flour, plum
                version 4
                  Author Ada; 2
                  Author Bo; 1
                  Ingredient apple
                  Ingredient flour
                  Ingredient plum
                  Recipe 1; Pie; 1.5; -; Best warm.; Ada
                  Recipe 2; Bread; 2.5; -; -; Bo
                  Recipe 3; Pie (3); 1.0; -; -; Ada
                """)
        let ends = parts.map { $0.components(separatedBy: "version 4").last }
        // Version 1 has no ratings.
        let rated = ends[0]?.replacing("2.5; -; -; Bo", with: "2.5; 5; -; Bo")
        #expect(ends == [ends[0], ends[0], rated, rated, rated, rated])
        for version in 0..<3 {
            let (sqlite, lmdb) = (parts[version * 2], parts[version * 2 + 1])
            #expect(lmdb == "LMDB" + sqlite.dropFirst("SQLite".count))
        }
    }

    private func output() throws -> String {
        let (process, printed) = (Process(), Pipe())
        process.executableURL = BuiltProgram.url(of: "FourVersions")
        process.standardOutput = printed
        try process.run()
        let data = printed.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
