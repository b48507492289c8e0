extension Node {
    /// Below this share of a page, a leaf is joined with a neighbor.
    private static let thinBytes = Page.room / 4
    /// The combined size up to which two leaves are joined.
    private static let joinedBytes = Page.room * 3 / 4
    private static let thinChildren = maximumChildren / 4
    private static let joinedChildren = maximumChildren * 3 / 4

    /// Removes the entry of a key, which is there, from the nodes below this one.
    static func remove(_ key: MapKey, below node: inout Node) {
        let node = unshare(&node)
        if node.isLeaf {
            let index = node.page.position(of: key).index
            node.disown(index)
            node.page.remove(at: index)
            return
        }
        let index = node.page.childIndex(for: key)
        remove(key, below: &node.children[index])
        let child = node.children[index]
        node.page.setChild(child.page, at: index)
        if child.page.count == 0 {
            node.removeChild(at: index)
        } else if child.isThin {
            node.joinChild(at: index)
        }
    }

    private var isThin: Bool {
        isLeaf ? page.usedBytes < Self.thinBytes : page.count < Self.thinChildren
    }

    private func removeChild(at index: Int) {
        page.remove(at: index)
        children.remove(at: index)
    }

    /// Joins a child with the one after it, or before it, when both fit one page.
    private func joinChild(at index: Int) {
        if index + 1 < children.count, canJoin(index) {
            join(index)
        } else if index > 0, canJoin(index - 1) {
            join(index - 1)
        }
    }

    private func canJoin(_ index: Int) -> Bool {
        let (left, right) = (children[index], children[index + 1])
        let bytes = left.page.usedBytes + right.page.usedBytes
        let separator = page.key(at: index + 1).bytes.count
        return bytes + separator <= Self.joinedBytes
            && (left.isLeaf || left.page.count + right.page.count <= Self.joinedChildren)
    }

    /// Moves all entries of a child to the one before it.
    private func join(_ index: Int) {
        let right = children[index + 1]
        let left = Node.unshare(&children[index])
        page.setChild(left.page, at: index)
        if right.isLeaf {
            left.page.append(0..<right.page.count, of: right.page)
            left.largeValues += right.largeValues
        } else {
            // Keys below the first child may come before its own key, but not before this node's.
            left.insertChild(right.children[0], under: page.key(at: index + 1), at: left.page.count)
            left.page.append(1..<right.page.count, of: right.page)
            left.children += right.children.dropFirst()
        }
        removeChild(at: index + 1)
    }
}
