import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Stores as JSON Lines and back.
struct JSONLinesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.pairs)
    func `what is exported and imported is the same bit for bit`(_ pair: Pair) throws {
        let (source, destination) = (folder.place(pair.from, "source"), folder.place(pair.to, "destination"))
        try Cargo.fill(source)
        try Self.fillWithNumbers(source)
        let lines = try source.exported()

        let report = try destination.importing(lines)

        #expect(try report.digests == source.digests())
        #expect(try destination.digests() == source.digests())
        #expect(try destination.problems() == [])
        #expect(try destination.exported() == lines)
        let types = Cargo.types + Self.numberTypes
        let doubles = try destination.withStore(storing: types) { store in
            try store.read { try $0.items(for: Holder<Double>.all) }
        }
        #expect(doubles.map(\.plain.bitPattern) == Samples.double.map(\.bitPattern))
    }

    @Test
    func `the lines are as documented`() throws {
        let place = folder.place(.memory, "source")
        try place.withStore(storing: [Keyed<Int64>.self]) { store in
            let items = [Keyed(Int64(-1)), Keyed(Int64(1), label: "\"\u{0}\\é\n", rank: .max)]
            try store.writeSync { try $0.insert(contentsOf: items) }
        }
        let digest = try #require(try place.digests().first?.digest)
        let label = #""\"\u0000\\é\n""#
        let name = Keyed<Int64>.schema.name

        let expected = """
            {"format":"larder-items","version":1,"items":2,"entities":[{"name":"\(name)","attributes":[\
            {"name":"id","type":"int64","isOptional":false},\
            {"name":"label","type":"string","isOptional":true},\
            {"name":"rank","type":"int64","isOptional":false}],"indexes":[\
            {"attributes":["label"],"isUnique":true},{"attributes":["rank"],"isUnique":false}]}]}
            {"entity":"\(name)","values":{"id":"-1","label":null,"rank":"0"}}
            {"entity":"\(name)","values":{"id":"1","label":\(label),"rank":"9223372036854775807"}}
            {"end":{"items":2,"digests":[{"entity":"\(name)","count":2,"digest":"\(digest)"}]}}

            """

        let lines = String(decoding: try place.exported(), as: UTF8.self)

        #expect(lines == expected)
    }

    @Test(arguments: Engine.allCases)
    func `the name of the version goes with the lines, and lines without it are read`(_ engine: Engine) throws
    {
        typealias Item = Keyed<Int64>
        let history = SchemaHistory([SchemaVersion("2026 \"b\"", storing: [Item.self])])
        let source = folder.place(engine, "source")
        let store = source.makeStore(storing: history)
        try store.setup()
        try store.writeSync { try $0.insert(Item(1)) }
        try store.tearDown()
        let lines = try source.exported()
        #expect(String(decoding: lines, as: UTF8.self).contains(#","schemaVersion":"2026 \"b\"","#))

        let destination = folder.place(engine, "destination")
        _ = try destination.importing(lines)

        #expect(try destination.address.storedSchema()?.version == "2026 \"b\"")
        #expect(try destination.exported() == lines)
        let opened = destination.makeStore(storing: history)
        try opened.setup()
        #expect(try opened.read { try $0.countItems(for: Item.all) } == 1)
        try opened.tearDown()
        let early = String(decoding: lines, as: UTF8.self)
            .replacingOccurrences(of: #""schemaVersion":"2026 \"b\"","#, with: "")
        let other = folder.place(engine, "other")
        _ = try other.importing(Data(early.utf8))
        #expect(try other.address.storedSchema()?.version == nil)
        #expect(try other.digests() == source.digests())
    }

    @Test(arguments: [
        ("", "is empty"), (" 2", "begins or ends with a space"), ("a\\u0007", "holds a control character"),
        (String(repeating: "v", count: 201), "has over 200 bytes"),
    ])
    func `a name that no version can have is refused, and nothing is imported`(
        _ name: String, _ problem: String
    ) throws {
        let text = Defect.sound.replacingOccurrences(
            of: #""version":1,"#, with: #""version":1,"schemaVersion":"\#(name)","#)

        let error = thrown { _ = try folder.place(.sqlite, "store").importing(Data(text.utf8)) }

        #expect(error?.code == .invalidText)
        #expect(error?.message == "Line 1 has a \"schemaVersion\" that \(problem).")
        #expect(try folder.names == [])
    }

    @Test(arguments: [1, 2, 3, 7, 100_000])
    func `pieces of any length make the same store`(_ length: Int) throws {
        let source = folder.place(.memory, "source")
        try Cargo.fill(source)
        let destination = folder.place(.lmdb, "destination")

        _ = try destination.importing(try source.exported(), pieces: length)

        #expect(try destination.digests() == source.digests())
    }

    @Test(arguments: Engine.files)
    func `lines that were cut off anywhere are no store`(_ engine: Engine) throws {
        let source = folder.place(.memory, "source")
        try source.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.writeSync { try $0.insert(contentsOf: (0..<3).map { Keyed(Int64($0)) }) }
        }
        let lines = try source.exported()
        let header = try #require(lines.firstIndex(of: UInt8(ascii: "\n")))

        for count in stride(from: 0, to: lines.count - 1, by: 5) {
            let destination = folder.place(engine, "destination-\(count)")
            let error = thrown { _ = try destination.importing(lines.prefix(count)) }
            #expect(error?.code == .invalidText, "\(count) bytes: \(error?.description ?? "")")
            let opening = code { try destination.withStore { _ in } }
            // Nothing is made before the whole of the first line is there.
            #expect(opening == (count < header ? nil : .incompleteTransfer), "\(count) bytes")
        }
    }

    @Test(arguments: Defect.all)
    func `a line that is wrong is named`(_ defect: Defect) throws {
        let text = Defect.sound.replacingOccurrences(of: defect.original, with: defect.replacement)
        let destination = folder.place(.memory, "destination")

        let error = thrown { _ = try destination.importing(Data(text.utf8)) }

        #expect(error?.code == defect.code, "\(error?.description ?? "nothing was thrown")")
        #expect(error?.message.hasPrefix("Line \(defect.line)") == true, "\(error?.message ?? "")")
    }

    @Test func `a wrong line is named for an item type called Line, too`() throws {
        let text = Defect.sound.replacingOccurrences(of: "Keyed by Int64", with: "Line")
            .replacingOccurrences(of: #""rank":"2""#, with: #""rang":"2""#)

        let error = thrown { _ = try folder.place(.memory, "destination").importing(Data(text.utf8)) }

        #expect(error?.code == .unknownAttribute)
        #expect(error?.message == "Line 2: Line has no attribute \"rang\".")
    }

    @Test
    func `sound lines may be written by hand and in any order`() throws {
        let destination = folder.place(.sqlite, "destination")

        let report = try destination.importing(Data(Defect.sound.utf8))

        #expect(report.copiedItems == 2)
        let items = try destination.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.read { try $0.items(for: Keyed<Int64>.all) }
        }
        #expect(items == [Keyed(1, label: "a", rank: 1), Keyed(2, label: nil, rank: 2)])
    }

    @Test(arguments: Engine.allCases)
    func `two items with one unique value are refused and the store stays incomplete`(_ engine: Engine) throws
    {
        let destination = folder.place(engine, "destination")
        let text = Defect.sound.replacingOccurrences(of: #""rank":"2""#, with: #""rank":"2","label":"a""#)

        let error = thrown { _ = try destination.importing(Data(text.utf8)) }

        #expect(error?.code == .uniqueViolation)
        #expect(error?.identifier == .integer(1))
        #expect(error?.message.contains("The items 1 and 2 of ") == true)
        #expect(code { try destination.withStore { _ in } } == .incompleteTransfer)
        #expect(try destination.importing(Data(Defect.sound.utf8)).copiedItems == 2)
        #expect(try destination.problems() == [])
    }

    @Test(arguments: Engine.allCases, [[], [3, 4]])
    func `two lines of one item are refused, naming the item and not the line that ends the batch`(
        _ engine: Engine, _ others: [Int]
    ) throws {
        let lines = others.map { "{\"entity\":\"Keyed by Int64\",\"values\":{\"id\":\($0),\"rank\":0}}\n" }
        let text = Defect.sound.replacingOccurrences(of: #""id":"1""#, with: #""id":"2""#)
            .replacingOccurrences(of: "{\"end\"", with: lines.joined() + "{\"end\"")

        let error = thrown { _ = try folder.place(engine, "destination").importing(Data(text.utf8)) }

        #expect(error?.code == .duplicateIdentifier)
        #expect(error?.message == "Two lines are about Keyed by Int64 2.")
        #expect(error?.identifier == .integer(2))
    }

    // MARK: Lines

    private static let numberTypes: [any DataStoreItem.Type] = [
        Holder<Double>.self, Holder<Float>.self, Holder<Date>.self, Holder<Decimal>.self, Holder<UInt64>.self,
        Holder<Data>.self, Holder<URL>.self,
    ]

    private static func fillWithNumbers(_ place: Place) throws {
        func holders<Value: AttributeValue>(_ values: [Value]) -> [Holder<Value>] {
            values.enumerated().map { Holder(Int64($0), $1, optional: $0 % 2 == 0 ? nil : $1) }
        }
        try place.withStore(storing: Cargo.types + numberTypes) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: holders(Samples.double))
                try accessor.insert(contentsOf: holders(Samples.float))
                try accessor.insert(contentsOf: holders(Samples.date))
                try accessor.insert(contentsOf: holders(Samples.decimal))
                try accessor.insert(contentsOf: holders(Samples.uint64))
                try accessor.insert(contentsOf: holders(Samples.data))
                try accessor.insert(contentsOf: holders(Samples.url))
            }
        }
    }

    /// One thing that is wrong in lines that are sound otherwise.
    struct Defect: Sendable, CustomStringConvertible {
        let original: String
        let replacement: String
        let line: Int
        let code: DataStoreError.Code

        var description: String { "\(original) becomes \(replacement)" }

        static let sound = """
            {"format":"larder-items","version":1,"entities":[{"name":"Keyed by Int64","attributes":[\
            {"name":"id","type":"int64","isOptional":false},{"name":"label","type":"string","isOptional":true},\
            {"name":"rank","type":"int64","isOptional":false}],"indexes":[{"attributes":["label"],\
            "isUnique":true},{"attributes":["rank"],"isUnique":false}]}]}
            {"entity":"Keyed by Int64","values":{"id":2,"rank":"2"}}

            {"values":{"rank":1,"label":"a","id":"1"},"entity":"Keyed by Int64"}\u{20}
            {"end":{"items":2}}
            """

        static let all = [
            Defect("larder-items", "items", 1, .invalidText),
            Defect(#""version":1"#, #""version":3"#, 1, .newerFormat),
            Defect(#""type":"string""#, #""type":"txt""#, 1, .invalidText),
            Defect(#""isOptional":true"#, #""isOptional":1"#, 1, .invalidText),
            Defect(#"{"id":2,"#, #"{"id":2"#, 2, .invalidText),
            Defect(#"{"id":2,"#, #"{"id":2.5,"#, 2, .wrongType),
            Defect(#"{"id":2,"#, #"{"id":9223372036854775808,"#, 2, .wrongType),
            Defect(#"{"id":2,"#, "{", 2, .wrongType),
            Defect(#""rank":"2""#, #""rank":null"#, 2, .wrongType),
            Defect(#""rank":"2""#, #""rang":"2""#, 2, .unknownAttribute),
            Defect(#""label":"a""#, #""label":true"#, 4, .wrongType),
            Defect(#""label":"a""#, #""label":"\ud800""#, 4, .invalidText),
            Defect(#""label":"a""#, #""label":"\x""#, 4, .invalidText),
            Defect(#""entity":"Keyed by Int64"}"#, #""entity":"Keyed"}"#, 4, .unknownItemType),
            Defect(#""items":2"#, #""items":3"#, 5, .transferMismatch),
            Defect(
                #"{"items":2}"#,
                #"{"items":2,"digests":[{"entity":"Keyed by Int64","digest":"0"}]}"#, 5, .transferMismatch),
            Defect(
                #"{"items":2}"#,
                #"{"items":2,"digests":[{"entity":"Book.labels","count":3,"digest":"0"}]}"#, 5,
                .transferMismatch),
            Defect("{\"end\"", "{\"entity\":\"Keyed by Int64\"}\n{\"end\"", 5, .invalidText),
            Defect("{\"end\":{\"items\":2}}", "{\"end\":{\"items\":2}}\n{}", 6, .invalidText),
        ]

        private init(
            _ original: String, _ replacement: String, _ line: Int, _ code: DataStoreError.Code
        ) {
            self.original = original
            self.replacement = replacement
            self.line = line
            self.code = code
        }
    }
}
