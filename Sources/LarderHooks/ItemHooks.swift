public import LarderKernel

/// Code of the app around the insertion, update and deletion of the items of one type.
///
///     var options = DataStoreOptions()
///     options.setHooks(
///         ItemHooks(Recipe.self)
///             .beforeInsert { $0.slug = $0.name.lowercased() }
///             .timestamps(updated: \.updatedAt)
///             .validating(\.name, "is empty") { !$0.isEmpty }
///             .limiting(\.steps, minimumCount: 1, maximumCount: 50))
///
/// Hooks run once for each item at the end of a write block, before its commit, on what the block has made of the item. In
/// this order: the changes, the timestamps, the checks; and after all items the counts. They run a second time for an item
/// only if the hook of another item takes over its one-to-one reference after it has had its turn.
///
/// *Rule:* the closures run on the thread of the block, while the store has its one writer. They get values, and may not
/// write to the store. They may run for a block that fails afterwards, so they change nothing outside of the item. *Cost:*
/// a block reads each row of the type before its first change and again at its end, and keeps the first in memory;
/// types without hooks cost nothing.
public struct ItemHooks<Item: DataStoreItem>: Sendable {
    /// Gets the item and its row, from which a check of one attribute takes the value.
    typealias Check =
        @Sendable (Item, RowReader, inout ItemFindings<Item>) -> DataStoreError?

    private(set) var insertions: [@Sendable (inout Item) -> Void] = []
    /// Each gets the new item and the stored one.
    private(set) var updates: [@Sendable (inout Item, Item) -> Void] = []
    private(set) var checks: [Check] = []
    private(set) var deletions: [@Sendable (Item, inout ItemFindings<Item>) -> Void] = []
    private(set) var limits: [CountLimit] = []
    var timestamps: [Timestamps] = []

    /// No hooks; the methods add some.
    public init(_ type: Item.Type = Item.self) {}

    /// Changes items that a block has inserted.
    ///
    ///     ItemHooks(Recipe.self).beforeInsert { $0.slug = $0.name.lowercased() }
    ///
    /// *Rule:* runs at the end of the block, when `insert` has judged the item already: an attribute that is unique, and gets its
    /// value here, must be nil or unique before. Sets attributes and references, and not the identifier (`.invalidValue`).
    /// Relationships without a column stay as the block has set them.
    public func beforeInsert(_ body: @escaping @Sendable (inout Item) -> Void) -> ItemHooks {
        adding { $0.insertions.append(body) }
    }

    /// Changes items that a block has updated; the second value is the item before the block.
    ///
    ///     ItemHooks(Recipe.self).beforeUpdate { recipe, stored in
    ///         if recipe.price != stored.price { recipe.isDraft = true }
    ///     }
    ///
    /// *Rule:* as ``beforeInsert(_:)``. An item whose stored values are the same at the end of the block is not updated.
    public func beforeUpdate(
        _ body: @escaping @Sendable (_ item: inout Item, _ stored: Item) -> Void
    ) -> ItemHooks {
        adding { $0.updates.append(body) }
    }

    /// Gets each item that a block has deleted, with its values before the block, and refuses that by a finding.
    ///
    ///     ItemHooks(Recipe.self).beforeDelete { recipe, findings in
    ///         if recipe.isFavorite { findings.add("is a favorite", at: \.isFavorite) }
    ///     }
    ///
    /// *Rule:* also for items that delete rules take along, and for each item of `deleteAllItems(of:)`.
    public func beforeDelete(
        _ body: @escaping @Sendable (_ item: Item, _ findings: inout ItemFindings<Item>) -> Void
    ) -> ItemHooks {
        adding { $0.deletions.append(body) }
    }

