/// An item being changed inside a write block: set its attributes, and they are saved when the block ends.
///
///     try store.writeSync { accessor in
///         let cake = try accessor.firstMutableItem(for: Recipe.where(\.slug == "cake"))
///         cake?.rating = 5
///     }
///
/// *Rule:* lives in its block; one item has one handle per block. A set that cannot be accepted dooms the
/// block, which then throws at its next request or its end; a set after the block changes nothing and is
/// reported to the store's `errorHandler`. *Cost:* an allocation per handle; only changed attributes are
/// written.
@dynamicMemberLookup
public final class Mutable<Item: DataStoreItem> {
    // Checked: the setter of an attribute's own may read the handle.
    @usableFromInline var current: Item
    /// What is stored, where it differs from what is shown.
    // reason for unchecked: touched by the block's own thread only, by no access while another runs.
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

    /// The item as it is now, as a value that may leave the block.
    @inlinable public var item: Item { current }

    /// The identifier of the item; final.
    @inlinable public var id: Item.ID { current.id }

    /// An attribute that can be set.
    // Inlined, so that a path that is spelled out becomes a plain access.
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

    /// Anything else that can be read of the item.
    @inlinable
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value>) -> Value {
        @inline(__always)
        get { current[keyPath: path] }
    }

    /// Replaces all attributes by those of another value with the same identifier.
    ///
    /// - Throws: `.invalidValue` when the identifiers differ; `.accessorExpired`, `.itemNotFound`.
    public func replace(by item: Item) throws(DataStoreError) {
        guard item.id.anyItemID == self.item.id.anyItemID else {  // by bytes, unlike Swift's text
            throw DataStoreError(
                .invalidValue, "An item cannot be replaced by one with another identifier.",
                advice: "Delete the one and insert the other.", itemType: Item.schema.name,
                identifier: self.item.id.anyItemID)
        }
        try block.require(self)
        markChanged()
        current = item
    }

    /// Sets an attribute by its name.
    ///
    /// - Throws: `.unknownAttribute`, `.wrongType`, `.invalidValue`; `.accessorExpired`, `.itemNotFound`.
    public func setValue(_ value: (any AttributeStorable)?, forKey name: String) throws(DataStoreError) {
        try block.require(self)
        let changed = try item.replacing(name, by: value)
        markChanged()
        current = changed
    }

    /// The value of an attribute by its name; see ``DataStoreItem/value(forKey:)``.
    public func value(forKey name: String) throws(DataStoreError) -> (any AttributeStorable)? {
        try item.value(forKey: name)
    }

    /// Shows another value for as long as it is being saved, and for good when that succeeds.
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

    /// Stands for a stored item again after it had been deleted.
    @usableFromInline
    func revive(as item: Item) {
        current = item
        saved = nil
        state = .live
    }

    /// Takes note of a change, before it is made.
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

/// An item as it is stored, beside a handle that shows another.
///
/// An object, as few of the handles that a block keeps are being changed at a time.
@usableFromInline
final class SavedItem<Item: Sendable>: Sendable {
    @usableFromInline let item: Item

    @inlinable
    init(_ item: Item) {
        self.item = item
    }
}

/// Whether a handle can still be set.
@usableFromInline
enum HandleState {
    case live
    /// Its item was deleted.
    case deleted
    /// Its turn in `forEachMutableItem` is over.
    case expired
}

/// What a write block needs of its handles, whatever their type.
@usableFromInline
protocol TrackedHandle: AnyObject {
    var entity: Int { get }
    var entitySchema: EntitySchema { get }
    var identifier: AnyItemID { get }
    var state: HandleState { get set }

    /// Writes what is stored and what is to be, as two rows.
    func encode(saved: inout RowWriter, changed: inout RowWriter) throws(DataStoreError)

    /// Takes note that the changes are stored.
    func noteSaved()

    /// Shows what is stored now.
    func reload(from row: borrowing RowReader) throws(DataStoreError)
}

extension Mutable: TrackedHandle {
    @usableFromInline var entitySchema: EntitySchema { Item.schema }
    @usableFromInline var identifier: AnyItemID { current.id.anyItemID }

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
