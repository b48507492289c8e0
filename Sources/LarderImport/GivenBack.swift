import LarderKernel

/// The items of their own type that the items of an upsert were given, until these are written.
///
/// They are given after all rows are written. If an item comes with a reference that this would take away, or lead to
/// another owner, it has to wait for that.
struct GivenBack {
    private struct Place: Hashable {
        let column: Int
        let item: AnyItemID
    }

    private let type: AttributeType
    private let areKnown: Bool
    /// For each owner the items that it was given last, by the column in which they refer to it.
    private var targets: [Place: Set<AnyItemID>] = [:]
    /// For each item the owners that were given it, now or before.
    private var owners: [Place: Set<AnyItemID>] = [:]

    /// - Parameters:
    ///   - type: The type of the identifiers.
    ///   - areKnown: False if stored items may have other identifiers: any reference may be lost then.
    init(_ type: AttributeType, areKnown: Bool) { (self.type, self.areKnown) = (type, areKnown) }

    mutating func note(_ items: AssignedItems, of owner: Cell, at column: Int) {
        guard let owner = AnyItemID(owner, type: type) else { return }
        let place = Place(column: column, item: owner)
        let kept = items.keepsOthers ? targets[place] ?? [] : []
        targets[place] = kept.union(items.targets)
        for target in items.targets { owners[Place(column: column, item: target), default: []].insert(owner) }
    }

    /// True if an item refers, in one of some columns, to another owner than it will have by what was given.
    func takesReference(of row: UnsafePointer<Cell>, in columns: some Sequence<Int>) -> Bool {
        if targets.isEmpty { return false }
        return columns.contains { column in
            guard let owner = AnyItemID(row[column], type: type) else { return false }
            guard areKnown, let item = AnyItemID(row[0], type: type) else { return true }
            if let given = targets[Place(column: column, item: owner)], !given.contains(item) { return true }
            return owners[Place(column: column, item: item)]?.contains { $0 != owner } ?? false
        }
    }
}
