public import struct Foundation.Date
public import LarderKernel

/// The columns that tell when an item was inserted and changed.
struct Timestamps: Sendable {
    let created: Int?
    let updated: Int?
    let now: @Sendable () -> Date

    /// Sets them in a row that will be stored.
    ///
    /// - Parameter stored: The row before the block; nil for an insertion.
    func set(
        in row: UnsafeMutablePointer<Cell>, over stored: UnsafePointer<Cell>?, arena: RowArena
    ) throws(DataStoreError) {
        let date = try now().encode(in: arena)
        if let created { row[created] = stored?[created] ?? date }
        if let updated { row[updated] = date }
    }
}

extension ItemHooks {
    /// Keeps the times of an item's insertion and last change in attributes.
    ///
    ///     ItemHooks(Recipe.self).timestamps(updated: \.updatedAt)
    ///
    /// An insertion sets both. An update sets the second and keeps the first, whatever the block has given them. A change of
    /// a relationship without a column does not count as an update.
    ///
    /// *Rule:* set at the end of the block, so its own requests see the old values. A child leaves them alone, and its merge
    /// sets them to the time of the merge. Stores, not engines, set them: a transfer keeps what it copies.
    ///
    /// - Parameter now: The clock; for tests.
    public func timestamps(
        created: AttributePath<Item, Date>? = nil, updated: AttributePath<Item, Date>? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> ItemHooks {
        adding {
            $0.timestamps.append(
                Timestamps(
                    created: created.map { Item.attributes[keyPath: $0].column },
                    updated: updated.map { Item.attributes[keyPath: $0].column }, now: now))
        }
    }
}
