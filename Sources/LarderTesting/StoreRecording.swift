public import LarderKernel

/// The calls of a store to its engine during a recording: requests, changes of rows, commits.
///
///     let recording = try store.record { try book.rate("toast", 4) }
///     #expect(recording.requests.map(\.description) == [
///         "Recipe where slug == \"toast\" order id ascending limit 1"
///     ])
///     #expect(recording.updated(Recipe.self).map(\.attributes) == [["rating"]])
///
/// A value, which prints one line for each event. Only calls that succeed are events; the counts of
/// ``count(of:)`` include those that failed. *Cost:* one event for each request, look-up and changed row.
public struct StoreRecording: Sendable {
    /// The events, in the order in which the engine got the calls.
    public internal(set) var events: [Event] = []
    var counts: [EngineCall: Int] = [:]

    /// One call that succeeded.
    public enum Event: Sendable, Hashable {
        /// The rows of a plan were requested.
        case request(RequestPlan)
        /// The rows of a plan were counted.
        case count(RequestPlan)
        /// An aggregate or groups were answered by the engine itself.
        case aggregate(AggregatePlan)
        /// One row was looked up by its identifier, whether it was found or not.
        case lookUp(itemType: String, identifier: AnyItemID)
        /// A row was changed. A change that finds no row is left out.
        case change(Change)
        /// The changes since the last commit or rollback became permanent.
        case commit
        /// The changes since the last commit or rollback were undone, as the block failed.
        case rollBack
    }

    /// One change of one row, or the deletion of all rows of a type.
    ///
    /// The rows of a many-to-many relationship are of a type named for it, such as `Recipe.tags`.
    public struct Change: Sendable, Hashable {
        public let kind: RowMutation.Kind
        /// The name under which the item's type is stored.
        public let itemType: String
        /// The identifier of the row; nil if all rows of the type are deleted, and for a row that has none of
        /// its own.
        public let identifier: AnyItemID?
        /// The names of the attributes that an update sets, in the order of their declaration.
        public let attributes: [String]
    }

    /// The number of calls of a kind, those that failed included.
    public func count(of call: EngineCall) -> Int { counts[call] ?? 0 }

    /// The plans of all requests, those that only count or aggregate included.
    ///
    /// A request that follows relationships may be several plans.
    public var requests: [RequestPlan] {
        events.compactMap { event in
            switch event {
            case .request(let plan), .count(let plan): plan
            case .aggregate(let plan): plan.rows
            case .lookUp, .change, .commit, .rollBack: nil
            }
        }
    }

    /// The changes of rows, including changes that were rolled back later.
    public var changes: [Change] {
        events.compactMap { event in
            switch event {
            case .change(let change): change
            case .request, .count, .aggregate, .lookUp, .commit, .rollBack: nil
            }
        }
    }

    /// The number of commits that succeeded.
    public var commits: Int { events.count { $0 == .commit } }
}

// MARK: By type

extension StoreRecording {
    /// The identifiers of inserted items of a type.
    public func inserted<Item: DataStoreItem>(_ type: Item.Type) -> [Item.ID] {
        changes(.insert, of: type).map(\.id)
    }

    /// The identifiers of changed items of a type, each with the attributes that were set.
    public func updated<Item: DataStoreItem>(_ type: Item.Type) -> [(id: Item.ID, attributes: [String])] {
        changes(.update, of: type)
    }

    /// The identifiers of items of a type that were deleted one by one.
    public func deleted<Item: DataStoreItem>(_ type: Item.Type) -> [Item.ID] {
        changes(.delete, of: type).map(\.id)
    }

    private func changes<Item: DataStoreItem>(
        _ kind: RowMutation.Kind, of type: Item.Type
    ) -> [(id: Item.ID, attributes: [String])] {
        changes.compactMap { change in
            guard change.kind == kind, UTF8Text.areEqual(change.itemType, Item.schema.name) else {
                return nil
            }
            return change.identifier.flatMap { Item.ID($0) }.map { ($0, change.attributes) }
        }
    }
}

// MARK: Printing

extension StoreRecording: CustomStringConvertible {
    /// One line for each event.
    public var description: String { events.map(\.description).joined(separator: "\n") }
}

extension StoreRecording.Event: CustomStringConvertible {
    public var description: String {
        switch self {
        case .request(let plan): "request \(plan)"
        case .count(let plan): "count \(plan)"
        case .aggregate(let plan): "aggregate \(plan)"
        case .lookUp(let itemType, let identifier): "look up \(itemType) \(identifier)"
        case .change(let change): change.description
        case .commit: "commit"
        case .rollBack: "roll back"
        }
    }
}

extension StoreRecording.Change: CustomStringConvertible {
    public var description: String {
        let row = identifier.map { "\(itemType) \($0)" } ?? itemType
        return switch kind {
        case .insert: "insert \(row)"
        case .update: "update \(row) set \(attributes.joined(separator: ", "))"
        case .delete: "delete \(row)"
        case .deleteAll: "delete all \(row)"
        }
    }
}
