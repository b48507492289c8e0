import Foundation
import Larder
import LarderMemory
import LarderRecords
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
import LarderEngine

/// Values that are not those of an attribute, as imports and JSON Lines read them.
struct ImportValueTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Text that is no JSON.
    private static let broken = [
        "sweet", "", " ", "[\"a\"", "[\"a\",]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "[1] 2", "01", "1-2", "+1",
        ".5",
        "1.", "1e", "-", "tru", "nulls", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u-000\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\n\"",
        "[1,2", "]", "{\"a\":}", "\u{FEFF}1",
    ]
    private static let sound = [
        "[]", "{}", " [ 1 , -2.5e+3, 0, 0.1E-2 ] ", "null", "true", "\"a\\u00e9\\ud83d\\ude00\\n\"",
        "{\"a\":{\"b\":[{}]}}",
        "\"é\"", String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000),
    ]

    private func place(_ engine: Engine, _ name: String = "store") throws -> Place {
        let place = folder.place(engine, name)
        try place.withStore(storing: [Basket.self]) { store in
            try store.writeSync { _ = try $0.insert(Basket(id: 1, names: ["x"])) }
        }
        return place
    }

    private static func run(_ mapping: String, _ records: String, in place: Place) throws -> ImportCounts {
        try UntypedImport(into: place.address).run(
            JSONRecords(Data(records.utf8)), by: ImportMapping(json: Data(mapping.utf8)))
    }

    @Test(arguments: Engine.files)
    func `text that is not JSON does not come into an attribute of JSON`(_ engine: Engine) throws {
        let place = try place(engine)
        let mapping = #"{"entity":"Basket","key":{"id":"id"},"values":{"names":"names"}}"#
        let bytes = try place.digests()

        for text in Self.broken {
            let json = String(decoding: try JSONEncoder().encode(["id": "1", "names": text]), as: UTF8.self)
            let error = thrown { _ = try Self.run(mapping, json, in: place) }
            #expect(error?.code == .wrongType, "\(text)")
            #expect(error?.importPlace == ImportPlace(position: 0, key: "names"), "\(text)")
        }
        #expect(try place.digests() == bytes)
        for text in Self.sound {
            let json = String(decoding: try JSONEncoder().encode(["id": "1", "names": text]), as: UTF8.self)
            #expect(try Self.run(mapping, json, in: place).updated == 1, "\(text)")
            #expect(try place.problems() == [])
        }
    }

    @Test func `a check of rows finds text that is not JSON`() throws {
        let schema = EntitySchema(
            "Basket", attributes: [.attribute("id", Int64.self), .attribute("names", [String].self)])
        let arena = RowArena()
        let cells = try arena.makeCells(2)
        cells[0] = .integer(1)
        func code(_ text: String) throws -> DataStoreError.Code? {
            cells[1] = try text.encode(in: arena)
            return thrown { try schema.requireDecodable(UnsafePointer(cells)) }?.code
        }

        for text in Self.broken { #expect(try code(text) == .undecodable, "\(text)") }
        for text in Self.sound { #expect(try code(text) == nil, "\(text)") }
    }

    @Test(arguments: Engine.allCases)
    func `a check of a store names the attribute whose text is not JSON`(_ engine: Engine) throws {
        let place = try place(engine)
        #expect(try place.ownProblems() == [])

        // As another tool may: no engine reads the text.
        try place.withAdapter { adapter, schema in
            let number = try #require(schema.entities.firstIndex { $0.name == Basket.schema.name })
            let arena = RowArena()
            defer { withExtendedLifetime(arena) {} }
            let broken = "[\"a\""
            let text = try broken.encode(in: arena)
            let writing = try adapter.beginWriting()
            defer { writing.end() }
            let cells: [Cell] = [.integer(1), text, .null, .null, .null, .null, .null]
            try writing.apply(.update, number, cells, columns: [1])
            try writing.commit()
        }

        // Without the app's types, as the command line checks: only the check of the row reads the text.
        #expect(
            try place.ownProblems() == [
                "Basket.names: The stored value \"[\"a\"\" cannot be read as json. (item 1)"
            ])
    }

    @Test(arguments: Engine.files)
    func `JSON Lines with text that is not JSON are refused with the line`(_ engine: Engine) throws {
        let source = try place(.memory, "source")
        let lines = String(decoding: try source.exported(), as: UTF8.self)
        #expect(lines.contains(#""names":"[\"x\"]""#))
        let broken = lines.replacingOccurrences(of: #""names":"[\"x\"]""#, with: #""names":"sweet""#)

        let error = thrown { _ = try folder.place(engine, "store").importing(Data(broken.utf8)) }

        #expect(error?.code == .wrongType)
        #expect(error?.message == "Line 2: The value of names is not a valid json.")
    }

    @Test(arguments: [
        (#""format":{"decimal":","}"#, "1.234", nil), (#""format":{"decimal":","}"#, "1,5", 1.5),
        (#""format":{"decimal":",","grouping":"."}"#, "1.234", 1234),
        (#""format":{"decimal":",","grouping":"."}"#, "-1.234.567,25", -1_234_567.25),
        (#""format":{"decimal":",","grouping":"."}"#, "1.2.3,4", nil),
        (#""format":{"decimal":",","grouping":"."}"#, "1.5", nil),
        (#""format":{"decimal":",","grouping":"."}"#, "1,234.5", nil),
        (#""format":{"decimal":",","grouping":"."}"#, "1234,5", 1234.5),
        (#""format":{"decimal":",","grouping":"."}"#, ".123", nil),
        (#""format":{"decimal":".","grouping":","}"#, "12,34,567.5", 1_234_567.5),
        (#""format":{"decimal":"."}"#, "1,234", nil), (#""format":{"decimal":","}"#, "1,2,3", nil),
    ])
    func `a number with other signs is refused, and not taken for another one`(
        format: String, text: String, value: Double?
    ) throws {
        let place = folder.place(.sqlite, "store")
        try place.withStore(storing: [Restaurant.self]) { store in
            try store.writeSync { _ = try $0.insert(Restaurant(1, rating: 7, slug: "a")) }
        }
        let mapping = #"""
            {"entity":"Restaurant","key":{"slug":"slug"},"values":{"rating":{"from":"stars",\#(format)}}}
            """#

        let error = thrown {
            _ = try Self.run(mapping, #"{"slug":"a","stars":"\#(text)"}"#, in: place)
        }

        #expect(error?.code == (value == nil ? .wrongType : nil))
        let ratings = try place.withStore(storing: [Restaurant.self]) { store in
            try store.read { try $0.items(for: Restaurant.all).map(\.rating) }
        }
        #expect(ratings == [value ?? 7])
    }

    @Test(arguments: [
        (#""labels":{"from":"labels","key":{"id":"name"},"items":"append"}"#, "items"),
        (#""labels":{"from":"labels","key":{"id":"name"},"items":"Add"}"#, "items"),
        (#""labels":{"from":"labels","key":{"id":"name"},"items":true}"#, "items"),
        (#""labels":{"from":"labels","key":{"id":"name"},"separator":true}"#, "separator"),
        (#""labels":{"from":"labels","key":{"id":"name"},"separator":"; "}"#, "separator"),
        (#""title":["a",1]"#, "keys of title"), (#""title":{"from":1}"#, "keys of title"),
        (#""title":{"from":["a",null]}"#, "keys of title"), (#""title":1"#, "keys of title"),
        (#""year":{"from":"y","format":{"decimal":""}}"#, "decimal"),
        (#""year":{"from":"y","format":{"decimal":",","group":"."}}"#, "\"group\""),
        (#""year":{"from":"y","format":{"date":"yyyy","timezone":"GMT"}}"#, "\"timezone\""),
        (#""year":{"from":"y","format":"epochsecond"}"#, "unknown letter e"),
        (#""year":{"from":"y","format":"DD.MM.YYYY"}"#, "unknown letter D"),
        (#""year":{"from":"y","format":{"date":"yyyy-MM-DD"}}"#, "unknown letter D"),
        (#""year":{"from":"y","format":"yyyyyyyyyyyyyyyyyyy"}"#, "unknown letter y"),
        (#""year":{"from":"y","format":"dd.MM"}"#, "\"dd.MM\" of year with no year"),
        (#""year":{"from":"y","format":{"date":"HH:mm"}}"#, "\"HH:mm\" of year with no year"),
        (#""year":{"from":"y","format":""}"#, "\"\" of year with no year"),
        (
            #""year":{"from":"y","format":{"date":"dd.mm.jjjj","timeZone":"GMT"}}"#,
            "unknown letter j"
        ),
        (#""year":{"from":"y","default":"many"}"#, "a \"default\" of year that is not a valid value of it"),
        (#""year":{"from":"y","default":null}"#, "a \"default\" of year that is not a valid value of it"),
        (
            #""editor":{"from":"e","key":{"id":"id"},"values":{"name":{"default":["a"]}}}"#,
            "a \"default\" of name that is not a valid value of it"
        ),
        (#""title":{"from":"t","values":{}}"#, "\"values\" of title, which only a relationship"),
        (#""title":{"from":"t","separator":";"}"#, "\"separator\" of title, which only a relationship"),
        (#""title":{"from":"t","items":"add"}"#, "\"items\" of title, which only a relationship"),
        (
            #""labels":{"from":"l","key":{"id":"n"},"format":"epochSeconds"}"#,
            "\"format\" of labels, which only an attribute"
        ),
        (
            #""labels":{"from":"l","key":{"id":"n"},"separator":";","format":"yyyy"}"#,
            "\"format\" of labels, which only an attribute"
        ),
        (
            #""labels":{"from":"l","key":{"id":"n"},"default":["new"]}"#,
            "\"default\" of labels, which only an attribute"
        ),
        (
            #""labels":{"from":"l","key":{"id":{"from":"n","separator":";"}}}"#,
            "the unknown name \"separator\" at id"
        ),
    ])
    func `a mapping with a value that means nothing is refused before anything changes`(
        value: String, words: String
    ) throws {
        let place = folder.place(.sqlite, "store")
        try place.withStore(storing: Library.types) { _ in }
        let mapping = #"{"entity":"Book","key":{"id":"id"},"values":{\#(value)}}"#

        let error = thrown { _ = try Self.run(mapping, "[]", in: place) }

        #expect(error?.code == .invalidText)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }

    @Test
    func `a store that is removed before an import is not made again`() throws {
        let place = try place(.sqlite)
        let address = place.address
        // Another process removes it after the look.
        let removed = StoreAddress(
            engine: address.engine, location: address.location, fileSuffixes: address.fileSuffixes
        ) { _, access in
            RemovingAdapter(address.adapter(for: access), address.location)
        }
        let mapping = try ImportMapping(json: Data(#"{"entity":"Basket","values":{}}"#.utf8))

        let error = thrown { _ = try UntypedImport(into: removed).run([], by: mapping) }

        #expect(error?.code == .cannotOpen)
        #expect(try folder.names == [])
    }

    /// What a number or a text was written as.
    private static func text(of value: ImportValue?) -> String? {
        switch value {
        case .number(let text), .text(let text): text
        default: nil
        }
    }

    @Test
    func `JSON is read by its words, whatever their escapes, and not by its looks`() throws {
        func code(_ json: String) -> DataStoreError.Code? {
            thrown { _ = try ImportRecord(json: Data(json.utf8)) }?.code
        }
        #expect(Self.text(of: try ImportRecord(json: Data(#"{"\u0061": 1}"#.utf8))["a"]) == "1")
        #expect(code(#"{"a": 1, "\u0061": 2}"#) == .invalidText)
        #expect(code(#"{"a": 1, "b": {"c": 1, "c": 2}}"#) == .invalidText)
        let many = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(code("{\(many)}") == nil)
        #expect(code("{\(many),\"k3\":1}") == .invalidText)
        #expect(code("{\(many),\"k38\":1}") == .invalidText)
        for number in ["1-2", ".", "+", "1.", "-", "00", "1e"] {
            #expect(code("{\"a\": \(number)}") == .invalidText, "\(number)")
        }
        let header =
            #"{"\u0066ormat":"larder-items","version":1,"\u0065ntities":[]}"# + "\n{\"end\":{\"items\":0}}"
        #expect(try folder.place(.memory, "store").importing(Data(header.utf8)).copiedItems == 0)
    }

    @Test
    func `a mark of the byte order is skipped at the beginning and nowhere else`() throws {
        let mark = "\u{FEFF}"
        #expect(Array(JSONRecords(Data("\(mark)[{}]".utf8))).count == 1)
        #expect(try ImportRecord(json: Data("\(mark){\"a\": null}".utf8))["a"] != nil)
        #expect(code { try ImportMapping(json: Data("\(mark){}".utf8)) } == nil)
        for json in [mark + mark + "{}", "{\(mark)}"] {
            #expect(code { try ImportMapping(json: Data(json.utf8)) } == .invalidText, "\(json)")
        }
        for text in ["[\(mark){}]", "{}\(mark){}"] {
            let records = Array(JSONRecords(Data(text.utf8)))
            #expect(thrown { _ = try records.last?["a"] }?.code == .invalidText, "\(text)")
        }
        for pieces in [1, 2, 1000] {
            let lines = mark + JSONLinesTests.Defect.sound + "\n \t\r"
            let place = folder.place(.memory, "store \(pieces)")
            #expect(try place.importing(Data(lines.utf8), pieces: pieces).copiedItems == 2)
        }
    }

    @Test
    func `columns of one name and separators beyond ASCII are errors`() throws {
        let twice = Array(CSVRecords(Data("a,b,a,,\n1,2,3,,".utf8)))
        #expect(thrown { _ = try twice.first?["a"] }?.code == .invalidText)
        #expect(Self.text(of: try twice.first?["b"]) == "2")
        for separator in ["\u{FF0C}", "\"", "\n"] as [Unicode.Scalar] {
            let records = Array(CSVRecords(Data("a".utf8), separator: separator))
            #expect(records.count == 1)
            #expect(thrown { _ = try records.first?["a"] }?.code == .invalidRequest)
        }
    }

    @Test
    func `a nested value that cannot be decoded names its key`() throws {
        let store = try MemoryStore.open([Basket.self])
        let map = ImportMap<Basket, ImportRecord>(by: \.id, key: "id") { Import(\.counts, key: "counts") }

        let error = thrown {
            try store.writeSync { accessor in
                try accessor.importItems(
                    from: [["id": 1, "counts": ["a": 1, "b": "two"]]] as [ImportRecord], using: map)
            }
        }

        #expect(error?.code == .wrongType)
        #expect(error?.message.hasSuffix("is not a valid value of counts: \"b\" is not a valid Int.") == true)
        #expect(error?.advice.contains("compared") == false)
    }

    @Test
    func `a list inside one object is not skipped in silence`() throws {
        let store = try MemoryStore.open([Restaurant.self])
        let map = ImportMap<Restaurant, ImportRecord>(by: \.slug, key: "slug", "key") {
            Import(\.name, key: "name")
        }.inserting { _ in Restaurant(ItemID<Restaurant>().rawValue) }
        let json = Data(#"{"page": 1, "restaurants": [{"key": "a", "name": "A"}, {"slug": "b"}]}"#.utf8)
        func importing(_ records: some Sequence<ImportRecord>) throws -> ImportCounts {
            try store.writeSync { try $0.importItems(from: records, using: map) }
        }

        let error = thrown { _ = try importing(JSONRecords(json)) }
        #expect(error?.code == .invalidText)
        #expect(error?.message.contains("\"restaurants\"") == true)
        let records = try ImportRecord(json: json).records(in: "restaurants")
        #expect(try importing(records) == ImportCounts(inserted: 2))
        // A list of other objects, and an object without the key in a list, are what they were.
        #expect(try importing(JSONRecords(Data(#"{"list": [{"x": 1}]}"#.utf8))) == ImportCounts(skipped: 1))
        #expect(
            try importing(JSONRecords(Data(#"[{"list": [{"slug": "c"}]}]"#.utf8))) == ImportCounts(skipped: 1)
        )
        #expect(thrown { try ImportRecord(json: json).records(in: "page") }?.code == .wrongType)
    }
}

/// A store in memory.
private enum MemoryStore {
    static func open(_ types: [any DataStoreItem.Type]) throws -> any DataStore {
        let store = MemoryDataStore(storing: types)
        try store.setup()
        return store
    }
}

/// An adapter whose file goes after the first look.
private final class RemovingAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let path: String

    init(_ adapter: any StorageAdapter, _ path: String) {
        wrappedAdapter = adapter
        self.path = path
    }

    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        let stored = try wrappedAdapter.storedSchema()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        return stored
    }
}
