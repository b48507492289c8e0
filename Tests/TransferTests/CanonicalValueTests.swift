import Foundation
import Larder
import LarderSQLite
import LarderText
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Values in another form than the library writes, as SQL of the app may leave them.
struct CanonicalValueTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let prices: [Constant] = [.decimal("5"), .decimal("1.5")]
    private static let links: [Constant] = [.text("https://example.com/a%20b")]

    /// A store with two decimal numbers and a URL that SQL has changed.
    private func changed() throws -> Place {
        let place = folder.place(.sqlite, "source")
        let link = try #require(URL(string: "https://example.com"))
        let price = try #require(Decimal(string: "2.5"))
        try place.withStore(storing: [Holder<Decimal>.self, Holder<URL>.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...2).map { Holder<Decimal>($0, price, optional: nil) })
                try accessor.insert(contentsOf: [Holder<URL>(1, link, optional: nil)])
                try accessor.execute(
                    sql: "UPDATE \(Holder<Decimal>.self) SET plain = plain * 2, optional = '-0' WHERE id = 1")
                try accessor.execute(sql: "UPDATE \(Holder<Decimal>.self) SET plain = '1.50' WHERE id = 2")
                try accessor.execute(
                    sql: "UPDATE \(Holder<URL>.self) SET plain = 'https://example.com/a b'")
            }
        }
        #expect(try Self.values(in: place, of: "Holder of decimal") == [.decimal("5.0"), .decimal("1.50")])
        #expect(try Self.values(in: place, of: "Holder of url") == [.text("https://example.com/a b")])
        return place
    }

    /// The values of an attribute as they are stored.
    private static func values(
        in place: Place, of entity: String, _ attribute: String = "plain"
    ) throws -> [Constant] {
        let store = try UntypedStore(reading: place.address)
        defer { try? store.close() }
        return try store.read { reader in
            try reader.rows(for: UntypedRequest(entity)).compactMap { $0[attribute] }
        }
    }

    private static func expectCanonical(_ place: Place) throws {
        #expect(try values(in: place, of: "Holder of decimal") == prices)
        #expect(try values(in: place, of: "Holder of decimal", "optional") == [.decimal("0"), .null])
        #expect(try values(in: place, of: "Holder of url") == links)
    }

    @Test func `an export of them is imported in the forms of the library`() throws {
        let (source, copy) = (try changed(), folder.place(.memory, "copy"))
        let digests = try source.digests()

        let report = try copy.importing(try source.exported())

        #expect(report.digests == digests)
        #expect(try copy.digests() == digests)
        try Self.expectCanonical(copy)
    }

    @Test(arguments: Engine.allCases)
    func `a copy has the forms of the library, and equals the source everywhere`(_ engine: Engine) throws {
        let (source, copy) = (try changed(), folder.place(engine, "copy"))

        let report = try StoreTransfer(from: source.address, to: copy.address).run()

        #expect(report.digests == (try source.digests()))
        #expect(report.digests == (try copy.digests()))
        try Self.expectCanonical(copy)
        #expect(try source.differences(to: copy) == [])
        if engine == .memory { return }
        let cutOver = StoreCutOver(from: source.address, to: copy.address)
        try cutOver.finalize()
        #expect(try cutOver.state() == .finalized)
    }

    @Test func `a zero with a sign is imported and copied without it`() throws {
        let source = folder.place(.memory, "source")
        try source.withStore(storing: [Holder<Double>.self]) { store in
            try store.writeSync { try $0.insert(contentsOf: [Holder<Double>(1, 0, optional: nil)]) }
        }
        try source.withAdapter { adapter, schema in
            let number = try schema.number(ofEntityNamed: "Holder of double")
            let writing = try adapter.beginWriting()
            defer { writing.end() }
            try writing.apply(.update, number, [.integer(1), .real(-0.0), .null, .null, .null], columns: [1])
            try writing.commit()
        }
        #expect(try Self.signs(in: source) == [.minus])
        let (imported, copied) = (folder.place(.lmdb, "imported"), folder.place(.sqlite, "copied"))

        _ = try imported.importing(try source.exported())
        _ = try StoreTransfer(from: source.address, to: copied.address).run()

        #expect(try imported.digests() == source.digests())
        #expect(try copied.digests() == source.digests())
        #expect(try Self.signs(in: imported) == [.plus])
    }

    private static func signs(in place: Place) throws -> [FloatingPointSign] {
        try place.withStore(storing: [Holder<Double>.self]) { store in
            try store.read { try $0.items(for: Holder<Double>.all) }.map(\.plain.sign)
        }
    }

    @Test func `a unique URL stays as it is, as two of them could become one`() throws {
        let (source, copy) = (folder.place(.sqlite, "source"), folder.place(.memory, "copy"))
        let links = ["https://example.com/a b", "https://example.com/a%20b"]
        try source.withStore(storing: [Versioned<Page>.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (1...2).map { Versioned<Page>($0, .text("https://example.com/\($0)")) })
                for (position, link) in links.enumerated() {
                    try accessor.execute(
                        sql: "UPDATE \(Versioned<Page>.self) SET link = \(link) WHERE id = \(position + 1)")
                }
            }
        }

        _ = try StoreTransfer(from: source.address, to: copy.address).run()

        #expect(try Self.values(in: copy, of: "Page", "link") == links.map(Constant.text))
    }

    private enum Page: ItemVersion {
        static let schema = EntitySchema(
            "Page", attributes: [.attribute("id", Int64.self), .attribute("link", URL.self)],
            indexes: [.unique("link")])
    }
}
