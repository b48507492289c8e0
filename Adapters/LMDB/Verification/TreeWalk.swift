import LarderKernel

/// The walk through one tree, from its root down, which counts what it meets.
struct TreeWalk {
    let tree: TreeName
    let record: TreeRecord
    let inspection: Inspection
    /// The tables whose records were met, to be walked next.
    private(set) var tables: [(name: TreeName, record: TreeRecord)] = []
    private var branchPages: UInt64 = 0
    private var leafPages: UInt64 = 0
    private var overflowPages: UInt64 = 0
    private var entries: UInt64 = 0

    init(_ tree: TreeName, _ record: TreeRecord, _ inspection: Inspection) {
        self.tree = tree
        self.record = record
        self.inspection = inspection
    }

    mutating func run() throws(DataStoreError) {
        do throws(Defect) {
            try record.requirePlausible(tree)
        } catch {
            return inspection.note("The record of \(tree) is wrong: \(error.sentence).")
        }
        let findingsBefore = inspection.findings.sentences.count
        if !record.isEmpty { try visit(record.root, level: 0, from: nil, to: nil) }
        // Pages that were not walked were not counted, and have their own sentence.
        if inspection.findings.sentences.count == findingsBefore { compareCounts() }
    }

    private func compareCounts() {
        let counts = [
            ("branch pages", branchPages, record.branchPages), ("leaf pages", leafPages, record.leafPages),
            ("overflow pages", overflowPages, record.overflowPages), ("entries", entries, record.entries),
        ]
        for (what, counted, recorded) in counts where counted != recorded {
            inspection.note("The record of \(tree) says \(recorded) \(what), and there are \(counted).")
        }
    }
}

// MARK: Pages

extension TreeWalk {
    /// Visits a page and what is below it; `low` is the least key allowed there, `high` the first too high.
    ///
    /// *Rule:* goes no deeper than the record's depth, which has been checked, and to no page twice.
    private mutating func visit(
        _ number: UInt64, level: Int, from low: Key?, to high: Key?
    ) throws(DataStoreError) {
        let isLeaf = level + 1 == record.depth
        guard !inspection.findings.isFull, inspection.use(number, for: tree),
            let page = try inspection.page(number, level: level, isLeaf: isLeaf, of: tree)
        else { return }
        do throws(Defect) {
            try requireOrder(of: page, from: low, to: high)
        } catch {
            return inspection.note("Page \(number) of \(tree) \(error.sentence).")
        }
        if isLeaf {
            try visitEntries(of: page)
        } else {
            try visitChildren(of: page, level: level, from: low, to: high)
        }
    }

    private mutating func visitChildren(
        of page: TreePage, level: Int, from low: Key?, to high: Key?
    ) throws(DataStoreError) {
        branchPages &+= 1
        for (index, node) in page.nodes.enumerated() {
            let isLast = index + 1 == page.nodes.count
            let lowest = index == 0 ? low : page.key(of: node)
            let highest = isLast ? high : page.key(of: page.nodes[index + 1])
            try visit(node.child, level: level + 1, from: lowest, to: highest)
        }
    }

    /// Checks sizes and order of the keys.
    ///
    /// LMDB does not read the first key of a branch page either.
    private func requireOrder(of page: TreePage, from low: Key?, to high: Key?) throws(Defect) {
        guard page.isLeaf || page.nodes.count > 1 || tree == .freeList else {
            throw Defect("is a branch with one child")
        }
        var previous: Key?
        for (index, node) in page.nodes.enumerated() {
            let key = page.key(of: node)
            let isIgnored = index == 0 && !page.isLeaf
            try requireSize(of: key, isIgnored: isIgnored)
            if isIgnored { continue }
            if let previous, !isBelow(previous, key) {
                throw Defect("has its keys \(index - 1) and \(index) out of order")
            }
            if previous == nil, let low, isBelow(key, low) {
                throw Defect("has keys that are too low for its place")
            }
            previous = key
        }
        if let previous, let high, !isBelow(previous, high) {
            throw Defect("has keys that are too high for its place")
        }
    }

    private func requireSize(of key: Key, isIgnored: Bool) throws(Defect) {
        let isRight = record.hasIntegerKeys ? key.count == 8 : (1...Key.greatestCount).contains(key.count)
        guard isRight || (isIgnored && key.count <= Key.greatestCount) else {
            throw Defect("has a key of \(key.count) bytes")
        }
    }

    private func isBelow(_ key: Key, _ other: Key) -> Bool {
        key.isBelow(other, asIntegers: record.hasIntegerKeys)
    }
}

// MARK: Entries

extension TreeWalk {
    private mutating func visitEntries(of page: TreePage) throws(DataStoreError) {
        leafPages &+= 1
        entries &+= UInt64(page.nodes.count)
        for node in page.nodes {
            do throws(Defect) {
                try requireKnown(node)
            } catch {
                inspection.note("Page \(page.number) of \(tree) \(error.sentence).")
                continue
            }
            if node.flags == Node.isTable {
                noteTable(node, on: page)
            } else if node.flags == Node.isLarge || tree == .freeList {
                try visitValue(of: node, on: page)
            }
        }
    }

    private func requireKnown(_ node: Node) throws(Defect) {
        let isKnown =
            switch node.flags {
            case 0, Node.isLarge: true
            case Node.isTable: tree == .tableList
            default: false
            }
        guard isKnown else {
            throw Defect("has an entry with the flags 0x\(String(node.flags, radix: 16))")
        }
        // Half a page without its header, rounded down to pairs, without the node's offset.
        let room = (inspection.pageBytes - TreePage.headerBytes) / 2 / 2 * 2 - 2
        guard node.byteCount <= room else {
            throw Defect("has an entry of \(node.byteCount) bytes, which belongs on pages of its own")
        }
    }

    private mutating func visitValue(of node: Node, on page: TreePage) throws(DataStoreError) {
        guard !inspection.findings.isFull, let place = try place(ofValueOf: node, on: page),
            tree == .freeList
        else { return }
        try FreeListEntry(inspection, page.key(of: node).integer ?? 0, place).check()
    }

    private mutating func noteTable(_ node: Node, on page: TreePage) {
        let key = page.key(of: node)
        let name = TreeName.table(page.bytes.text(at: key.offset, key.count) ?? "")
        guard node.valueBytes == TreeRecord.byteCount,
            let record = TreeRecord(page.bytes, at: page.valueOffset(of: node))
        else {
            return inspection.note("The record of \(name) has \(node.valueBytes) bytes.")
        }
        tables.append((name, record))
    }

    /// The place of a value; nil, with a finding, if it is on pages that are not in order.
    private mutating func place(
        ofValueOf node: Node, on page: TreePage
    ) throws(DataStoreError) -> ValuePlace? {
        guard node.flags == Node.isLarge else {
            return .inPage(page.bytes, offset: page.valueOffset(of: node), count: node.valueBytes)
        }
        guard let first = page.bytes.load(UInt64.self, at: page.valueOffset(of: node)) else { return nil }
        let value = try OverflowValue(inspection, tree, firstPage: first, byteCount: node.valueBytes)
        guard let pages = value.pages else { return nil }
        overflowPages &+= pages
        return .inFile(offset: value.offset, count: node.valueBytes)
    }
}
