import Foundation
import Larder
import LarderTransfer
import LarderEngine
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// A stored schema that contradicts itself, or the store around it, is refused or reported, and ends no
/// process.
struct SchemaMutationTests {
    private static let rounds = Repetitions.count(150, long: 5000)

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases, SchemaMutation.all)
    func `a wrong schema is damage that is named`(_ engine: Engine, _ mutation: SchemaMutation) throws {
        let place = folder.place(engine, "store")
        try Cargo.fill(place)
        try place.replaceStoredSchema(by: try mutation.applied(to: try Self.schema(of: place)))

        let untyped = thrown { _ = try UntypedStore(reading: place.address) }
        let typed = thrown { try place.withStore { _ in } }

        for error in [untyped, typed] {
            #expect(error?.code == .damaged)
            #expect(error?.message.contains(mutation.message) == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: Engine.allCases, ["", "{}", "[]", "null", "{\"entities\":[", "\u{FEFF}{}", "7"])
    func `what is not a schema is damage`(_ engine: Engine, _ text: String) throws {
        let place = folder.place(engine, "store")
        try Cargo.fill(place)
        try place.replaceStoredSchema(by: Data(text.utf8))

        #expect(code { _ = try UntypedStore(reading: place.address) } == .damaged)
        #expect(code { try place.withStore { _ in } } == .damaged)
    }

    @Test(arguments: Engine.allCases)
    func `a schema changed at random is refused, or fails in nothing that the check calls sound`(
        _ engine: Engine
    ) throws {
        var random = Seed.ofProcess()
        var (refused, sound, reported) = (0, 0, 0)
        for round in 0..<Self.rounds {
            let place = folder.place(engine, "store \(round)")
            try Cargo.fill(place)
            let json = try JSONSerialization.jsonObject(with: try Self.schema(of: place))
            var changed = RandomJSON.mutated(json, &random)
            if Bool.random(using: &random) { changed = RandomJSON.mutated(changed, &random) }
            let bytes = try JSONSerialization.data(
                withJSONObject: changed, options: [.sortedKeys, .fragmentsAllowed])
            try place.replaceStoredSchema(by: bytes)

            let comment: Comment = "round \(round), \(random): \(String(decoding: bytes, as: UTF8.self))"
            do {
                if try place.ownProblems().isEmpty {
                    sound += 1
                    Self.use(place, comment)
                } else {
                    reported += 1
                    // As the app's types are other than the schema, an error is expected, and a crash is not.
                    _ = thrown { try Self.useTyped(place) }
                }
            } catch {
                refused += 1
                #expect(error is DataStoreError, "\(comment): \(error)")
                _ = thrown { try Self.useTyped(place) }
            }
        }
        print("\(engine): \(refused) schemas refused, \(reported) reported by the check, \(sound) sound")
        #expect(refused > Self.rounds / 3)
    }

    @Test(arguments: SchemaMutation.all)
    func `a wrong first line of JSON Lines is refused, and skipped is what only a store keeps`(
        _ mutation: SchemaMutation
    ) throws {
        let source = folder.place(.memory, "source")
        try Cargo.fill(source)
        var lines = try source.exported().split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let sound = try JSONSerialization.jsonObject(with: Data(lines[0]))
        let header = try mutation.applied(to: Data(lines[0]))
        #expect(try header != JSONSerialization.data(withJSONObject: sound, options: .sortedKeys))
        lines[0] = header[...]
        let text = Data(lines.joined(separator: Data("\n".utf8)))

        let error = thrown { _ = try folder.place(.memory, "copy").importing(text) }

        #expect(error?.code == mutation.codeInLines, "\(String(describing: error))")
    }

    /// What a store called sound has to bear: everything is read, and written where the app's types fit.
    private static func use(_ place: Place, _ comment: Comment) {
        let untyped = thrown { _ = try place.exported() }
        #expect(untyped == nil, "\(comment): \(untyped.map(String.init(describing:)) ?? "")")
        guard let error = thrown({ try useTyped(place) }) else { return }
        let refusals: [DataStoreError.Code] = [.schemaMismatch, .uniqueViolation, .duplicateIdentifier]
        #expect(refusals.contains(error.code), "\(comment): \(error)")
    }

    private static func useTyped(_ place: Place) throws {
        try place.withStore { store in
            _ = try store.read { try $0.items(for: Everything.all) }
            _ = try store.read { try $0.items(for: Keyed<Int64>.all) }
            _ = try store.read { try $0.items(for: Keyed<String>.all) }
            _ = try store.read { try $0.items(for: Keyed<UUID>.all) }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (100..<110).map { Keyed(Int64($0), label: "new\($0)") })
                try accessor.deleteAllItems(of: Everything.self)
            }
        }
    }

    private static func schema(of place: Place) throws -> Data {
        try place.withAdapter { _, _ in }
        return try #require(try place.address.adapter(for: .reading).storedSchema()).encoded()
    }
}