    /// Checks one attribute of items that a block has inserted or updated.
    ///
    ///     ItemHooks(Recipe.self).validating(\.rating, "is not between 0 and 5") { (0...5).contains($0) }
    public func validating<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>, _ message: String,
        _ isValid: @escaping @Sendable (Value) -> Bool
    ) -> ItemHooks {
        let column = Item.attributes[keyPath: attribute].column
        let name = Item.schema.attributes[column].propertyName
        let check: Check = { item, row, findings in
            do throws(DataStoreError) {
                let value: Value
                if let known = Value.decode(row, at: column) {
                    value = known
                } else {
                    // The item could be read, so it has a fallback for the stored value.
                    value = try item.value(at: column, as: Value.self)
                }
                if !isValid(value) { findings.add(message, named: name) }
                return nil
            } catch {
                return error
            }
        }
        return adding { $0.checks.append(check) }
    }

    /// Checks items that a block has inserted or updated, as a whole.
    ///
    ///     ItemHooks(Recipe.self).validating { recipe, findings in
    ///         if recipe.isVegan, recipe.price > 10 { findings.add("is expensive for vegan food") }
    ///     }
    public func validating(
        _ body: @escaping @Sendable (_ item: Item, _ findings: inout ItemFindings<Item>) -> Void
    ) -> ItemHooks {
        let check: Check = { item, _, findings in
            body(item, &findings)
            return nil
        }
        return adding { $0.checks.append(check) }
    }

    /// Limits the number of items of a relationship, at the end of each block that has changed it.
    ///
    ///     ItemHooks(Recipe.self).limiting(\.steps, minimumCount: 1, maximumCount: 50)
    ///
    /// A minimum is also checked for each item that the block has inserted. Several limits of one relationship hold together.
    /// Nothing is counted in a block that is refused already and whose hooks have changed items, as these changes are not
    /// stored then.
    ///
    /// *Rule:* the relationship is one of the item's own; the hooks of a related item limit that item's. With another one, each
    /// block that inserts or updates an item of the type throws `.invalidRequest`.
    ///
    /// *Cost:* reads the references or links of each item whose relationship is checked.
    public func limiting<Value: RelationshipValue>(
        _ relationship: KeyPath<Item.Attributes, RelationshipAttribute<Item, Value>>, minimumCount: Int = 0,
        maximumCount: Int = .max
    ) -> ItemHooks {
        guard let number = Item.attributes[keyPath: relationship].ownRelationshipNumber else {
            let check: Check = { _, _, _ in
                DataStoreError(
                    .invalidRequest, "A relationship that is limited is not one of the item's own.",
                    advice: "Limit it in the hooks of the item at the end of the reference.",
                    itemType: Item.schema.name)
            }
            return adding { $0.checks.append(check) }
        }
        return adding {
            $0.limits.append(CountLimit(number: number, minimum: minimumCount, maximum: maximumCount))
        }
    }

    /// The findings about an item by its checks, without storing it: for a form that shows them early.
    ///
    ///     let findings = try ItemHooks(Person.self)
    ///         .validating(\.name, "is empty") { !$0.isEmpty }
    ///         .findings(in: Person(name: "", age: 7))
    ///
    /// Counts are not checked.
    ///
    /// - Throws: `.invalidValue` for a value that cannot be stored; `.invalidRequest` if ``limiting(_:minimumCount:maximumCount:)``
    ///   was given a relationship of a related item.
    public func findings(in item: Item) throws(DataStoreError) -> [ItemFinding] {
        let arena = RowArena()
        let cells = try arena.makeCells(Item.schema.attributes.count)
        var writer = RowWriter(cells: cells, arena: arena, of: Item.schema)
        try item.encode(to: &writer)
        let findings = try findings(in: item, RowReader(cells: cells, of: Item.schema))
        withExtendedLifetime(arena) {}
        return findings
    }

    func findings(in item: Item, _ row: RowReader) throws(DataStoreError) -> [ItemFinding] {
        var findings = ItemFindings<Item>(about: item.id.anyItemID)
        for check in checks {
            if let error = check(item, row, &findings) { throw error }
        }
        return findings.all
    }

    /// These hooks and others of the type, as one.
    func appending(_ others: ItemHooks) -> ItemHooks {
        adding { hooks in
            hooks.insertions += others.insertions
            hooks.updates += others.updates
            hooks.checks += others.checks
            hooks.deletions += others.deletions
            hooks.limits += others.limits
            hooks.timestamps += others.timestamps
        }
    }

    func adding(_ change: (inout ItemHooks) -> Void) -> ItemHooks {
        var hooks = self
        change(&hooks)
        return hooks
    }
}

/// The limits of the number of items of a relationship without a column.
struct CountLimit: Sendable {
    let number: Int
    let minimum: Int
    let maximum: Int

    /// This limit and another one of the same relationship, as one.
    func joined(with other: CountLimit) -> CountLimit {
        CountLimit(
            number: number, minimum: max(minimum, other.minimum), maximum: min(maximum, other.maximum))
    }
}
