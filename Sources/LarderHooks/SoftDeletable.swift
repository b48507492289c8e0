public import struct Foundation.Date
public import LarderKernel

/// An item type whose items can be marked as deleted, and stay stored until they are purged.
///
///     extension Recipe: SoftDeletable {
///         static var deletionDate: AttributePath<Recipe, Date?> { \.deletedAt }
///     }
///
/// *Rule:* a marked item is an item like others. Requests find it unless they say ``LarderKernel/DataStoreRequest/withoutDeleted``,
/// references and relationships lead to it, delete rules do not act, and it keeps its unique values, so another item cannot
/// take them before the marked one is purged or gives them up. `delete` deletes it at once, as ever.
public protocol SoftDeletable: DataStoreItem {
    /// The attribute with the time of the deletion; nil for an item that is not deleted.
    static var deletionDate: AttributePath<Self, Date?> { get }
}

extension DataStoreRequest where Item: SoftDeletable {
    /// The same request without the items that are marked as deleted.
    public var withoutDeleted: DataStoreRequest<Item> { filter(Item.deletionDate == nil) }

    /// The same request for the items only that are marked as deleted.
    public var onlyDeleted: DataStoreRequest<Item> { filter(Item.deletionDate != nil) }
}

extension DataStoreReadWriteAccessor {
    /// Marks the items of a request as deleted; those that are marked keep their time.
    ///
    /// *Cost:* as an update of the request; its identifiers are read twice if it has an offset or a limit.
    ///
    /// - Returns: The number of items that were not marked before.
    /// - Throws: As ``update(_:_:)``.
    @discardableResult
    public func softDeleteItems<Item: SoftDeletable>(
        for request: DataStoreRequest<Item>, at date: Date = Date()
    ) throws(DataStoreError) -> Int {
        try update(fixed(request).withoutDeleted, .set(Item.deletionDate, to: date))
    }

    /// Takes the mark from the items of a request.
    ///
    /// - Returns: The number of items that were marked.
    /// - Throws: As ``update(_:_:)``.
    @discardableResult
    public func restoreItems<Item: SoftDeletable>(
        for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Int {
        try update(fixed(request).onlyDeleted, .set(Item.deletionDate, to: nil))
    }

    /// Deletes the items for good that were marked before a time, by all delete rules.
    ///
    /// - Returns: Their number, without those that went with them.
    /// - Throws: As ``deleteItems(for:)``.
    @discardableResult
    public func purgeItems<Item: SoftDeletable>(
        of type: Item.Type, deletedBefore date: Date
    ) throws(DataStoreError) -> Int {
        try deleteItems(for: Item.where(Item.deletionDate < date))
    }

    /// A request for the items that are in the window of another one: those with or without a mark count in it alike.
    private func fixed<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> DataStoreRequest<Item> {
        var request = request
        try preparedBlock().context.fixWindow(of: &request)
        return request
    }
}
