import Foundation
import Larder
import LarderMemory
import LarderRecords
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Items that are found by several attributes, and nested ones by their owner: in a mapping, and in a map of records.
struct ImportMappingTests {
    private static let types: [any DataStoreItem.Type] = [Folder.self, File.self, Entry.self]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func place(_ engine: Engine) throws -> Place {
        let place = folder.place(engine, "store")
        try place.withStore(storing: Self.types) { store in try Self.fill(store) }
        return place
    }

    private static func fill(_ store: any DataStore) throws {
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Folder(1, "docs"), Folder(2, "mail")])
            try accessor.insert(contentsOf: [File(1, "a", in: 1), File(2, "b", in: 1), File(3, "a")])
            try accessor.insert(contentsOf: [Entry(ItemID(rawValue: 1), "x", in: 1)])
        }
    }

    private static func run(_ mapping: String, _ records: String, in place: Place) throws -> ImportCounts {
        try UntypedImport(into: place.address).run(
            JSONRecords(Data(records.utf8)), by: ImportMapping(json: Data(mapping.utf8)))
    }

    private static func entries(_ place: Place) throws -> [Entry] {
        try place.withStore(storing: types) { store in try store.read { try $0.items(for: Entry.all) } }
    }

    private static func text(of entries: [Entry]) -> [String] {
        entries.map { "\($0.folder.id.rawValue)/\($0.name) \($0.note ?? "-")" }.sorted()
    }

    /// A mapping of folders with the entries in them.
    private static func folders(_ items: String) -> String {
        """
        {"entity": "Folder", "key": {"id": "id"}, "values": {
            "name": "name",
            "entries": {"from": "lines", "key": {"name": "name"}, "within": "folder",
                        "values": {"note": "note"}, "items": "\(items)"}
        }}
        """
    }

    private static let lines = """
        [{"id": 1, "name": "Docs", "lines": [{"name": "x", "note": "1"}, {"name": "y", "note": "2"}]},
         {"id": 2, "name": "Mail", "lines": ["x"]}]
        """
    private static let fewerLines = """
        [{"id": 1, "name": "Docs", "lines": [{"name": "y", "note": "5"}]},
         {"id": 2, "name": "Mail", "lines": []}]
        """

    @Test(arguments: Engine.files)
    func `nested items under a required owner are imported again, and deleted if they are left out`(
        _ engine: Engine
    ) throws {
        let place = try place(engine)
        let mapping = Self.folders("replaceDeleting")

        #expect(try Self.run(mapping, Self.lines, in: place) == ImportCounts(updated: 2))
        let entries = try Self.entries(place)
        #expect(Self.text(of: entries) == ["1/x 1", "1/y 2", "2/x -"])
        #expect(entries.first?.id.rawValue == 1)
        #expect(try Self.run(mapping, Self.lines, in: place) == ImportCounts(unchanged: 2))
        #expect(try Self.entries(place) == entries)

        let error = thrown { _ = try Self.run(Self.folders("replace"), Self.fewerLines, in: place) }
        #expect(error?.code == .invalidValue)
        #expect(try Self.entries(place) == entries)
        _ = try Self.run(mapping, Self.fewerLines, in: place)
        let left = try Self.entries(place)
        #expect(Self.text(of: left) == ["1/y 5"])
        #expect(left.map(\.id) == entries.filter { $0.name == "y" }.map(\.id))
    }

    @Test(arguments: Engine.files)
    func `a mapping finds items by attributes that are unique together`(_ engine: Engine) throws {
        let place = try place(engine)
        let mapping = """
            {"entity": "File", "key": {"name": "title", "folder": "in"},
             "values": {"id": "id", "size": "size"}}
            """
        let records = """
            [{"id": 90, "title": "a", "in": 1, "size": 7}, {"id": 91, "title": "a", "in": 2, "size": 8},
             {"id": 92, "title": "a", "size": 9}, {"id": 93, "title": "c", "in": 1, "size": 4}]
            """

        let counts = try Self.run(mapping, records, in: place)

        #expect(counts == ImportCounts(inserted: 2, updated: 1, skipped: 1))
        let files = try place.withStore(storing: Self.types) { store in
            try store.read { try $0.items(for: File.all) }
        }
        #expect(
            files == [
                File(1, "a", in: 1, size: 7), File(2, "b", in: 1), File(3, "a"),
                File(91, "a", in: 2, size: 8),
                File(93, "c", in: 1, size: 4),
            ])
        #expect(try Self.run(mapping, records, in: place) == ImportCounts(unchanged: 3, skipped: 1))
    }

    @Test(arguments: [
        ("File", #""key":{}"#, "an object with one or more attributes"),
        ("File", #""key":["name","folder"]"#, "an object with one or more attributes"),
        ("File", #""key":{"name":"n","nothing":"x"}"#, "\"nothing\""),
        ("File", #""key":{"name":"n","size":"s"}"#, "unique together"),
        ("File", #""key":{"id":"id"},"within":"folder""#, "the unknown name \"within\" at File"),
        ("Folder", #""values":{"entries":{"from":"l","key":{"name":"n"}}}"#, "unique attribute"),
        (
            "Folder", #""values":{"entries":{"from":"l","key":{"name":"n"},"within":"name"}}"#,
            "not the reference at its other end"
        ),
        (
            "Folder", #""values":{"entries":{"from":"l","key":{"note":"n"},"within":"folder"}}"#,
            "unique together"
        ),
        (
            "Folder", #""values":{"entries":{"from":"l","key":{"name":"n"},"within":true}}"#,
            "not a text beside a \"key\""
        ),
        (
            "Folder", #""values":{"entries":{"from":"l","within":"folder"}}"#,
            "not a text beside a \"key\""
        ),
        (
            "Folder",
            #""values":{"entries":{"from":"l","key":{"name":"n","folder":"f"},"within":"folder"}}"#,
            "has folder in the \"key\" of Entry and as \"within\""
        ),
        (
            "Entry", #""values":{"folder":{"from":"f","key":{"id":"id"},"within":"name"}}"#,
            "not the reference at its other end"
        ),
        (
            "Entry", #""values":{"folder":{"from":"f","key":{"id":"id"},"items":"replaceDeleting"}}"#,
            "which refers to one item"
        ),
        (
            "Entry", #""values":{"folder":{"from":"f","key":{"id":"id"},"separator":";"}}"#,
            "has \"separator\" of folder, which refers to one item"
        ),
        ("Entry", #""values":{"name":{"from":"n","key":{"id":"id"}}}"#, "not a relationship"),
    ])
    func `a mapping with a key that cannot find items is refused before anything changes`(
        type: String, members: String, words: String
    ) throws {
        let place = try place(.sqlite)
        let records = #"[{"n": "x", "l": [{"n": "x"}], "f": {"id": 1}}]"#

        let error = thrown { _ = try Self.run("{\"entity\":\"\(type)\",\(members)}", records, in: place) }

        let code: DataStoreError.Code =
            if words.contains("unique") {
                .invalidRequest
            } else if words.contains("nothing") {
                .unknownAttribute
            } else {
                .invalidText
            }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(Self.text(of: try Self.entries(place)) == ["1/x -"])
    }

    @Test(arguments: ["Book.labels", "Book.chapters"])
    func `a mapping for the links of a relationship is refused, and names its item type instead`(
        _ name: String
    ) throws {
        let place = folder.place(.sqlite, "store")
        try GraphCargo.fill(place)
        let digests = try place.digests()
        let mapping = #"{"entity":"\#(name)","values":{"source":"a","target":"b","rank":"c"}}"#
        let target = name == "Book.labels" ? "old" : "00000000-0000-0000-0000-000000000002"

        let error = thrown {
            _ = try Self.run(mapping, #"[{"a": 1, "b": "\#(target)", "c": "x"}]"#, in: place)
        }

        #expect(error?.code == .invalidText)
        #expect(error?.message == "The mapping names \(name) as its \"entity\", which is a relationship.")
        #expect(
            error?.advice
                == "Name the item type that it starts from, with the relationship among its \"values\".")
        #expect(try place.digests() == digests)
    }

    @Test func `a value in place of an object with a key of two attributes is refused`() throws {
        let place = try place(.sqlite)
        let mapping = """
            {"entity": "Folder", "key": {"id": "id"}, "values": {
                "files": {"from": "files", "key": {"name": "n", "folder": "in"},
                          "values": {"id": "id", "size": {"default": 0}}}}}
            """
        let nested = #"[{"id": 1, "files": [{"id": 2, "n": "b", "in": 1}, {"id": 80, "n": "c", "in": 1}]}]"#

        let error = thrown { _ = try Self.run(mapping, #"[{"id": 1, "files": ["b"]}]"#, in: place) }

        #expect(error?.code == .wrongType)
        #expect(error?.advice == "Give its map a key of one attribute, of which such a value then is one.")
        _ = try Self.run(mapping, nested, in: place)
        let files = try place.withStore(storing: Self.types) { store in
            try store.read { try $0.items(for: File.all) }
        }
        #expect(files == [File(1, "a"), File(2, "b", in: 1), File(3, "a"), File(80, "c", in: 1)])
    }

    @Test(arguments: ["[5, 6]", #"[{"name": "no key"}, {"id": 6}]"#, "[2]", "[]"])
    func `a list in place of the one item of a reference is refused, and none of it is imported`(
        list: String
    ) throws {
        let place = try place(.sqlite)
        let digests = try place.digests()
        let mapping = """
            {"entity": "File", "key": {"id": "id"}, "values": {
                "folder": {"from": "in", "key": {"id": "id"}, "values": {"name": {"default": "new"}}}}}
            """
        let records = "[{\"id\": 1, \"in\": 2}, {\"id\": 2, \"in\": \(list)}]"
        let folders = ImportMap<Folder, ImportRecord>(by: \.id, key: "id") { Import(\.name, key: "name") }
        let map = ImportMap<File, ImportRecord>(by: \.id, key: "id") {
            Import(\.folder, key: "in", using: folders)
        }

        let untyped = thrown { _ = try Self.run(mapping, records, in: place) }
        let typed = thrown {
            try place.withStore(storing: Self.types) { store in
                _ = try store.writeSync { accessor in
                    try accessor.importItems(from: JSONRecords(Data(records.utf8)), using: map)
                }
            }
        }

        for error in [untyped, typed] {
            #expect(error?.code == .wrongType)
            #expect(error?.message == "The value of \"in\" is a list, and the relationship takes one item.")
            #expect(error?.importPlace == ImportPlace(position: 1, key: "in"))
        }
        #expect(try place.digests() == digests)
    }

    @Test(arguments: [#"["a", "b"]"#, #"[{"id": "b"}]"#, "[]"])
    func `a list in place of the one item that refers back is refused, and none of it is imported`(
        list: String
    ) throws {
        let place = folder.place(.sqlite, "store")
        try place.withStore(storing: Library.types) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Person(1, "Ada"), Person(2, "Bo")])
                try accessor.insert(contentsOf: [Passport("a", holder: 1), Passport("b")])
            }
        }
        let digests = try place.digests()
        let values = #"{"passport": {"from": "p", "key": {"id": "id"}, "values": {}}}"#
        let mapping = #"{"entity": "Person", "key": {"id": "id"}, "values": \#(values)}"#
        let records = "[{\"id\": 1, \"p\": \"b\"}, {\"id\": 2, \"p\": \(list)}]"
        let passports = ImportMap<Passport, ImportRecord>(by: \.id, key: "id")
        let map = ImportMap<Person, ImportRecord>(by: \.id, key: "id") {
            Import(\.passport, key: "p", using: passports)
        }
        let textMap = ImportMap<Person, ImportRecord>(by: \.id, key: "id") {
            Import(\.passport, key: "p", format: .list(separator: ";"), using: passports)
        }
        func importing(_ records: String, using map: ImportMap<Person, ImportRecord>) -> DataStoreError? {
            thrown {
                try place.withStore(storing: Library.types) { store in
                    _ = try store.writeSync { accessor in
                        try accessor.importItems(from: JSONRecords(Data(records.utf8)), using: map)
                    }
                }
            }
        }

        let untyped = thrown { _ = try Self.run(mapping, records, in: place) }
        let typed = importing(records, using: map)
        let text = importing(#"[{"id": 1, "p": "b"}, {"id": 2, "p": "a;b"}]"#, using: textMap)

        for error in [untyped, typed, text] {
            #expect(error?.code == .wrongType)
            #expect(error?.message == "The value of \"p\" is a list, and the relationship takes one item.")
            #expect(error?.importPlace == ImportPlace(position: 1, key: "p"))
        }
        #expect(try place.digests() == digests)
    }

    @Test func `a mapping with a separator for the one item that refers back is refused`() throws {
        let place = folder.place(.sqlite, "store")
        try place.withStore(storing: Library.types) { _ in }
        let values = #"{"passport": {"from": "p", "key": {"id": "id"}, "separator": ";"}}"#
        let mapping = #"{"entity": "Person", "key": {"id": "id"}, "values": \#(values)}"#

        let error = thrown { _ = try Self.run(mapping, "[]", in: place) }

        #expect(error?.code == .invalidText)
        #expect(error?.message == #"The mapping has "separator" of passport, which leads to one item."#)
    }

    @Test func `lines with an empty field for their key are skipped`() throws {
        let types: [any DataStoreItem.Type] = [Station.self, Region.self]
        let csv = Data("name,id,code\n,1,1\n,2,2\n\"\",3,3\n".utf8)
        let place = folder.place(.sqlite, "store")
        try place.withStore(storing: types) { _ in }
        let mapping = #"{"entity":"Station","key":{"name":"name"},"values":{"id":"id","code":"code"}}"#
        let map = ImportMap<Station, ImportRecord>(by: \.name, key: "name") {
            Import(\.id, key: "id")
            Import(\.code, key: "code")
        }

        let counts = try UntypedImport(into: place.address).run(
            CSVRecords(csv), by: ImportMapping(json: Data(mapping.utf8)))

        #expect(counts == ImportCounts(inserted: 1, skipped: 2))
        try place.withStore(storing: types) { store in
            let again = try store.writeSync { try $0.importItems(from: CSVRecords(csv), using: map) }
            #expect(again == ImportCounts(unchanged: 1, skipped: 2))
            // Empty text in quotes is a key.
            #expect(try store.read { try $0.items(for: Station.all) } == [Station(3, "", code: 3)])
        }
    }

    @Test func `lines with an empty field for a part of their key have empty text there`() throws {
        let csv = Data("id,name,variant,price\n1,Cake,,3\n2,Pie,,4\n3,,mini,5\n4,,,6\n".utf8)
        let place = folder.place(.sqlite, "store")
        try place.withStore(storing: [Product.self]) { _ in }
        let mapping = """
            {"entity": "Product", "key": {"name": "name", "variant": "variant"},
             "values": {"id": "id", "price": "price"}}
            """
        func run() throws -> ImportCounts {
            try UntypedImport(into: place.address).run(
                CSVRecords(csv), by: ImportMapping(json: Data(mapping.utf8)))
        }

        #expect(try run() == ImportCounts(inserted: 3, skipped: 1))
        #expect(try run() == ImportCounts(unchanged: 3, skipped: 1))
        let products = try place.withStore(storing: [Product.self]) { store in
            try store.read { try $0.items(for: Product.all) }
        }
        #expect(
            products == [
                Product(1, "Cake", "", price: 3), Product(2, "Pie", "", price: 4),
                Product(3, "", "mini", price: 5),
            ])
    }

    @Test func `a map of records finds the items of an owner`() throws {
        let store = MemoryDataStore(storing: Self.types)
        try store.setup()
        try Self.fill(store)
        let entries = ImportMap<Entry, ImportRecord>(by: \.name, within: \.folder, key: "name", "title") {
            Import(\.note, key: "note")
        }
        let map = ImportMap<Folder, ImportRecord>(by: \.id, key: "id") {
            Import(\.name, key: "name")
            Import(\.entries, key: "lines", using: entries, .replaceDeleting)
        }
        func run(_ json: String) throws -> ImportCounts {
            try store.writeSync { try $0.importItems(from: JSONRecords(Data(json.utf8)), using: map) }
        }
        func stored() throws -> [Entry] { try store.read { try $0.items(for: Entry.all) } }

        #expect(try run(Self.lines) == ImportCounts(updated: 2))
        let first = try stored()
        #expect(Self.text(of: first) == ["1/x 1", "1/y 2", "2/x -"])
        #expect(first.first?.id.rawValue == 1)
        #expect(try run(Self.lines) == ImportCounts(unchanged: 2))
        #expect(try stored() == first)
        _ = try run(
            #"{"id": 1, "name": "Docs", "lines": [{"title": "y", "note": "5"}, {"note": "no name"}]}"#)
        #expect(Self.text(of: try stored()) == ["1/y 5", "2/x -"])
        // Without an owner there is nothing to find them in.
        let error = thrown {
            try store.writeSync {
                try $0.importItems(from: [["name": "x"]] as [ImportRecord], using: entries)
            }
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.attribute == "folder")
    }
}

/// A product, whose name and variant are unique together.
private struct Product: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var variant: String
    var price: Int

    init(_ id: Int64, _ name: String, _ variant: String, price: Int) {
        self.id = id
        self.name = name
        self.variant = variant
        self.price = price
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Product, Int64>(column: 0)
        let name = Attribute<Product, String>(column: 1)
        let variant = Attribute<Product, String>(column: 2)
        let price = Attribute<Product, Int>(column: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Product",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("variant", String.self), .attribute("price", Int.self),
        ],
        indexes: [.unique("name", "variant")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        variant = try row.value(at: 2)
        price = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(variant, at: 2)
        try row.set(price, at: 3)
    }
}
