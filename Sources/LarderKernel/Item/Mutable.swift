/// An item being changed inside a write block: set its attributes, and they are saved when the block ends.
///
///     try store.writeSync { accessor in
///         let cake = try accessor.firstMutableItem(for: Recipe.where(\.slug == "cake"))
///         cake?.rating = 5
///     }
///
/// *Rule:* valid inside its block; an item has one handle per block. Setting a value that cannot be accepted
/// dooms the block, which then throws at its next request or its end; setting a value after the block changes
/// nothing, is reported to the store's `errorHandler`, and stops a debug build, see
/// ``DataStoreOptions/assertsOnMisuse``. *Cost:* an allocation per handle; only changed attributes are written.
@dynamicMemberLookup
public final class Mutable<Item: DataStoreItem> {
    // Exclusivity is checked here, because the setter of a custom attribute may read the handle.
    @usableFromInline var current: Item
    /// The stored item, if it differs from the shown one.
    // reason for unchecked: only the block's own thread accesses it, and accesses never overlap.
    @exclusivity(unchecked) @usableFromInline var saved: SavedItem<Item>?
    @usableFromInline let block: WriteBlock
    @usableFromInline let entity: Int
    @exclusivity(unchecked) @usableFromInline var state = HandleState.live

    @inlinable
    init(_ item: consuming Item, entity: Int, in block: WriteBlock) {
        current = item
        self.entity = entity
        self.block = block
    }

    /// The present state of the item, as a value that may leave the block.
    @inlinable public var item: Item { current }

    /// The identifier of the item, which never changes.
    @inlinable public var id: Item.ID { current.id }

    /// Gets or sets an attribute.
    // Inlined, so that a literal path becomes a direct access.
    @inlinable
    public subscript<Value>(dynamicMember path: WritableKeyPath<Item, Value>) -> Value {
        @inline(__always)
        get { current[keyPath: path] }
        @inline(__always)
        set {
            guard block.accepts(self) else { return }
            markChanged()
            current[keyPath: path] = newValue
        }
    }

    /// Gets any other property of the item.
    @inlinable
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value>) -> Value {
        @inline(__always)
        get { current[keyPath: path] }
    }

    /// Replaces all attributes by the attributes of another value with the same identifier.
    ///
    /// *Rule:* the items that its relationships were given replace the ones that they have, at once.
    ///
    /// - Throws: `.invalidValue` when the identifiers differ; `.accessorExpired`, `.itemNotFound`.
    public func replace(by item: Item) throws(DataStoreError) {
        guard item.id.anyItemID == self.item.id.anyItemID else {  // by bytes, unlike Swift's text
            throw DataStoreError(
                .invalidValue, "An item cannot be replaced by an item with another identifier.",
                advice: "Delete the item and insert the other.", itemType: Item.schema.name,
                identifier: self.item.id.anyItemID)
        }
        try block.require(self)
        if Item.schema.hasWindows { return try replace(byGiven: item) }
        markChanged()
        current = item
    }

    /// Shows what a change makes of the item.
    package func change(_ change: (Item) throws(DataStoreError) -> Item) throws(DataStoreError) {
        try block.require(self)
        let changed = try change(item)
        markChanged()
        current = changed
    }

    /// The stored item, if it differs from the shown one, and whether the item was deleted.
    package var savedState: (item: Item?, isDeleted: Bool) { (saved?.item, state == .deleted) }

    /// Shows another value while it is being saved, and permanently if that succeeds.
    func showing(_ item: Item, while save: () throws(DataStoreError) -> Void) throws(DataStoreError) {
        let (old, oldSaved) = (current, saved)
        saved = saved ?? SavedItem(old)
        current = item
        do {
            try save()
        } catch {
            (current, saved) = (old, oldSaved)
            throw error
        }
        noteSaved()
    }

    /// Makes the handle of a deleted item valid again.
    @usableFromInline
    func revive(as item: Item) {
        current = item
        saved = nil
        state = .live
    }

    /// Registers a change before it is made.
    @inlinable
    @inline(__always)
    func markChanged() {
        if saved == nil { noteFirstChange() }
    }

    @inlinable
    @inline(never)
    func noteFirstChange() {
        saved = SavedItem(current)
        block.noteChange(of: self)
    }
}

/// The stored item of a handle that shows another value.
///
/// It is an object because only few of the handles of a block are changed at a time.
@usableFromInline
final class SavedItem<Item: Sendable>: Sendable {
    @usableFromInline let item: Item

    @inlinable
    init(_ item: Item) {
        self.item = item
    }
}

/// The validity of a handle.
@usableFromInline
enum HandleState {
    case live
    /// Its item was deleted.
    case deleted
    /// Its turn in `forEachMutableItem` is over.
    case expired
}

/// The interface of handles for a write block, independent of their item type.
@usableFromInline
protocol TrackedHandle: AnyObject {
    var entity: Int { get }
    var entitySchema: EntitySchema { get }
    var identifier: AnyItemID { get }
    var state: HandleState { get set }
    /// True if it shows something other than what is stored.
    var isChanged: Bool { get }

    /// Encodes the stored and the new item as two rows.
    func encode(saved: inout RowWriter, changed: inout RowWriter) throws(DataStoreError)

    /// Marks the changes as stored.
    func noteSaved()

    /// Shows the present stored state.
    func reload(from row: borrowing RowReader) throws(DataStoreError)
}

extension Mutable: TrackedHandle {
    @usableFromInline var entitySchema: EntitySchema { Item.schema }
    @usableFromInline var identifier: AnyItemID { current.id.anyItemID }
    @usableFromInline var isChanged: Bool { saved != nil }

    @usableFromInline
    func encode(saved savedRow: inout RowWriter, changed: inout RowWriter) throws(DataStoreError) {
        if let saved {
            try saved.item.encode(to: &savedRow)
        } else {
            try current.encode(to: &savedRow)
        }
        try current.encode(to: &changed)
    }

    @usableFromInline
    func noteSaved() {
        saved = nil
    }

    @usableFromInline
    func reload(from row: borrowing RowReader) throws(DataStoreError) {
        revive(as: try Item(row: row))
    }
}
