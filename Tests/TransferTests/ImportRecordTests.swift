import Foundation
import Larder
import LarderMemory
import LarderRecords
import LarderTransfer
import Testing

@testable import LarderConformance

/// Records of JSON, CSV and dictionaries are imported by the names of their values.
struct ImportRecordTests {
    private static let map = ImportMap<Restaurant, ImportRecord>(by: \.slug, key: "slug", "key") {
        Import(\.name, key: "title", "name")
        Import(\.city, key: "place.city")
        Import(\.rating, key: "stars")
        Import(\.seats, key: "seats")
        Import(\.openedAt, key: "opened")
        Import(\.isOpen, key: "open")
        Import(\.note, key: "note")
    }

    private func open() throws -> MemoryDataStore {
        let store = MemoryDataStore(storing: [Restaurant.self])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: [
                    Restaurant(1, name: "One", city: "Rome", rating: 1, slug: "one", seats: 1, note: "a"),
                    Restaurant(2, name: "Two", city: "Rome", rating: 2, slug: "two", seats: 2, note: "b"),
                ])
        }
        return store
    }

    @Test(arguments: [1, 3, 1000])
    func `objects of JSON change what they have, whatever the pieces`(bytes: Int) throws {
        let store = try open()
        let json = Data(
            #"""
            [ {"slug": "one", "title": "Un\"o}", "stars": "4.5", "note": null},
              {"key": "two", "name": "Due", "place": {"city": "Bari", "x": [1, {"y": "]"}]}, "open": "no"},
              {"slug": "three", "title": "Tre", "place": {"city": ""}, "opened": "2024-05-01T10:00:00Z",
               "seats": 12.0, "stars": 0.1} , {"title": "no key"} ]
            """#.utf8)
        var rest = json[...]
        let records = JSONRecords {
            defer { rest = rest.dropFirst(bytes) }
            return Data(rest.prefix(bytes))
        }

        let counts = try store.writeSync { try $0.importItems(from: records, using: Self.map) }

        #expect(counts == ImportCounts(inserted: 1, updated: 2, skipped: 1))
        let items = try store.read { try $0.items(for: Restaurant.all) }
        #expect(items[0] == Restaurant(1, name: "Un\"o}", city: "Rome", rating: 4.5, slug: "one", seats: 1))
        #expect(
            items[1]
                == Restaurant(
                    2, name: "Due", city: "Bari", rating: 2, slug: "two", seats: 2, isOpen: false, note: "b"))
        #expect(items[2].openedAt == Date(timeIntervalSince1970: 1_714_557_600))
        #expect(items[2].seats == 12 && items[2].rating == 0.1 && items[2].city.isEmpty)
    }

    @Test(arguments: [170_000_000_000, 1_700_000_000_000, 9_999_999_999_999, 17_000_000_000_000])
    func `a number is an identifier of this number, however many digits it has`(number: Int64) throws {
        let store = try open()
        let map = ImportMap<Restaurant, ImportRecord>(by: \.id, key: "id") { Import(\.name, key: "name") }
        try store.writeSync { _ = try $0.insert(Restaurant(number)) }
        let json = Data("[{\"id\": \(number), \"name\": \"new\"}]".utf8)

        try store.writeSync { _ = try $0.importItems(from: JSONRecords(json), using: map) }

        let found = try store.read { try $0.items(for: Restaurant.where(\.name == "new")) }
        #expect(found.map(\.id) == [ItemID(rawValue: number)])
    }

    @Test func `JSON Lines and single objects are records too`() throws {
        let lines = Data("{\"a\": 1}\n\n{\"a\": [2]}\r\n{\"a\": {\"b\": true}} ".utf8)

        let records = Array(JSONRecords(lines))

        #expect(records.count == 3)
        #expect(try records[0]["a"]?.text == "1")
        #expect(try records[2]["a.b"]?.text == "true")
        #expect(try records[2]["a.c"] == nil)
        #expect(Array(JSONRecords(Data("[]".utf8))).isEmpty)
        #expect(Array(JSONRecords(Data())).isEmpty)
        #expect(try ImportRecord(json: Data("{\"x\": null}".utf8))["x"]?.text == "null")
    }

    @Test func `large records are imported some at a time`() throws {
        let store = try open()
        let note = String(repeating: "x", count: 1 << 19)
        let lines = (1...40).map {
            #"{"slug": "s\#($0)", "title": "t", "place": {"city": "c"}, "note": "\#(note)"}"#
        }
        var done: [Int] = []

        let counts = try store.writeSync { accessor in
            try accessor.importItems(
                from: JSONRecords(Data(lines.joined(separator: "\n").utf8)), using: Self.map
            ) { done.append($0.done) }
        }

        #expect(counts == ImportCounts(inserted: 40))
        // After more than 4 MB of them, and not after the usual thousand.
        #expect(done == [15, 30, 40])
        #expect(try store.read { try $0.countItems(for: Restaurant.where(\.note == note)) } == 40)
    }

    @Test func `an object of many members gives each of them, by the bytes of its key`() throws {
        let numbers = (0..<40).map { "\"n\($0)\": \($0)" }.joined(separator: ", ")
        let others = "\"\u{E9}\": \"one\", \"e\u{301}\": \"two\", \"a.b\": 3"
        let object = "{\(numbers), \(others), \"in\": {\(numbers)}}"

        var records = Array(JSONRecords(Data("\(object)\n\(object)".utf8)))
        records.append(try ImportRecord(json: Data(object.utf8)))
        records += try ImportRecord(json: Data("{\"list\": [\(object)]}".utf8)).records(in: "list")

        #expect(records.count == 4)
        for record in records {
            for number in 0..<40 {
                #expect(try record["n\(number)"]?.text == "\(number)")
                #expect(try record["in.n\(number)"]?.text == "\(number)")
            }
            #expect(try record["\u{E9}"]?.text == "one")
            #expect(try record["e\u{301}"]?.text == "two")
            #expect(try record["a.b"]?.text == "3")
            #expect(try record["n40"] == nil)
        }
    }

    @Test(arguments: [
        ("[{\"slug\": \"one\", \"seats\": 9}\n{}]", "Line 2"),
        ("[{\"slug\": \"one\", \"seats\": 9}", "ends before"),
        ("{\"slug\": \"one\", \"seats\": 9}\n[]", "Line 2"),
        ("[{\"slug\": \"one\", \"seats\": 9}]]", "after the array"),
        ("{\"slug\": \"one\", \"seats\": 9}{\"slug\": ", "Line 1"),
        ("[{\"slug\": \"one\", \"seats\": 9}, 4]", "not an object"),
    ])
    func `text that is not JSON changes nothing`(json: String, words: String) throws {
        let store = try open()

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { try $0.importItems(from: JSONRecords(Data(json.utf8)), using: Self.map) }
        }

        #expect(error?.code == .invalidText)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(error?.importPlace?.position == 1)
        #expect(try store.read { try $0.item(id: ItemID<Restaurant>(rawValue: 1))?.seats } == 1)
    }

    @Test(arguments: [1, 7, 1000])
    func `lines of CSV are records, as RFC 4180 has them`(bytes: Int) throws {
        let store = try open()
        let csv = Data(
            ("\u{FEFF}slug,title,note,place.city,seats\r\n"
                + "one,\"Uno, \"\"due\"\"\",,Bari,3\r\n" + "\r\n" + "two,,\"\",\"two\r\nlines\",4\n"
                + "three,Tre,x,\u{E9},5").utf8)
        var rest = csv[...]
        let records = CSVRecords {
            defer { rest = rest.dropFirst(bytes) }
            return Data(rest.prefix(bytes))
        }

        let counts = try store.writeSync { try $0.importItems(from: records, using: Self.map) }

        #expect(counts == ImportCounts(inserted: 1, updated: 2))
        let items = try store.read { try $0.items(for: Restaurant.all) }
        #expect(
            items[0] == Restaurant(1, name: "Uno, \"due\"", city: "Bari", rating: 1, slug: "one", seats: 3))
        #expect(
            items[1]
                == Restaurant(2, name: "", city: "two\r\nlines", rating: 2, slug: "two", seats: 4, note: ""))
        #expect(items[2].city == "\u{E9}" && items[2].seats == 5 && items[2].note == "x")
    }

    @Test func `CSV may have another separator, and names of the app's`() throws {
        let records = Array(CSVRecords(Data("a;\"b;c\"\nd;".utf8), separator: ";", names: ["x", "y"]))

        #expect(try records.map { try $0["x"]?.text } == ["a", "d"])
        #expect(try records.map { try $0["y"]?.text } == ["b;c", "null"])
        let wide = Array(CSVRecords(Data("\u{FF29}\u{FF24},b\n1,2".utf8)))
        #expect(try wide.map { try $0["\u{FF29}\u{FF24}"]?.text } == ["1"])
        #expect(Array(CSVRecords(Data())).isEmpty)
        #expect(Array(CSVRecords(Data("a,b\n".utf8))).isEmpty)
    }

    @Test(arguments: [
        ("slug,seats\none,2,3\n", "Line 2 has 3 fields"), ("slug,seats\none,\"2\n", "does not end"),
        ("slug,seats\none,\"2\"x\n", "continues after"), ("slug,seats\none,2\"\n", "without quotes"),
        ("slug,seats\ntwo,7\none\n", "Line 3 has 1 fields"),
        ("slug,seats\n\n\none,2,3\n", "Line 4 has 3 fields"),
        ("slug,seats\rtwo,7\r\rone,2,3\r", "Line 4 has 3 fields"),
        ("slug,seats\r\ntwo,7\r\n\r\none\r\n", "Line 4 has 1 fields"),
    ])
    func `a line that is not CSV changes nothing`(csv: String, words: String) throws {
        let store = try open()

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { try $0.importItems(from: CSVRecords(Data(csv.utf8)), using: Self.map) }
        }

        #expect(error?.code == .invalidText)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(try store.read { try $0.items(for: Restaurant.all).map(\.seats) } == [1, 2])
    }

    @Test(arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `a field that is not UTF-8 changes nothing`(bytes: [UInt8]) throws {
        let store = try open()
        let csv = Data("slug,seats,note\none,2,\u{FFFD}".utf8) + Data(bytes)

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { try $0.importItems(from: CSVRecords(csv), using: Self.map) }
        }

        #expect(error?.code == .invalidText)
        #expect(error?.message == "Line 2 is not UTF-8.")
        #expect(try store.read { try $0.items(for: Restaurant.all).map(\.seats) } == [1, 2])
    }

    @Test func `a wrong value names its source, key and attribute`() throws {
        let store = try open()
        let wrong: [(ImportRecord, DataStoreError.Code, String, String)] = [
            (["slug": "one", "stars": "many"], .wrongType, "stars", "rating"),
            (["slug": "one", "seats": 4.5], .wrongType, "seats", "seats"),
            (["slug": "one", "open": "maybe"], .wrongType, "open", "isOpen"),
            (["slug": "one", "opened": "1.5.2024"], .wrongType, "opened", "openedAt"),
            (["slug": "one", "opened": 1_714_557_600], .wrongType, "opened", "openedAt"),
            (["slug": "one", "title": nil], .invalidValue, "title", "name"),
            (["slug": "one", "note": ["a"]], .wrongType, "note", "note"),
            (["slug": ["a"]], .wrongType, "slug", "slug"),
        ]

        for (record, code, key, attribute) in wrong {
            let error = #expect(throws: DataStoreError.self) {
                try store.writeSync { accessor in
                    try accessor.importItems(from: [["slug": "two", "seats": 8], record], using: Self.map)
                }
            }
            #expect(error?.code == code)
            #expect(error?.importPlace == ImportPlace(position: 1, key: key))
            #expect(error?.attribute == attribute)
            #expect(error?.itemType == "Restaurant")
        }
        #expect(try store.read { try $0.items(for: Restaurant.all).map(\.seats) } == [1, 2])
    }

    @Test func `a key that a new item needs and its source lacks is named`() throws {
        let store = try open()
        let lacking: ImportRecord = ["slug": "new", "title": "New"]
        let namesAlone = ImportMap<Restaurant, ImportRecord>(by: \.slug, key: "slug") {
            Import(\.name, key: "title")
        }

        for (map, key, reason) in [
            (Self.map, "place.city", "The source has no \"place.city\""),
            (namesAlone, nil, "The map does not give it"),
        ] as [(ImportMap<Restaurant, ImportRecord>, String?, String)] {
            let error = #expect(throws: DataStoreError.self) {
                try store.writeSync { accessor in
                    try accessor.importItems(from: [["slug": "two", "title": "Due"], lacking], using: map)
                }
            }
            #expect(error?.code == .invalidValue)
            #expect(
                error?.message == "city must have a value. \(reason), and the attribute has no default.")
            #expect(error?.importPlace == ImportPlace(position: 1, key: key))
            #expect(error?.attribute == "city")
        }
        #expect(try store.read { try $0.items(for: Restaurant.all).map(\.name) } == ["One", "Two"])
    }

    @Test(arguments: [
        (ImportFormat.epochSeconds, "1714557600", 736_250_400.0), (.epochSeconds, "-1.5", -978_307_201.5),
        (.epochMilliseconds, "1714557600123", 736_250_400.123),
        (.epochSeconds, "-9223372036854775808", -9_223_372_037_833_082_880),
        (.date("dd.MM.yyyy"), "01.05.2024", 736_214_400),
        (.date("d/M/yyyy H:mm"), "1/5/2024 9:05", 736_247_100),
        (.date("yyyyMMdd'T'HHmmss"), "20240501'T'100000", 736_250_400),
        (.date("yyyy-MM-dd HH:mm:ss.SSS Z"), "2024-05-01 12:00:00.5 +0200", 736_250_400.5),
        (
            .date("dd.MM.yyyy HH:mm", timeZone: TimeZone(secondsFromGMT: 7200) ?? .gmt), "01.05.2024 12:00",
            736_250_400
        ),
    ])
    func `dates are read in the stated form`(format: ImportFormat, text: String, seconds: Double) throws {
        let store = try open()
        let map = ImportMap<Restaurant, ImportRecord>(by: \.slug, key: "slug") {
            Import(\.openedAt, key: "at", format: format)
        }

        try store.writeSync { accessor in
            try accessor.importItems(from: [["slug": "one", "at": .text(text)]], using: map)
        }

        let date = try store.read { try $0.item(id: ItemID<Restaurant>(rawValue: 1))?.openedAt }
        #expect(date == Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test(arguments: ["32.05.2024", "1.05.2024", "01.05.2024 ", "", "01.13.2024"])
    func `a date in another form is refused`(text: String) throws {
        let store = try open()
        let map = ImportMap<Restaurant, ImportRecord>(by: \.slug, key: "slug") {
            Import(\.openedAt, key: "at", format: .date("dd.MM.yyyy"))
        }

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { accessor in
                try accessor.importItems(from: [["slug": "one", "at": .text(text)]], using: map)
            }
        }
        #expect(error?.code == .wrongType)
    }

    @Test(arguments: [("dd.MM", "01.05"), ("HH:mm", "10:00"), ("", "")])
    func `a date pattern without a year is refused`(pattern: String, text: String) throws {
        let store = try open()
        let map = ImportMap<Restaurant, ImportRecord>(by: \.slug, key: "slug") {
            Import(\.openedAt, key: "at", format: .date(pattern))
        }

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { accessor in
                try accessor.importItems(from: [["slug": "one", "at": .text(text)]], using: map)
            }
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message == "The date pattern \"\(pattern)\" has no year.")
    }

    @Test func `dictionaries of Foundation are records`() throws {
        let store = try open()
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        let dictionary: [String: Any] = [
            "slug": "one", "title": 4, "stars": Float(2.5), "seats": "7", "opened": date, "open": false,
            "note": NSNull(), "place": ["city": "Oslo"] as [String: Any],
        ]

        try store.writeSync { accessor in
            try accessor.importItems(from: [ImportRecord(dictionary: dictionary)], using: Self.map)
        }

        let item = try store.read { try $0.item(id: ItemID<Restaurant>(rawValue: 1)) }
        #expect(
            item
                == Restaurant(
                    1, name: "4", city: "Oslo", rating: 2.5, slug: "one", seats: 7, openedAt: date,
                    isOpen: false))
        #expect(throws: DataStoreError.self) { try ImportRecord(dictionary: ["a": Self.self]) }
    }

    @Test func `nested objects, keys and lists become related items`() throws {
        let store = MemoryDataStore(storing: Library.types)
        try store.setup()
        let people = ImportMap<Person, ImportRecord>(by: \.id, key: "id") { Import(\.name, key: "name") }
        let labels = ImportMap<Label, ImportRecord>(by: \.id, key: "name") { Import(\.rank, key: "rank") }
            .inserting { Label((try $0["name"])?.text ?? "") }
        let map = ImportMap<Book, ImportRecord>(by: \.id, key: "id") {
            Import(\.title, key: "title")
            Import(\.year, key: "year")
            Import(\.author, key: "author", using: people)
            Import(\.editor, key: "editor", using: people)
            Import(\.labels, key: "labels", format: .list(separator: ";"), using: labels)
        }
        let json = Data(
            #"""
            {"id": 1, "title": "A", "year": 1, "author": {"id": 5, "name": "Ada"}, "labels": ["x", {"name": "y", "rank": 3}]}
            {"id": 2, "title": "B", "year": 1, "author": 5, "editor": {"id": 6, "name": "Bo"}, "labels": "x; ; z; "}
            {"id": 1, "editor": 6, "labels": null}
            {"id": 3, "title": "C", "year": 1, "author": 5, "labels": " "}
            """#.utf8)

        let counts = try store.writeSync { try $0.importItems(from: JSONRecords(json), using: map) }

        #expect(counts == ImportCounts(inserted: 3, updated: 1))
        let books = try store.read { try $0.items(for: Book.all) }
        #expect(books.map { $0.author.id.rawValue } == [5, 5, 5])
        #expect(books.map { $0.editor?.id.rawValue } == [6, 6, nil])
        #expect(try store.read { try $0.items(books[0].labels).map(\.id) } == [])
        #expect(try store.read { try $0.items(books[1].labels).map(\.id) } == ["x", "z"])
        #expect(try store.read { try $0.items(books[2].labels).map(\.id) } == [])
        #expect(try store.read { try $0.items(for: Label.all).map(\.rank) } == [0, 3, 0])
    }
}

extension ImportValue {
    /// The value in words.
    fileprivate var text: String? {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text), .text(let text): text
        case .list(let values): values.compactMap(\.text).joined(separator: ",")
        case .record, .stored: nil
        }
    }
}
