import Foundation
import Larder
import LarderLMDB
import LarderRecords
import LarderSQLite
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Texts that are unique without regard to case, on the way between stores and in imports.
struct FoldedTransferTests {
    private static let types: [any DataStoreItem.Type] = [Cellar.self, Bottle.self]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func filled(_ engine: Engine) throws -> Place {
        let place = folder.place(engine, "source")
        try place.withStore(storing: Self.types) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Cellar(1, "North"), Cellar(2, "South")])
                try accessor.insert(contentsOf: [Bottle(1, "Straße", in: 1), Bottle(2, "PORT", in: 2)])
            }
        }
        return place
    }

    /// Expects that the store finds its items without regard to case, and has each once.
    private func expectFolded(_ place: Place) throws {
        try place.withStore(storing: Self.types) { store throws in
            let street = Bottle.where(.equals(\.label, "STRASSE", .caseInsensitive))
            #expect(try store.read { try $0.items(for: street) } == [Bottle(1, "Straße", in: 1)])
            for clash in [Bottle(9, "strasse", in: 1), Bottle(9, "Port", in: 2)] {
                let error = thrown { try store.writeSync { try $0.insert(clash) } }
                #expect(error?.code == .uniqueViolation)
                #expect(error?.attribute == "cellar, label")
            }
            let error = thrown { try store.writeSync { try $0.insert(Cellar(3, "SOUTH")) } }
            #expect(error?.identifier == .integer(2))
            switch store {
            case let store as SQLiteDataStore: #expect(try store.checkIntegrity() == [])
            case let store as LMDBDataStore: #expect(try store.checkIntegrity() == [])
            default: break
            }
        }
    }

    @Test(arguments: Engine.pairs)
    func `folded texts arrive with a transfer`(_ pair: Pair) throws {
        let (source, destination) = (try filled(pair.from), folder.place(pair.to, "destination"))

        _ = try StoreTransfer(from: source.address, to: destination.address).run()

        #expect(try destination.digests() == source.digests())
        try expectFolded(destination)
    }

    @Test(arguments: Engine.pairs)
    func `folded texts are not in the lines, and are made again from them`(_ pair: Pair) throws {
        let (source, destination) = (try filled(pair.from), folder.place(pair.to, "destination"))
        let lines = try source.exported()

        _ = try destination.importing(lines)

        let text = String(decoding: lines, as: UTF8.self)
        #expect(text.contains(#"{"attributes":["cellar","label[c]"],"isUnique":true}"#))
        #expect(!text.contains("strasse"))
        #expect(try destination.exported() == lines)
        try expectFolded(destination)
    }

    @Test(arguments: Engine.files)
    func `a mapping finds items without regard to case`(_ engine: Engine) throws {
        let place = try filled(engine)
        func run(_ mapping: String, _ records: String) throws -> ImportCounts {
            try UntypedImport(into: place.address).run(
                JSONRecords(Data(records.utf8)), by: ImportMapping(json: Data(mapping.utf8)))
        }

        let counts = try run(
            """
            {"entity": "Bottle", "key": {"label": "title", "cellar": "in"},
             "values": {"id": "id", "count": "count"}}
            """,
            """
            [{"id": 90, "title": "STRASSE", "in": 1, "count": 7}, {"id": 91, "title": "rum", "in": 1, "count": 8},
             {"id": 92, "title": "RUM", "in": 1, "count": 9}]
            """)
        let related = try run(
            """
            {"entity": "Bottle", "key": {"id": "id"},
             "values": {"cellar": {"from": "in", "key": {"name": "name"}, "values": {}}}}
            """, #"[{"id": 2, "in": "nORTH"}]"#)

        #expect(counts == ImportCounts(inserted: 1, updated: 2))
        #expect(related == ImportCounts(updated: 1))
        try place.withStore(storing: Self.types) { store throws in
            #expect(
                try store.read { try $0.items(for: Bottle.all) } == [
                    Bottle(1, "Straße", in: 1, count: 7), Bottle(2, "PORT", in: 1),
                    Bottle(91, "rum", in: 1, count: 9),
                ])
            #expect(try store.read { try $0.items(for: Cellar.all).map(\.name) } == ["North", "South"])
        }
    }
}
