import LarderKeyValue

/// A place in a map, and the way that led there.
///
/// *Rule:* holds its copy of the map, so that later changes are not seen.
struct MapCursor {
    private let map: OrderedMap
    /// The branches above the leaf, with the child that was taken in each.
    private var way: [(page: Page, index: Int)] = []
    private var leaf: Page?
    private var index = 0
    private var leafCount = 0

    init(over map: OrderedMap) {
        self.map = map
    }

    mutating func first() -> Bool {
        guard let top = map.top else { return false }
        way.removeAll(keepingCapacity: true)
        descend(from: top, levels: map.height) { _ in 0 }
        index = 0
        return true
    }

    mutating func last() -> Bool {
        guard let top = map.top else { return false }
        way.removeAll(keepingCapacity: true)
        descend(from: top, levels: map.height) { $0.count - 1 }
        index = leafCount - 1
        return true
    }

    mutating func seek(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let top = map.top else { return false }
        let key = MapKey(key, map.keys)
        way.removeAll(keepingCapacity: true)
        descend(from: top, levels: map.height) { $0.childIndex(for: key) }
        guard let leaf else { return false }
        index = leaf.position(of: key).index
        if index < leafCount { return true }
        index -= 1
        return next()
    }

    mutating func next() -> Bool {
        index += 1
        return index < leafCount || nextLeaf()
    }

    mutating func previous() -> Bool {
        index -= 1
        return index >= 0 || previousLeaf()
    }

    /// The entry the cursor stands on, after a move that found one.
    func read(_ entry: inout KeyValueEntry) {
        guard let leaf else { return }
        let stored = leaf.entries + index
        switch map.keys {
        case .integer: entry.key = UnsafeRawBufferPointer(start: stored, count: MemoryLayout<UInt64>.size)
        case .bytes: entry.key = leaf.key(at: index).bytes
        }
        entry.value = leaf.value(at: index)
    }

    private mutating func nextLeaf() -> Bool {
        while let (page, taken) = way.popLast() {
            guard taken + 1 < page.count else { continue }
            way.append((page, taken + 1))
            descend(from: page.child(at: taken + 1), levels: map.height - way.count) { _ in 0 }
            index = 0
            return true
        }
        leaf = nil
        leafCount = 0
        return false
    }

    private mutating func previousLeaf() -> Bool {
        while let (page, taken) = way.popLast() {
            guard taken > 0 else { continue }
            way.append((page, taken - 1))
            descend(from: page.child(at: taken - 1), levels: map.height - way.count) { $0.count - 1 }
            index = leafCount - 1
            return true
        }
        leaf = nil
        leafCount = 0
        return false
    }

    private mutating func descend(from page: Page, levels: Int, choose: (Page) -> Int) {
        var page = page
        for _ in 1..<levels {
            let child = choose(page)
            way.append((page, child))
            page = page.child(at: child)
        }
        leaf = page
        leafCount = page.count
    }
}
