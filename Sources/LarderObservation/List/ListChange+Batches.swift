import LarderKernel

extension ListChange {
    /// The change as batch updates that a table or collection view takes one after the other.
    ///
    ///     for batch in change.batches {
    ///         view.performBatchUpdates {
    ///             view.deleteSections(IndexSet(batch.deletedSections))
    ///             view.insertSections(IndexSet(batch.insertedSections))
    ///             for move in batch.movedSections { view.moveSection(move.from, toSection: move.to) }
    ///             view.deleteItems(at: batch.deletedItems.map(path))
    ///             view.insertItems(at: batch.insertedItems.map(path))
    ///             for move in batch.movedItems { view.moveItem(at: path(move.from), to: path(move.to)) }
    ///             view.reloadItems(at: batch.updatedItems.map { path($0.to) })
    ///             view.reloadSections(IndexSet(batch.updatedSections.map(\.to)))
    ///         }
    ///     }
    ///
    /// The first batch deletes, inserts and moves, and leads to the places of the new list. The later ones
    /// reload changed items and then changed sections, at indexes that stay. No batch changes an item in a
    /// section that it deletes, inserts or moves: a section that moves while its items change is deleted and
    /// inserted.
    ///
    /// *Rule:* the data source gives the new list from the first batch on; batches without a change are left out.
    public var batches: [ListChange] {
        split(whole.withWholeSections(old.shape, new.shape).withoutImpliedItems)
    }

    /// The batches in which the items of deleted and inserted sections are listed too, as deleted and inserted.
    var batchesOfAllItems: [ListChange] {
        split(whole.withWholeSections(old.shape, new.shape).withoutMovesOfSections)
    }

    /// The change without what follows from its sections, in one batch.
    ///
    /// The items of deleted and inserted sections are not deleted or inserted a second time. An item that moves
    /// from a deleted section to one that stays is inserted; one that moves from a section that stays to an
    /// inserted one is deleted. A section that moves while its items change is deleted and inserted. Updated
    /// items must be reloaded at `to` after the batch, as in ``batches``.
    public var withoutImpliedItems: ListChange {
        let shown = whole.withWholeSections(old.shape, new.shape).withoutImpliedItems
        return ListChange(from: old, to: new, whole, showing: shown)
    }

    private func split(_ shown: ListDifference) -> [ListChange] {
        var (places, items, sections) = (shown, ListDifference(), ListDifference())
        places.movedItems = shown.movedItems.map { ListMove(from: $0.from, to: $0.to, isUpdated: false) }
        places.movedSections = shown.movedSections.map {
            ListMove(from: $0.from, to: $0.to, isUpdated: false)
        }
        places.updatedItems = []
        places.updatedSections = []
        items.updatedItems = (shown.updatedItems + shown.movedItems.filter(\.isUpdated)).map(\.to).sorted()
            .map { ListMove(from: $0, to: $0, isUpdated: true) }
        sections.updatedSections = (shown.updatedSections + shown.movedSections.filter(\.isUpdated)).map(\.to)
            .sorted().map { ListMove(from: $0, to: $0, isUpdated: true) }
        var batches: [ListChange] = []
        // The first one leads to the new list, even if nothing comes or goes.
        for batch in [places, items, sections] where !batch.isEmpty {
            let isFirst = batches.isEmpty
            batches.append(
                ListChange(
                    from: isFirst ? old : new, to: new, isFirst ? whole : batch, showing: batch))
        }
        return batches
    }
}

extension ListDifference {
    /// The difference in which each section that moves is deleted and inserted if its items change too.
    fileprivate func withWholeSections(_ old: ListShape, _ new: ListShape) -> ListDifference {
        if movedSections.isEmpty { return self }
        let touchedOld = Set((deletedItems + movedItems.map(\.from)).map(\.section))
        let touchedNew = Set((insertedItems + movedItems.map(\.to)).map(\.section))
        let remade = movedSections.filter { touchedOld.contains($0.from) || touchedNew.contains($0.to) }
        if remade.isEmpty { return self }
        let (gone, come) = (Set(remade.map(\.from)), Set(remade.map(\.to)))
        // The new place of each section that is made again, by the old one.
        let targets = Dictionary(remade.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
        var change = self
        change.movedSections.removeAll { gone.contains($0.from) }
        change.deletedSections = (deletedSections + gone).sorted()
        change.insertedSections = (insertedSections + come).sorted()
        // An item that stays in its section goes and comes with it.
        change.movedItems.removeAll { targets[$0.from.section] == $0.to.section }
        change.updatedItems.removeAll { come.contains($0.to.section) }
        let leaving = Set(change.movedItems.map(\.from))
        let arriving = Set(change.movedItems.map(\.to))
        change.deletedItems.removeAll { gone.contains($0.section) }
        change.insertedItems.removeAll { come.contains($0.section) }
        change.deletedItems += gone.flatMap { old.positions(inSection: $0) }.filter { !leaving.contains($0) }
        change.insertedItems += come.flatMap { new.positions(inSection: $0) }.filter {
            !arriving.contains($0)
        }
        change.deletedItems.sort()
        change.insertedItems.sort()
        return change
    }

    /// The difference in which an item that leaves a deleted section, or comes into an inserted one, is deleted and
    /// inserted: a table view refuses to move it.
    fileprivate var withoutMovesOfSections: ListDifference {
        if deletedSections.isEmpty && insertedSections.isEmpty { return self }
        let (gone, come) = (Set(deletedSections), Set(insertedSections))
        let remade = movedItems.filter { gone.contains($0.from.section) || come.contains($0.to.section) }
        if remade.isEmpty { return self }
        var change = self
        change.movedItems.removeAll { gone.contains($0.from.section) || come.contains($0.to.section) }
        change.deletedItems = (deletedItems + remade.map(\.from)).sorted()
        change.insertedItems = (insertedItems + remade.map(\.to)).sorted()
        return change
    }

    fileprivate var withoutImpliedItems: ListDifference {
        if deletedSections.isEmpty && insertedSections.isEmpty { return self }
        let (gone, come) = (Set(deletedSections), Set(insertedSections))
        var change = self
        change.deletedItems.removeAll { gone.contains($0.section) }
        change.insertedItems.removeAll { come.contains($0.section) }
        change.movedItems = []
        for move in movedItems {
            switch (gone.contains(move.from.section), come.contains(move.to.section)) {
            case (false, false): change.movedItems.append(move)
            case (true, false): change.insertedItems.append(move.to)
            case (false, true): change.deletedItems.append(move.from)
            case (true, true): continue
            }
        }
        change.deletedItems.sort()
        change.insertedItems.sort()
        return change
    }
}

extension ListShape {
    /// The positions of the items of a section.
    fileprivate func positions(inSection section: Int) -> [ListPosition] {
        range(ofSection: section).indices.map {
            ListPosition(section: section, item: $0 - range(ofSection: section).lowerBound)
        }
    }
}
