import LarderKernel

/// Everything about a list that does not depend on the type of its items: identifiers, digests and sections.
///
/// Differences between lists are found here, in code that is compiled once.
@usableFromInline
final class ListShape: Sendable {
    /// The identifiers of the items.
    let identifiers: [AnyItemID]
    /// For each item a number that differs, except with a chance of one in 2^64, when the stored item does.
    let digests: [Int]
    let sections: [Section]
    /// The place of each identifier, made by the first look-up.
    private let places = Locked<[AnyItemID: Int]?>(nil)

    /// A section: a value, its name, and the index of its first item.
    struct Section: Sendable {
        let value: Constant
        let name: String
        /// Nil if the section is not in the index.
        let indexTitle: String?
        let start: Int
    }

    init(identifiers: [AnyItemID], digests: [Int], sections: [Section]) {
        self.identifiers = identifiers
        self.digests = digests
        self.sections = sections
    }

    /// The shape of an empty list without sections, which has one section.
    static let empty = ListShape(identifiers: [], digests: [], sections: [.whole])

    @usableFromInline var sectionCount: Int { sections.count }

    /// The indices of the items of a section.
    @usableFromInline
    func range(ofSection section: Int) -> Range<Int> {
        let end = section + 1 < sections.count ? sections[section + 1].start : identifiers.count
        return sections[section].start..<end
    }

    /// The index of an item in its list.
    func index(of identifier: AnyItemID) -> Int? {
        places.withLock { places in
            if let places { return places[identifier] }
            var made: [AnyItemID: Int] = [:]
            made.reserveCapacity(identifiers.count)
            for (index, identifier) in identifiers.enumerated() { made[identifier] = index }
            places = made
            return made[identifier]
        }
    }

    /// The position of the item with an index, which must be one of the list.
    func position(of index: Int) -> ListPosition {
        // Empty sections do not exist beside others, so that starts ascend.
        var (low, high) = (0, sections.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if sections[middle].start <= index { low = middle } else { high = middle }
        }
        return ListPosition(section: low, item: index - sections[low].start)
    }
}

extension ListShape.Section {
    /// The only section of a list that has none.
    static let whole = ListShape.Section(value: .null, name: "", indexTitle: nil, start: 0)

    func isNamed(as other: ListShape.Section) -> Bool {
        UTF8Text.areEqual(name, other.name)
            && UTF8Text.areEqual(indexTitle ?? "", other.indexTitle ?? "")
    }
}
