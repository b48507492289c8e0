extension Node {
    /// The outcome of storing a value.
    struct PutResult {
        var isKept = true
        var isNew = true
        /// The new node that must follow this one, because both together no longer fit a page.
        var sibling: Node?
    }

    /// The most children of a branch; more would make copying it slow.
    static let maximumChildren = 64

    /// Keeps a value under a key, in the nodes below this one.
    static func put(
        _ value: UnsafeRawBufferPointer, at key: MapKey, overwrites: Bool, below node: inout Node
    ) -> PutResult {
        let node = unshare(&node)
        if node.isLeaf { return node.putInLeaf(value, at: key, overwrites: overwrites) }
        let index = node.page.childIndex(for: key)
        var result = put(value, at: key, overwrites: overwrites, below: &node.children[index])
        node.page.setChild(node.children[index].page, at: index)
        if let child = result.sibling { result.sibling = node.insertSplitting(child, at: index + 1) }
        return result
    }

    /// Adds an entry to a leaf that has room for it.
    func insert(_ key: MapKey, _ value: UnsafeRawBufferPointer, at index: Int) {
        withStored(value) { page.insert(key, $0, isLarge: $1, at: index) }
    }

    /// Adds a child to a branch that has room for it.
    func insertChild(_ child: Node, under key: MapKey? = nil, at index: Int) {
        let address = child.page.base
        withUnsafeBytes(of: address) { bytes in
            page.insert(key ?? child.page.key(at: 0), bytes, isLarge: false, at: index)
        }
        children.insert(child, at: index)
    }

    private func putInLeaf(
        _ value: UnsafeRawBufferPointer, at key: MapKey, overwrites: Bool
    ) -> PutResult {
        let (index, isFound) = page.position(of: key)
        if isFound {
            guard overwrites else { return PutResult(isKept: false, isNew: false) }
            disown(index)
            let isReplaced = withStored(value) { page.replaceValue(at: index, by: $0, isLarge: $1) }
            if isReplaced { return PutResult(isNew: false) }
            // The page has no room for it, so a large value is kept again where the entry goes.
            if value.count > LargeValue.threshold { largeValues.removeLast() }
            page.remove(at: index)
        }
        let needed = Page.bytesNeeded(key: key, valueLength: Self.storedLength(of: value))
        guard !page.hasRoom(for: needed) else {
            insert(key, value, at: index)
            return PutResult(isNew: !isFound)
        }
        let sibling = split(at: index)
        if index <= page.count && sibling.page.count > 0 {
            insert(key, value, at: index)
        } else {
            sibling.insert(key, value, at: index - page.count)
        }
        return PutResult(isNew: !isFound, sibling: sibling)
    }

    /// Adds a child to a branch, and returns the node that has to follow this one when it did not fit.
    private func insertSplitting(_ child: Node, at index: Int) -> Node? {
        let needed = Page.bytesNeeded(
            key: child.page.key(at: 0), valueLength: MemoryLayout<UnsafeMutableRawPointer>.size)
        if page.count < Self.maximumChildren, page.hasRoom(for: needed) {
            insertChild(child, at: index)
            return nil
        }
        let sibling = split(at: index)
        if index <= page.count && sibling.page.count > 0 {
            insertChild(child, at: index)
        } else {
            sibling.insertChild(child, at: index - page.count)
        }
        return sibling
    }

    /// Moves the second half of the entries to a new node; nothing when the next entry comes after all
    /// others, so that loading in order fills the pages.
    private func split(at index: Int) -> Node {
        let sibling = Node(isLeaf: isLeaf)
        let count = page.count
        if index == count { return sibling }
        var start = 0
        var bytes = 0
        let half = page.usedBytes / 2
        while start < count - 1, bytes < half {
            bytes += MemoryLayout<Page.Entry>.stride + page.entries[start].length
            start += 1
        }
        move(from: start, to: sibling)
        return sibling
    }

    private func move(from start: Int, to sibling: Node) {
        sibling.page.append(start..<page.count, of: page)
        if isLeaf {
            sibling.largeValues = largeValues.isEmpty ? [] : owned(start..<page.count)
            disown(start..<page.count)
        } else {
            sibling.children = Array(children[start...])
            children.removeSubrange(start...)
        }
        page.truncate(to: start)
        page.compact()
    }
}
