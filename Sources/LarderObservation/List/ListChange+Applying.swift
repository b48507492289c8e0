import LarderKernel

extension ListChange {
    /// Applies the change to an app's own rows, one array for each section.
    ///
    ///     change.apply(to: &rows) { recipe in RecipeRow(recipe) }
    ///
    /// - Parameters:
    ///   - sections: The rows of the old list, which become the rows of the new one.
    ///   - makeRow: Makes the row of an item that is new or has changed.
    /// - Returns: False, and the rows unchanged, if their number differs from the old list's.
    /// - Throws: Rethrows the body's error.
    @discardableResult
    public func apply<Row>(to sections: inout [[Row]], making makeRow: (Item) throws -> Row) rethrows -> Bool
    {
        guard sections.map(\.count) == old.sections.map(\.count) else { return false }
        guard
            let applied = try whole.applied(
                to: sections,
                { position in
                    try new[safe: position].map(makeRow)
                })
        else { return false }
        sections = applied
        return true
    }
}

extension ItemList {
    /// The list after a change, or nil if the change is not one of this list.
    ///
    /// The list keeps what the change does not name, and takes the rest from it.
    ///
    ///     list.applying(change) == change.new
    public func applying(_ change: ListChange<Item>) -> ItemList? {
        let new = change.new.shape
        let rows = sections.indices.map { shape.range(ofSection: $0).map { Row(index: $0, isNew: false) } }
        guard rows.map(\.count) == change.old.sections.map(\.count) else { return nil }
        let applied = change.whole.applied(to: rows) { position in
            change.new.index(at: position).map { Row(index: $0, isNew: true) }
        }
        guard let applied, let order = change.whole.appliedOrder(ofSections: shape.sections.count)
        else { return nil }
        var items: [Item] = []
        var (identifiers, digests): ([AnyItemID], [Int]) = ([], [])
        var sections: [ListShape.Section] = []
        let renamed = Set((change.whole.updatedSections + change.whole.movedSections).map(\.to))
        for (number, (section, origin)) in zip(applied, order).enumerated() {
            let isKept = origin.map { !renamed.contains(number) && $0 < shape.sections.count } ?? false
            guard let named = isKept ? origin.map({ shape.sections[$0] }) : new.sections[safe: number] else {
                return nil
            }
            sections.append(
                ListShape.Section(
                    value: named.value, name: named.name, indexTitle: named.indexTitle, start: items.count))
            for row in section {
                let source = row.isNew ? change.new : self
                items.append(source.items[row.index])
                identifiers.append(source.shape.identifiers[row.index])
                digests.append(source.shape.digests[row.index])
            }
        }
        return ItemList(
            items: items, shape: ListShape(identifiers: identifiers, digests: digests, sections: sections))
    }
}

/// The place from which an item of a list that is being made comes.
private struct Row {
    let index: Int
    /// True if the index is one of the new list.
    let isNew: Bool
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension ListDifference {
    /// The rows after the difference, or nil if it does not fit.
    ///
    /// - Parameter row: The row at a new position; nil if there is none.
    fileprivate func applied<Row>(
        to old: [[Row]], _ row: (ListPosition) throws -> Row?
    ) rethrows -> [[Row]]? {
        guard let order = appliedOrder(ofSections: old.count) else { return nil }
        var taken = Set(deletedItems)
        for move in movedItems { taken.insert(move.from) }
        var sections = order.map { origin -> [Row] in
            guard let origin else { return [] }
            if taken.isEmpty { return old[origin] }
            return old[origin].enumerated()
                .filter { !taken.contains(ListPosition(section: origin, item: $0.offset)) }.map(\.element)
        }
        var placed: [(position: ListPosition, row: Row)] = []
        for position in insertedItems {
            guard let row = try row(position) else { return nil }
            placed.append((position, row))
        }
        for move in movedItems {
            let stays = old[safe: move.from.section]?[safe: move.from.item]
            guard let row = move.isUpdated ? try row(move.to) : stays else { return nil }
            placed.append((move.to, row))
        }
        placed.sort { $0.position < $1.position }
        guard sections.place(placed) else { return nil }
        for update in updatedItems {
            let (section, item) = (update.to.section, update.to.item)
            guard sections[safe: section]?[safe: item] != nil, let row = try row(update.to) else {
                return nil
            }
            sections[section][item] = row
        }
        return sections
    }

    /// For each section after the difference the number of the one before, nil for a new one; nil if the
    /// difference does not fit.
    fileprivate func appliedOrder(ofSections count: Int) -> [Int?]? {
        let moved = Dictionary(
            movedSections.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
        let taken = Set(deletedSections).union(moved.values)
        let inserted = Set(insertedSections)
        var staying = (0..<count).filter { !taken.contains($0) }[...]
        var order: [Int?] = []
        let newCount = count - deletedSections.count + insertedSections.count
        if newCount < 0 { return nil }
        for section in 0..<newCount {
            if inserted.contains(section) {
                order.append(nil)
            } else if let from = moved[section] {
                guard from < count else { return nil }
                order.append(from)
            } else {
                guard let next = staying.popFirst() else { return nil }
                order.append(next)
            }
        }
        return staying.isEmpty ? order : nil
    }
}

extension Array {
    /// Places rows at positions that ascend, each as in the finished sections; false if one does not fit.
    fileprivate mutating func place<Row>(
        _ placed: [(position: ListPosition, row: Row)]
    ) -> Bool where Element == [Row] {
        var start = 0
        while start < placed.count {
            let section = placed[start].position.section
            guard indices.contains(section) else { return false }
            var end = start
            while end < placed.count, placed[end].position.section == section { end += 1 }
            var staying = self[section][...]
            var made: [Row] = []
            made.reserveCapacity(staying.count + end - start)
            for (position, row) in placed[start..<end] {
                let missing = position.item - made.count
                guard missing >= 0, missing <= staying.count else { return false }
                made += staying.prefix(missing)
                staying = staying.dropFirst(missing)
                made.append(row)
            }
            self[section] = made + staying
            start = end
        }
        return true
    }
}
