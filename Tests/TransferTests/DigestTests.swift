import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Digests are equal where the items are, whatever the engine and the order of writing.
struct DigestTests {
    @Test
    func `the same items have the same digests on every engine`() throws {
        let folder = try TemporaryFolder()
        let digests = try Engine.allCases.map { engine in
            let place = folder.place(engine, "store-\(engine)")
            try Cargo.fill(place)
            return try place.digests()
        }

        #expect(digests[0].map(\.count) == [3, 25, Cargo.named.count, 7])
        #expect(Set(digests[0].map(\.digest)).count == 4)
        #expect(digests[1] == digests[0])
        #expect(digests[2] == digests[0])
    }

    @Test
    func `the digest of a row stays as it is documented`() throws {
        let place = Place(.memory, at: URL(fileURLWithPath: "/"))
        try place.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(1), label: "one", rank: 2)) }
        }

        // Written out by hand, as Documentation/Transfer.md says; hashed by another implementation.
        let digest = try #require(try place.digests().first)
        #expect(digest.digest.description == Self.documented)
    }

    private static let documented = "1fce9942dcb63c9a6912d54abdb3be1b"

    @Test
    func `every change of a value changes the digest`() throws {
        let folder = try TemporaryFolder()
        let place = folder.place(.memory, "store")
        let original = Keyed(Int64(1), label: "one", rank: 2)
        let variants = [
            original, Keyed(2, label: "one", rank: 2), Keyed(1, label: "onf", rank: 2),
            Keyed(1, label: nil, rank: 2), Keyed(1, label: "", rank: 2), Keyed(1, label: "one", rank: 3),
            Keyed(1, label: "one\u{0}", rank: 2), Keyed(1, label: "one", rank: -2),
        ]

        var digests: Set<RowDigest> = []
        for variant in variants {
            try place.withStore(storing: [Keyed<Int64>.self]) { store in
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Keyed<Int64>.self)
                    try accessor.insert(variant)
                }
            }
            digests.insert(try #require(try place.digests().first).digest)
        }

        #expect(digests.count == variants.count)
    }
}
