import LarderKernel
import LarderKeyValue

/// A place in a map, and the way that led there.
///
/// *Rule:* holds its copy of the map: in a transaction, it sees the state of its table when the cursor was
/// made.
final class MemoryCursor: KeyValueCursor {
    private var map: OrderedMap
    private let height: Int
    /// The branches above the leaf, with the child that was taken in each.
    private var way: [(page: Page, index: Int)] = []
    private var leaf: Page?
    private var leafCount = 0
    private var index = 0

    init(over map: OrderedMap) {
        self.map = map
        height = map.height
    }

    func first(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard let top = map.top else { return false }
        way.removeAll(keepingCapacity: true)
        descendToFirst(from: top)
        read(&entry)
        return true
    }

    func last(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard let top = map.top else { return false }
        way.removeAll(keepingCapacity: true)
        descendToLast(from: top)
        read(&entry)
        return true
    }

    func seek(
        _ key: UnsafeRawBufferPointer, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        guard var page = map.top else { return false }
        let key = MapKey(key, map.keys)
        way.removeAll(keepingCapacity: true)
        for _ in 1..<height {
            let child = page.childIndex(for: key)
            way.append((page, child))
            page = page.child(at: child)
        }
        enter(page, at: page.position(of: key).index)
        guard index < leafCount || enterNextLeaf() else { return false }
        read(&entry)
        return true
    }

    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard goToNext() else { return false }
        read(&entry)
        return true
    }

    func previous(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard goToPrevious() else { return false }
        read(&entry)
        return true
    }

    func next(
        _ entries: UnsafeMutableBufferPointer<KeyValueEntry>, isAscending: Bool
    ) throws(DataStoreError) -> Int {
        var count = 0
        while count < entries.count, isAscending ? goToNext() : goToPrevious() {
            read(&entries[count])
            count += 1
        }
        return count
    }

    func close() {
        leave()
        map = OrderedMap(keys: map.keys)
    }

    @inline(__always)
    private func goToNext() -> Bool {
        index += 1
        return index < leafCount || enterNextLeaf()
    }

    @inline(__always)
    private func goToPrevious() -> Bool {
        index -= 1
        return index >= 0 || enterPreviousLeaf()
    }

    @inline(__always)
    private func read(_ entry: inout KeyValueEntry) {
        guard let leaf else { return }
        switch map.keys {
        case .integer:
            entry.key = UnsafeRawBufferPointer(start: leaf.entries + index, count: MemoryLayout<UInt64>.size)
        case .bytes: entry.key = leaf.key(at: index).bytes
        }
        entry.value = leaf.value(at: index)
    }

    private func enterNextLeaf() -> Bool {
        while let (page, taken) = way.popLast() {
            guard taken + 1 < page.count else { continue }
            way.append((page, taken + 1))
            descendToFirst(from: page.child(at: taken + 1))
            return true
        }
        leave()
        return false
    }

    private func enterPreviousLeaf() -> Bool {
        while let (page, taken) = way.popLast() {
            guard taken > 0 else { continue }
            way.append((page, taken - 1))
            descendToLast(from: page.child(at: taken - 1))
            return true
        }
        leave()
        return false
    }

    private func descendToFirst(from page: Page) {
        var page = page
        while way.count < height - 1 {
            way.append((page, 0))
            page = page.child(at: 0)
        }
        enter(page, at: 0)
    }

    private func descendToLast(from page: Page) {
        var page = page
        while way.count < height - 1 {
            let child = page.count - 1
            way.append((page, child))
            page = page.child(at: child)
        }
        enter(page, at: page.count - 1)
    }

    private func enter(_ page: Page, at index: Int) {
        leaf = page
        leafCount = page.count
        self.index = index
    }

    private func leave() {
        way.removeAll()
        leaf = nil
        leafCount = 0
        index = 0
    }
}
