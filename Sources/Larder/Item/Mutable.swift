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
    /// The item as it is now, as a value that may leave the block.
    // Checked: the setter of an attribute's own may read the handle.
    public private(set) var item: Item
    // reason for unchecked: touched by the block's own thread only, by no access while another runs.
    @exclusivity(unchecked) private var saved: Item
    private let context: WriteContext
    let entity: Int
    @exclusivity(unchecked) var isDirty = false
    @exclusivity(unchecked) var state = HandleState.live

    init(_ item: Item, entity: Int, in context: WriteContext) {
        self.item = item
        saved = item
        self.entity = entity
        self.context = context
    }

    /// The identifier of the item; final.
    public var id: Item.ID { item.id }

    /// An attribute that can be set.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Item, Value>) -> Value {
        get { item[keyPath: path] }
        set {
            guard context.accepts(self) else { return }
            markChanged()
            item[keyPath: path] = newValue
        }
    }

    /// Anything else that can be read of the item.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value>) -> Value {
        item[keyPath: path]
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
        try context.require(self)
        markChanged()
        self.item = item
    }

    /// Sets an attribute by its name.
    ///
    /// - Throws: `.unknownAttribute`, `.wrongType`, `.invalidValue`; `.accessorExpired`, `.itemNotFound`.
    public func setValue(_ value: (any AttributeStorable)?, forKey name: String) throws(DataStoreError) {
        try context.require(self)
        let changed = try item.replacing(name, by: value)
        markChanged()
        item = changed
    }

    /// The value of an attribute by its name; see ``DataStoreItem/value(forKey:)``.
    public func value(forKey name: String) throws(DataStoreError) -> (any AttributeStorable)? {
        try item.value(forKey: name)
    }

    /// Shows another value for as long as it is being saved, and for good when that succeeds.
    func showing(_ item: Item, while save: () throws(DataStoreError) -> Void) throws(DataStoreError) {
        let old = self.item
        self.item = item
        do {
            try save()
        } catch {
            self.item = old
            throw error
        }
        noteSaved()
    }

    /// Stands for a stored item again after it had been deleted.
    func revive(as item: Item) {
        self.item = item
        saved = item
        isDirty = false
        state = .live
    }

    private func markChanged() {
        guard !isDirty else { return }
        isDirty = true
        context.noteChange(of: self)
    }
}

/// Whether a handle can still be set.
enum HandleState {
    case live
    /// Its item was deleted.
    case deleted
    /// Its turn in `forEachMutableItem` is over.
    case expired
}

/// What a write block needs of its handles, whatever their type.
protocol TrackedHandle: AnyObject {
    var entity: Int { get }
    var entitySchema: EntitySchema { get }
    var identifier: AnyItemID { get }
    var isDirty: Bool { get }
    var state: HandleState { get set }

    /// Writes what is stored and what is to be, as two rows.
    func encode(saved: inout RowWriter, changed: inout RowWriter) throws(DataStoreError)

    /// Takes note that the changes are stored.
    func noteSaved()

    /// Shows what is stored now.
    func reload(from row: borrowing RowReader) throws(DataStoreError)
}

extension Mutable: TrackedHandle {
    var entitySchema: EntitySchema { Item.schema }
    var identifier: AnyItemID { item.id.anyItemID }

    func encode(saved savedRow: inout RowWriter, changed: inout RowWriter) throws(DataStoreError) {
        try saved.encode(to: &savedRow)
        try item.encode(to: &changed)
    }

    func noteSaved() {
        saved = item
        isDirty = false
    }

    func reload(from row: borrowing RowReader) throws(DataStoreError) {
        revive(as: try Item(row: row))
    }
}
