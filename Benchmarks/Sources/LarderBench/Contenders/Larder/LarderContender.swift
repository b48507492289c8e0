import Foundation
import Larder

/// Larder as its users use it, on any of its engines.
///
/// An app's item types are concrete where it calls the store, and the compiler makes everything concrete with them;
/// the methods of a generic class it would leave generic, and so measure something else.
final class LarderContender<Record: LarderRecord>: Contender {
    private let makeStore: () -> any DataStore
    private let asksInBatches: Bool
    private var store: any DataStore

    /// - Parameter asksInBatches: True if one call reads or deletes many items, as in an app on a server.
    init(asksInBatches: Bool = false, _ makeStore: @escaping () -> any DataStore) throws {
        self.makeStore = makeStore
        self.asksInBatches = asksInBatches
        store = makeStore()
        try store.setup()
    }

    func forAnotherThread() -> LarderContender { self }

    func close() throws {
        try store.tearDown()
    }

    func reopen() throws {
        store = makeStore()
        try store.setup()
    }

    // MARK: Writing

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func insertInOneTransaction(_ records: [Record]) throws {
        try store.writeSync { try $0.insert(contentsOf: records) }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func insertOneByOne(_ records: [Record]) throws {
        for record in records {
            try store.writeSync { _ = try $0.insert(record) }
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func insertInGroups(_ records: [Record]) throws {
        let completions = PendingCompletions()
        for record in records {
            completions.expectOne()
            store.writeAsync {
                _ = try $0.insert(record)
            } completion: {
                completions.arrive(with: $0)
            }
        }
        try completions.wait()
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func mirror(ids: [Int64]) throws {
        try store.writeSync { accessor in
            if asksInBatches {
                for handle in try accessor.mutableItems(ids: ids, of: Record.self) {
                    if let handle { Record.mirror(handle) }
                }
                return
            }
            for id in ids {
                guard let handle = try accessor.mutableItem(id: id, of: Record.self) else { continue }
                Record.mirror(handle)
            }
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func delete(_ records: [Record]) throws {
        try store.writeSync { accessor in
            if asksInBatches {
                try accessor.delete(records)
                return
            }
            for record in records { try accessor.delete(record) }
        }
    }
}

extension LarderContender {
    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func readInOneTransaction(ids: [Int64], visit: (Record?) -> Void) throws {
        try store.read { accessor in
            for id in ids { visit(try accessor.item(id: id, of: Record.self)) }
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func readOneByOne(ids: [Int64], visit: (Record?) -> Void) throws {
        for id in ids {
            visit(try store.read { try $0.item(id: id, of: Record.self) })
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func scan() throws -> [Record] {
        try store.read { try $0.items(for: Record.all) }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func stream(_ visit: (Record) -> Void) throws {
        try store.read { try $0.forEachItem(for: Record.all) { visit($0) } }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func lookUp(names: [String], visit: ([Record]) -> Void) throws {
        try store.read { accessor in
            for name in names { visit(try accessor.items(for: Record.named(name))) }
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func find(ratedAbove bounds: [Double], visit: ([Record]) -> Void) throws {
        try store.read { accessor in
            for bound in bounds { visit(try accessor.items(for: Record.rated(above: bound))) }
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func count(ratedAbove bounds: [Double], visit: (Int) -> Void) throws {
        try store.read { accessor in
            for bound in bounds { visit(try accessor.countItems(for: Record.rated(above: bound))) }
        }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer {
        try store.read { try Record.aggregate(question, $0) }
    }

    @_specialize(where Record == LarderRestaurant)
    @_specialize(where Record == LarderUnindexedRestaurant)
    func show(_ pages: [Page], visit: ([Record]) -> Void) throws {
        try store.read { accessor in
            for page in pages {
                let request = Record.byRating(page.isDescending ? .descending : .ascending)
                visit(try accessor.items(for: request.offset(page.offset).limit(page.limit)))
            }
        }
    }
}
