import LarderKernel

/// The places at which two lists differ; see ``ListChange``.
struct ListDifference: Sendable, Equatable {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var movedSections: [ListMove<Int>] = []
    var updatedSections: [ListMove<Int>] = []
    var deletedItems: [ListPosition] = []
    var insertedItems: [ListPosition] = []
    var movedItems: [ListMove<ListPosition>] = []
    var updatedItems: [ListMove<ListPosition>] = []

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
            && updatedSections.isEmpty && deletedItems.isEmpty && insertedItems.isEmpty
            && movedItems.isEmpty && updatedItems.isEmpty
    }
}

extension ListDifference {
    /// Compares two lists.
    ///
    /// Sections and items that are kept in order are not moved: the longest increasing subsequence of the
    /// kept sections, and in each of them the longest one of its kept items. So no other choice has fewer
    /// moves.
    ///
    /// *Cost:* one pass if the identifiers are the same; a table of the identifiers between the first and the
    /// last that differ; O(n log n) if items of a section have changed places.
    init(from old: ListShape, to new: ListShape) {
        if old === new { return }
        let sections = compareSections(old, new)
        let items = ItemSources(old, new)
        for (section, source) in sections.enumerated() {
            compareItems(of: section, source, by: items, old, new)
        }
        for index in items.deleted { deletedItems.append(old.position(of: index)) }
    }

    /// - Returns: The old section of each new one, or -1.
    private mutating func compareSections(_ old: ListShape, _ new: ListShape) -> [Int] {
        var sources = Array(new.sections.indices)
        let isSame = old.sections.elementsEqual(new.sections) { $0.value == $1.value }
        if !isSame {
            var numbers: [Constant: Int] = [:]
            for (number, section) in old.sections.enumerated() { numbers[section.value] = number }
            sources = new.sections.map { numbers.removeValue(forKey: $0.value) ?? -1 }
            deletedSections = numbers.values.sorted()
        }
        let kept = sources.indices.filter { sources[$0] >= 0 }
        var staying = LongestRun.indices(in: kept.map { sources[$0] }).makeIterator()
        var next = staying.next()
        for (position, section) in kept.enumerated() {
            let isUpdated = !old.sections[sources[section]].isNamed(as: new.sections[section])
            let move = ListMove(from: sources[section], to: section, isUpdated: isUpdated)
            if position == next {
                next = staying.next()
                if isUpdated { updatedSections.append(move) }
            } else {
                movedSections.append(move)
            }
        }
        insertedSections = sources.indices.filter { sources[$0] < 0 }
        return sources
    }

    /// Compares the items of a new section with the old section's, if there is one.
    private mutating func compareItems(
        of section: Int, _ source: Int, by items: ItemSources, _ old: ListShape, _ new: ListShape
    ) {
        let range = new.range(ofSection: section)
        let oldRange = source < 0 ? 0..<0 : old.range(ofSection: source)
        // The items that are in the section before and after, and their old indices.
        var kept: [Int] = []
        var keptSources: [Int] = []
        kept.reserveCapacity(oldRange.count)
        keptSources.reserveCapacity(oldRange.count)
        for index in range where oldRange.contains(items.sources[index]) {
            kept.append(index)
            keptSources.append(items.sources[index])
        }
        var staying = LongestRun.indices(in: keptSources).lazy.map { kept[$0] }.makeIterator()
        var next = staying.next()
        for index in range {
            let from = items.sources[index]
            let isStaying = index == next
            if isStaying { next = staying.next() }
            let isUpdated = from >= 0 && old.digests[from] != new.digests[index]
            if isStaying, !isUpdated { continue }
            let to = ListPosition(section: section, item: index - range.lowerBound)
            if from < 0 {
                insertedItems.append(to)
                continue
            }
            let move = ListMove(from: old.position(of: from), to: to, isUpdated: isUpdated)
            if isStaying { updatedItems.append(move) } else { movedItems.append(move) }
        }
    }
}

/// The old index of each item of a list.
private struct ItemSources {
    /// -1 for an item that is new.
    private(set) var sources: [Int]
    /// The old indices of the items that are gone, ascending.
    private(set) var deleted: [Int] = []

    init(_ old: ListShape, _ new: ListShape) {
        let (old, new) = (old.identifiers, new.identifiers)
        var start = 0
        while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
        sources = Array(0..<start)
        if start == old.count, start == new.count { return }
        sources += repeatElement(-1, count: new.count - start)
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
            sources[newEnd] = oldEnd
        }
        if start == newEnd {
            deleted = Array(start..<oldEnd)
            return
        }
        if start == oldEnd { return }
        var places: [AnyItemID: Int] = [:]
        places.reserveCapacity(oldEnd - start)
        for index in start..<oldEnd { places[old[index]] = index }
        for index in start..<newEnd {
            if let place = places.removeValue(forKey: new[index]) { sources[index] = place }
        }
        deleted = places.values.sorted()
    }
}
