import Foundation
import Larder
import LarderMemory
import LarderRecords
import Testing

@testable import AdapterTestSupport

/// Lists of values that have a Swift type and no case of their own in a record.
struct ImportedListTests {
    @Test func `values of Swift types come back from lists in a dictionary`() throws {
        let store = MemoryDataStore(storing: [Lists.self])
        try store.setup()
        let map = ImportMap<Lists, ImportRecord>(by: \.id, key: "id") {
            Import(\.dates, key: "dates")
            Import(\.floats, key: "floats")
            Import(\.decimals, key: "decimals")
            Import(\.data, key: "data")
            Import(\.links, key: "links")
        }
        let link = try #require(URL(string: "https://example.com/a/menu.html"))
        let relative = try #require(URL(string: "menu.html", relativeTo: link))
        let lists = Lists(
            id: 1, dates: [0.1 + 0.2, -978_307_200].map { Date(timeIntervalSinceReferenceDate: $0) },
            floats: [0.1, Float(0.1).nextUp, -1.5],
            decimals: ["0.1", "12345678901234567890.12"].compactMap { Decimal(string: $0) },
            data: [Data(), Data([0]), Data([255, 255, 255])], links: [link])
        let dictionary: [String: Any] = [
            "id": 1, "dates": lists.dates, "floats": lists.floats, "decimals": lists.decimals,
            "data": lists.data, "links": lists.links,
        ]
        func importing(_ dictionary: [String: Any]) throws {
            try store.writeSync { accessor in
                _ = try accessor.importItems(from: [ImportRecord(dictionary: dictionary)], using: map)
            }
        }

        try importing(dictionary)
        let refused: [(key: String, values: [Any])] = [
            ("floats", [Float.nan]), ("links", [link, relative]), ("links", [["menu": relative]]),
        ]

        for (key, values) in refused {
            let error = thrown { try importing(["id": 1, key: values]) }
            #expect(error?.code == .invalidValue)
            #expect(error?.importPlace == ImportPlace(position: 0, key: key))
        }
        #expect(try store.read { try $0.items(for: Lists.all) } == [lists])
    }
}

/// Lists of values that JSON has no form of its own for.
private struct Lists: DataStoreItem, Equatable {
    let id: Int64
    var dates: [Date]
    var floats: [Float]
    var decimals: [Decimal]
    var data: [Data]
    var links: [URL]

    init(id: Int64, dates: [Date], floats: [Float], decimals: [Decimal], data: [Data], links: [URL]) {
        self.id = id
        self.dates = dates
        self.floats = floats
        self.decimals = decimals
        self.data = data
        self.links = links
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Lists, Int64>(column: 0)
        let dates = Attribute<Lists, [Date]>(column: 1)
        let floats = Attribute<Lists, [Float]>(column: 2)
        let decimals = Attribute<Lists, [Decimal]>(column: 3)
        let data = Attribute<Lists, [Data]>(column: 4)
        let links = Attribute<Lists, [URL]>(column: 5)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Lists",
        attributes: [
            .attribute("id", Int64.self), .attribute("dates", [Date].self),
            .attribute("floats", [Float].self), .attribute("decimals", [Decimal].self),
            .attribute("data", [Data].self), .attribute("links", [URL].self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        dates = try row.value(at: 1)
        floats = try row.value(at: 2)
        decimals = try row.value(at: 3)
        data = try row.value(at: 4)
        links = try row.value(at: 5)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(dates, at: 1)
        try row.set(floats, at: 2)
        try row.set(decimals, at: 3)
        try row.set(data, at: 4)
        try row.set(links, at: 5)
    }
}
