import Foundation
import Larder
import LarderLMDB
import Testing

@testable import AdapterTestSupport

/// A damaged store that the look at its structure lets through fails in nothing that the check calls sound.
@Suite struct `Copies of an LMDB store damaged at random` {
    private static let rounds = Repetitions.count(600, long: 12_000)

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `are refused, or fail in nothing that the check calls sound`() throws {
        var random = Seed.ofProcess()
        let path = folder.path("original")
        try Self.makeOriginal(path)
        let original = try VerificationImage(path)
        var tally = DamageTally()

        for round in 0..<Self.rounds {
            var image = original
            let damage = (0...Int.random(in: 0...3, using: &random) / 2)
                .map { _ in Self.damage(&image, &random) }
            if image.bytes == original.bytes {
                tally.unchanged += 1
                continue
            }
            let comment: Comment = "round \(round), \(random): \(damage)"
            let trial = try use(image, comment)
            tally.note(trial)
            #expect(!trial.isEscape, "\(comment): \(trial.failures)")
        }

        print(tally)
        #expect(tally.used > Self.rounds / 10)
        #expect(tally.refused > Self.rounds / 20)
    }

    private func use(_ image: VerificationImage, _ comment: Comment) throws -> DamageTrial {
        let url = folder.file("damaged")
        for suffix in ["", "-lock", "-writer"] {
            try? FileManager.default.removeItem(at: folder.file("damaged" + suffix))
        }
        try image.write(to: url.path)
        let store = LMDBDataStore(
            at: url, storing: [Recipe.self, Tag.self],
            options: LMDBOptions(durability: .none, verification: .structure))
        let trial = try DamageTrial(of: store) { try store.checkIntegrity() }
        if let refusal = trial.refusal {
            #expect(try VerificationImage(url.path).bytes == image.bytes, comment)
            #expect(refusal.code != .engine, "\(comment): \(refusal)")
        }
        return trial
    }

    /// Damages the structure, or the contents: a bit anywhere, most of which are in keys and values.
    private static func damage(_ image: inout VerificationImage, _ random: inout Seed) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return VerificationMutation(of: &image, &random).description
        }
        let place = Int.random(in: 0..<image.bytes.count, using: &random)
        let bit = UInt8.random(in: 0..<8, using: &random)
        image.bytes[place] ^= 1 << bit
        return "bit \(bit) of byte \(place) flipped"
    }

    private static func makeOriginal(_ path: String) throws {
        let store = LMDBDataStore(
            at: URL(fileURLWithPath: path), storing: [Recipe.self, Tag.self],
            options: LMDBOptions(durability: .none))
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: (1...200).map {
                    Recipe($0, note: $0 % 20 == 0 ? String(repeating: "x", count: 9000) : nil)
                })
            try accessor.insert(contentsOf: (1...100).map { Tag("tag \($0)", weight: $0) })
        }
        try store.writeSync { accessor in
            for id in Int64(40)...80 { try accessor.delete(id: id, of: Recipe.self) }
        }
        try store.tearDown()
    }
}
