import struct Foundation.UUID
import Larder

/// Random filters, orders and windows over random relationships, beside plain Swift.
enum RelatedRandomCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Random filters and orders of related items give what plain Swift gives", proves: 6, 8, 17
        ) { world in
            var random = RandomLibrary(seed: 7)
            let (library, model) = try random.library()
            let store = try library.open(world)

            try store.read { accessor in
                for _ in 0..<250 { try expectSame(random.request(model), model, accessor) }
            }
        }
        ConformanceCase(
            "Random filters of related items see the changes of their block", proves: 4, 6, 17
        ) { world in
            var random = RandomLibrary(seed: 8)
            let (library, model) = try random.library()
            let store = try world.openElsewhere(
                Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)

            try store.writeSync { accessor in
                try library.insert(into: accessor)
                for _ in 0..<40 { try expectSame(random.request(model), model, accessor) }
            }
        }
    }

    private static func expectSame(
        _ request: (core: RequestCore, entity: Int), _ model: LibraryModel, _ accessor: DataStoreReadAccessor
    ) throws {
        func check<Item: DataStoreItem>(_ type: Item.Type) throws {
            let expected = try model.identifiers(of: request.core, request.entity)
            let request = DataStoreRequest<Item>(request.core)
            let found = try accessor.ids(for: request).map { Constant($0) }
            try expect(found, equals: expected, "\(request)")
            let items = try accessor.items(for: request).map { try StoredRow($0).identifier }
            try expect(items, equals: expected, "the items for \(request)")
            try expect(
                try accessor.countItems(for: request), equals: expected.count, "the count for \(request)")
        }
        switch request.entity {
        case 0: try check(Person.self)
        case 1: try check(Passport.self)
        case 2: try check(Book.self)
        case 3: try check(Label.self)
        default: try check(Shelf.self)
        }
    }
}

extension Constant {
    fileprivate init<ID: ItemIdentifier>(_ identifier: ID) {
        switch identifier.anyItemID {
        case .itemID(let value), .integer(let value): self = .integer(value)
        case .string(let value): self = .text(value)
        case .uuid(let value): self = .text(value.uuidString)
        }
    }
}
