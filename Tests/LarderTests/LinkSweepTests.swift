import Larder
import LarderMemory
import Testing

@testable import LarderKernel
@testable import LarderVersions

/// The removal of the links whose rows a step has removed.
struct LinkSweepTests {
    @Test func `a walk continues at the last link that was removed`() throws {
        let store = MemoryDataStore(storing: [Page.self, NumberedItem.self])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (1...4).map { NumberedItem($0) })
            try accessor.insert(contentsOf: (1...4).map { Page($0, tags: [1, 2, 3, 4]) })
        }
        let schema = try StoreSchema(storing: [Page.self, NumberedItem.self])
        let found = schema.entities.firstIndex(where: \.isLink)
        let links = try #require(found)
        let writing = try store.coordinator.adapter.beginWriting()
        defer { writing.end() }
        let cells = CellBuffer(count: 2)
        defer { withExtendedLifetime(cells) {} }
        // Ten links lead to these pages and this tag.
        for (entity, id) in [(0, 2), (0, 3), (1, 4)] as [(Int, Int64)] {
            cells.start[0] = .integer(id)
            try writing.apply(RowMutation(.delete, entity: entity, cells: cells.start))
        }
        let rows = WalkedRows(writing, of: links)
        var sweep = LinkSweep(of: schema, in: rows)
        sweep.size = 3

        try sweep.run()

        #expect(rows.walks.map(\.order.first?.column) == [1, 1, 1, 2, 2])
        #expect(
            rows.walks.map(\.predicate) == [
                .always(true), .compare(column: 1, .greaterOrEqual, .integer(2)),
                .compare(column: 1, .greaterOrEqual, .integer(3)), .always(true),
                .compare(column: 2, .greaterOrEqual, .integer(4)),
            ])
        var left: [[Int64]] = []
        let cursor = try writing.rows(
            for: RequestPlan(entity: links, schema: schema.entities[links], columns: .some([1, 2])))
        while try cursor.next(into: cells.start) {
            left.append([cells.start[0].integer, cells.start[1].integer])
        }
        cursor.close()
        left.sort { $0.lexicographicallyPrecedes($1) }
        #expect(left == [[1, 1], [1, 2], [1, 3], [4, 1], [4, 2], [4, 3]])
    }
}

/// Notes the plans by which links are walked in the order of one end.
private final class WalkedRows: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let links: Int
    private(set) var walks: [RequestPlan] = []

    init(_ writing: any StorageWriting, of links: Int) {
        (wrappedWriting, self.links) = (writing, links)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        if plan.entity == links, let first = plan.order.first, first.column != 0 { walks.append(plan) }
        return try wrappedWriting.rows(for: plan)
    }
}

private struct Page: DataStoreItem {
    let id: Int64
    var tags: ToMany<NumberedItem>

    init(_ id: Int64, tags: [Int64]) {
        self.id = id
        self.tags = ToMany(ids: tags)
    }

    struct Attributes: Sendable {
        let id = Attribute<Page, Int64>(column: 0)
        let tags = RelationshipAttribute<Page, ToMany<NumberedItem>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Page", attributes: [.attribute("id", Int64.self)],
        relationships: [.relationship("tags", ToMany<NumberedItem>.self, inverse: nil)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        tags = try row.value(atRelationship: 0, of: Page.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(tags, atRelationship: 0)
    }
}
