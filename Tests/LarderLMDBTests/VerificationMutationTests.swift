import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderLMDB

/// Whatever the check lets through, LMDB can read and write.
@Suite struct `The check of files damaged at random` {
    private static let rounds = Repetitions.count(400, long: 12_000)
    /// For how many files that were found damaged LMDB is asked too, to see that the damage is real.
    private static let probes = Repetitions.count(60, long: 1000)

    @Test func `lets nothing through that kills a process`() throws {
        var random = Seed.ofProcess()
        let folder = try TemporaryFolder()
        let originals = try Self.originals(in: folder)
        let path = folder.path("mutated")
        var tally = Tally()
        var child = try VerificationChild()

        for round in 0..<Self.rounds {
            var image = originals[round % originals.count]
            let damage = (0...Int.random(in: 0...3, using: &random) / 2)
                .map { _ in VerificationMutation(of: &image, &random).description }
            guard image.bytes != originals[round % originals.count].bytes else {
                tally.unchanged += 1
                continue
            }
            try image.write(to: path)
            let problems = try LMDBFileCheck.problems(inFileAt: path)
            #expect(try VerificationImage(path).bytes == image.bytes, "round \(round), \(random)")
            guard problems.isEmpty || tally.probed < Self.probes else {
                tally.found += 1
                continue
            }

            let outcome = child.use(path)
            tally.note(outcome, isFound: !problems.isEmpty)
            if problems.isEmpty {
                #expect(outcome == .fine, "round \(round), \(random): \(damage)")
                #expect(
                    try LMDBFileCheck.problems(inFileAt: path) == [], "round \(round), \(random): \(damage)")
            }
            if case .died = outcome { child = try VerificationChild() }
        }

        print(tally)
        #expect(tally.found > Self.rounds / 4)
        #expect(tally.passed > Self.rounds / 20)
        #expect(tally.deaths > 0, "no damage was dangerous: \(tally)")
    }

    private static func originals(in folder: TemporaryFolder) throws -> [VerificationImage] {
        let names = [
            "several tables", "large values", "pages freed before they were written",
            "many small transactions",
        ]
        var images = try VerificationShape.all.filter { names.contains($0.testDescription) }.map { shape in
            let path = folder.path(shape.testDescription)
            try shape.make(VerificationEnvironment(path))
            return try VerificationImage(path)
        }
        try VerificationPlant.makeFile(folder.path("planted"))
        images.append(try VerificationImage(folder.path("planted")))
        return images
    }

    private struct Tally: CustomStringConvertible {
        /// A page swapped with itself, a number set to what it was: no damage, and not counted as any.
        var unchanged = 0
        var found = 0
        var passed = 0
        var probed = 0
        var errors = 0
        var deaths = 0

        mutating func note(_ outcome: VerificationChild.Outcome, isFound: Bool) {
            guard isFound else {
                passed += 1
                return
            }
            found += 1
            probed += 1
            switch outcome {
            case .fine: break
            case .error: errors += 1
            case .died: deaths += 1
            }
        }

        var description: String {
            "mutations: \(unchanged) changed nothing, \(found) found, \(passed) passed and harmless; "
                + "of \(probed) found ones given to LMDB, \(deaths) killed the process and \(errors) gave an error"
        }
    }
}
