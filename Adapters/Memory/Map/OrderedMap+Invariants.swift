import LarderKernel
import LarderKeyValue

extension OrderedMap {
    /// The defects of the map, for tests; empty if there are none.
    func checkInvariants() -> [String] {
        var check = InvariantCheck(isInteger: keys == .integer)
        if let root {
            check.visit(root, level: height, from: nil, to: nil)
            if top?.base != root.page.base { check.problems.append("the top page is not the root's") }
            if !root.isLeaf, root.page.count < 2 { check.problems.append("the root has a single child") }
        } else if top != nil || height != 0 {
            check.problems.append("an empty map has a height of \(height)")
        }
        if check.entries != count {
            check.problems.append("\(check.entries) entries are counted as \(count)")
        }
        return check.problems
    }
}

private struct InvariantCheck {
    let isInteger: Bool
    var problems: [String] = []
    var entries = 0

    init(isInteger: Bool) {
        self.isInteger = isInteger
    }

    mutating func visit(_ node: Node, level: Int, from lower: MapKey?, to upper: MapKey?) {
        let page = node.page
        if node.isLeaf != (level == 1) { problems.append("a leaf is at level \(level)") }
        if page.count == 0 { problems.append("a node is empty") }
        checkBytes(of: page)
        checkOrder(of: node, from: lower, to: upper)
        if node.isLeaf {
            checkLargeValues(of: node)
            entries += page.count
            return
        }
        if page.count > Node.maximumChildren { problems.append("a branch has \(page.count) children") }
        guard node.children.count == page.count else {
            problems.append("\(page.count) entries stand for \(node.children.count) children")
            return
        }
        for (index, child) in node.children.enumerated() {
            if page.child(at: index).base != child.page.base {
                problems.append("an entry leads to another page than its child's")
            }
            visit(
                child, level: level - 1, from: index == 0 ? lower : page.key(at: index),
                to: index + 1 < page.count ? page.key(at: index + 1) : upper)
        }
    }

    private mutating func checkOrder(of node: Node, from lower: MapKey?, to upper: MapKey?) {
        let page = node.page
        var previous = lower
        // The key of a first child says nothing.
        let first = node.isLeaf ? 0 : 1
        for index in first..<max(first, page.count) {
            let key = page.key(at: index)
            if isInteger != key.bytes.isEmpty { problems.append("a key has \(key.bytes.count) bytes") }
            if let previous {
                let order = previous.order(to: key)
                if order > 0 || (order == 0 && index > first) { problems.append("a key comes too late") }
            }
            previous = key
        }
        if let upper, let previous, previous.order(to: upper) >= 0 {
            problems.append("a key belongs to the next node")
        }
    }

    private mutating func checkBytes(of page: Page) {
        var ranges = (0..<page.count).map { index in
            let entry = page.entries[index]
            return Int(entry.offset)..<(Int(entry.offset) + entry.length)
        }.filter { !$0.isEmpty }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        for (left, right) in zip(ranges, ranges.dropFirst()) where left.upperBound > right.lowerBound {
            problems.append("the bytes of two entries overlap")
        }
        let start = Int(page.header.pointee.bytesStart)
        if let first = ranges.first, first.lowerBound < start { problems.append("bytes are in free space") }
        if let last = ranges.last, last.upperBound > Page.size {
            problems.append("bytes are beyond the page")
        }
        if page.freeBytes < 0 { problems.append("entries and bytes overlap") }
        let used = ranges.reduce(0) { $0 + $1.count }
        let unused = Int(page.header.pointee.unused)
        if used + unused != Page.size - start {
            problems.append("\(used) bytes are used and \(unused) not, of \(Page.size - start)")
        }
    }

    private mutating func checkLargeValues(of node: Node) {
        let expected = (0..<node.page.count).filter { node.page.entries[$0].isLarge }
        let found = node.owned(0..<node.page.count)
        if node.largeValues.count != expected.count || found.count != expected.count {
            problems.append("\(expected.count) large values are owned as \(node.largeValues.count)")
        }
    }
}

extension MapKey {
    /// Negative, zero or positive as this key comes before, with or after the other.
    func order(to other: MapKey) -> Int {
        head == other.head ? bytes.order(to: other.bytes) : (head < other.head ? -1 : 1)
    }
}
