import Larder
import LarderTesting
import Testing

/// Related items are read by as many plans for a thousand owners as for one.
struct PrefetchPlanTests {
    @Test(arguments: [1, 1000])
    func `each relationship takes one plan, and two where there are links`(_ count: Int64) throws {
        let store = try TemporaryStore(storing: [Writer.self, Novel.self, Genre.self])
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (0..<count).map { Writer($0) })
            try accessor.insert(contentsOf: (0..<count).map { Genre($0) })
            try accessor.insert(contentsOf: (0..<count).map { Novel($0, by: $0) })
        }

        #expect(try store.plans { try $0.items(for: Novel.all).count } == (Int(count), 1))
        #expect(
            try store.plans { try $0.items(for: Novel.all.prefetching(\.writer)).last?.writer.item?.id }
                == (count - 1, 2))
        #expect(
            try store.plans { try $0.items(for: Writer.all.prefetching(\.novels)).last?.novels.items?.count }
                == (1, 2))
        #expect(
            try store.plans {
                try $0.items(for: Novel.all.prefetching(\.genres)).last?.genres.items?.first?.id
            }
                == (count - 1, 3))
        let nested = Writer.all.prefetching(\.novels) { $0.prefetching(\.genres, \.writer.novels) }
        #expect(
            try store.plans { accessor in
                let novel = try accessor.items(for: nested).last?.novels.items?.first
                return (novel?.genres.items?.count ?? 0) + (novel?.writer.item?.novels.items?.count ?? 0)
            } == (2, 6))
    }

    @Test func `the items of a window take one plan, and two where there are links`() throws {
        let store = try TemporaryStore(storing: [Writer.self, Novel.self, Genre.self])
        try store.writeSync { accessor in
            try accessor.insert(Writer(0))
            try accessor.insert(contentsOf: (0..<9).map { Genre($0) })
            try accessor.insert(contentsOf: (0..<9).map { Novel($0, by: 0) })
        }
        let (writer, novel) = try store.read { accessor in
            (try accessor.items(for: Writer.all)[0], try accessor.items(for: Novel.all)[4])
        }

        #expect(try store.plans { try $0.items(writer.novels).count } == (9, 1))
        #expect(try store.plans { try $0.countItems(writer.novels) } == (9, 1))
        #expect(try store.plans { try $0.items(novel.genres).map(\.id) } == ([4], 2))
        #expect(try store.plans { try $0.countItems(novel.genres) } == (1, 1))
        #expect(try store.plans { try $0.item(novel.writer)?.id } == (0, 0))
    }
}

extension TemporaryStore {
    /// The value of a read block, and the number of plans that it took.
    fileprivate func plans<Value>(
        _ block: (DataStoreReadAccessor) throws -> Value
    ) throws -> (Value, Int) {
        var value: Value?
        let recording = try record { value = try read(block) }
        return (try #require(value), recording.requests.count)
    }
}

private struct Writer: DataStoreItem {
    let id: Int64
    var novels: ToMany<Novel>

    init(_ id: Int64) {
        self.id = id
        novels = .notGiven
    }

    struct Attributes: Sendable {
        let id = Attribute<Writer, Int64>(column: 0)
        let novels = RelationshipAttribute<Writer, ToMany<Novel>>(number: 0)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Writer", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship(
                "novels", ToMany<Novel>.self, of: Writer.self, inverse: Novel.attributes.writer,
                deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        novels = try row.value(atRelationship: 0, of: Writer.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(novels, atRelationship: 0)
    }
}

private struct Novel: DataStoreItem {
    let id: Int64
    var writer: ToOne<Writer>
    var genres: ToMany<Genre>

    init(_ id: Int64, by writer: Int64) {
        self.id = id
        self.writer = ToOne(id: writer)
        genres = [Genre(id)]
    }

    struct Attributes: Sendable {
        let id = Attribute<Novel, Int64>(column: 0)
        let writer = Attribute<Novel, ToOne<Writer>>(indexedColumn: 1)
        let genres = RelationshipAttribute<Novel, ToMany<Genre>>(number: 0)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Novel", attributes: [.attribute("id", Int64.self), .attribute("writer", ToOne<Writer>.self)],
        relationships: [.relationship("genres", ToMany<Genre>.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        writer = try row.value(at: 1)
        genres = try row.value(atRelationship: 0, of: Novel.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(writer, at: 1)
        try row.set(genres, atRelationship: 0)
    }
}

private typealias Genre = NumberedItem
