import Foundation
import Larder

/// A cook, in the first part.
struct Cook: DataStoreItem, Equatable {
    let id: Int64
    var name: String

    init(_ id: Int64, name: String) {
        self.id = id
        self.name = name
    }

    struct Attributes: Sendable {
        let id = Attribute<Cook, Int64>(column: 0)
        let name = Attribute<Cook, String>(column: 1)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Cook", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
    }
}

/// A dish of a cook, in the second part.
struct Dish: DataStoreItem {
    let id: Int64
    var name: String
    var photo: Data?
    var cook: ToOne<Cook>?

    init(_ id: Int64, name: String, photo: Data? = nil, cook: ToOne<Cook>? = nil) {
        self.id = id
        self.name = name
        self.photo = photo
        self.cook = cook
    }

    struct Attributes: Sendable {
        let id = Attribute<Dish, Int64>(column: 0)
        let name = Attribute<Dish, String>(column: 1)
        let photo = Attribute<Dish, Data?>(column: 2)
        let cook = Attribute<Dish, ToOne<Cook>?>(indexedColumn: 3)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Dish",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("photo", Data?.self),
            .attribute("cook", ToOne<Cook>?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        photo = try row.value(at: 2)
        cook = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(photo, at: 2)
        try row.set(cook, at: 3)
    }
}

/// A waiter, in the first part.
struct Waiter: DataStoreItem {
    let id: Int64
    var badge: ToOneInverse<Badge>

    init(_ id: Int64) { (self.id, badge) = (id, .notGiven) }

    struct Attributes: Sendable {
        let id = Attribute<Waiter, Int64>(column: 0)
        let badge = RelationshipAttribute<Waiter, ToOneInverse<Badge>>(number: 0)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Waiter", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship(
                "badge", ToOneInverse<Badge>.self, of: Waiter.self, inverse: Badge.attributes.waiter)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        badge = try row.value(atRelationship: 0, of: Waiter.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(badge, atRelationship: 0)
    }
}

/// The one badge of a waiter, in the second part.
struct Badge: DataStoreItem {
    let id: Int64
    var waiter: ToOne<Waiter>?

    init(_ id: Int64, of waiter: Int64) { (self.id, self.waiter) = (id, ToOne(id: waiter)) }

    struct Attributes: Sendable {
        let id = Attribute<Badge, Int64>(column: 0)
        let waiter = Attribute<Badge, ToOne<Waiter>?>(indexedColumn: 1)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Badge",
        attributes: [.attribute("id", Int64.self), .attribute("waiter", ToOne<Waiter>?.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        waiter = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(waiter, at: 1)
    }
}

extension DataStore {
    func cooks() throws -> [String] { try read { try $0.items(for: Cook.all).map(\.name) } }

    func dishes() throws -> [String] { try read { try $0.items(for: Dish.all).map(\.name) } }
}

/// An adapter whose process is killed at a commit: that commit and all later calls fail.
final class FailingAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let failsFrom: Locked<Int>

    /// - Parameter commit: The number of the commit that fails, from 1.
    init(_ adapter: any StorageAdapter, atCommit commit: Int) {
        wrappedAdapter = adapter
        failsFrom = Locked(commit)
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        if failsFrom.withLock({ $0 }) <= 0 { throw Self.error }
        return FailingWriting(try wrappedAdapter.beginWriting(), of: self)
    }

    fileprivate func meetCommit() throws(DataStoreError) {
        let left = failsFrom.withLock { left in
            left -= 1
            return left
        }
        if left <= 0 { throw Self.error }
    }

    static let error = DataStoreError(.engine, "The process was killed.")
}

private final class FailingWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let adapter: FailingAdapter

    init(_ writing: any StorageWriting, of adapter: FailingAdapter) {
        wrappedWriting = writing
        self.adapter = adapter
    }

    func commit() throws(DataStoreError) {
        do throws(DataStoreError) {
            try adapter.meetCommit()
            try wrappedWriting.commit()
        } catch {
            end()
            throw error
        }
    }
}

/// A store over the adapter of another one.
final class DecoratedStore: DataStore {
    let coordinator: StoreCoordinator

    init(_ store: any DataStore, atCommit commit: Int) {
        let made = store.coordinator
        coordinator = StoreCoordinator(
            decorating: made, by: FailingAdapter(made.adapter, atCommit: commit))
    }

    init(_ store: any DataStore, by decorate: (any StorageAdapter) -> any AdapterDecorator) {
        let made = store.coordinator
        coordinator = StoreCoordinator(decorating: made, by: decorate(made.adapter))
    }
}

/// An order whose cook is a reference to an item, or the number of one.
struct OrderOf<Reference: AttributeValue>: DataStoreItem {
    let id: Int64
    var cook: Reference?

    struct Attributes: Sendable {
        let id = Attribute<OrderOf, Int64>(column: 0)
        let cook = Attribute<OrderOf, Reference?>(indexedColumn: 1)
    }
    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema {
        EntitySchema(
            "Order", attributes: [.attribute("id", Int64.self), .attribute("cook", Reference?.self)],
            indexes: [.index("cook")])
    }

    init(id: Int64, cook: Reference) {
        self.id = id
        self.cook = cook
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        cook = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(cook, at: 1)
    }
}
