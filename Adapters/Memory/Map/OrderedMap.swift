import LarderKernel
import LarderKeyValue

/// An ordered map from bytes to bytes.
///
/// A value: copies are O(1), and what changes in one no other sees.
///
///     var map = OrderedMap(keys: .bytes)
///     let snapshot = map                             // shares everything
///     map.put(value, at: key, overwrites: true)      // copies the nodes on the way
///
/// A B+ tree of pages of 8 KiB. Made by hand, as it has to be a value whose copies share their nodes, be
/// sorted by bytes, and hand out pointers that stay valid; Swift's collections have no released sorted map.
///
/// *Rule:* pointers to keys and values are valid as long as a copy of the map lives that holds them and is
/// not changed. *Cost:* a read, and a change of unshared nodes, touch one page for each level; the first
/// change after a copy also copies these pages.
struct OrderedMap {
    let keys: KeyKind
    /// The number of entries.
    private(set) var count = 0
    /// The topmost node; nil when there are no entries.
    private(set) var root: Node?
    /// The page of the topmost node: who only reads follows pages and never touches, nor retains, a node.
    private(set) var top: Page?
    /// The number of levels.
    private(set) var height = 0

    init(keys: KeyKind) {
        self.keys = keys
    }

    /// The value under a key, or nil.
    func value(at key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard var page = top else { return nil }
        let key = MapKey(key, keys)
        for _ in 1..<height { page = page.child(at: page.childIndex(for: key)) }
        let (index, isFound) = page.position(of: key)
        return isFound ? page.value(at: index) : nil
    }

    /// Keeps a value under a key and returns whether it did.
    ///
    /// - Parameter overwrites: True to replace the value of an existing key; false to keep it.
    mutating func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, overwrites: Bool
    ) -> Bool {
        let key = MapKey(key, keys)
        guard var root else {
            let leaf = Node(isLeaf: true)
            leaf.insert(key, value, at: 0)
            setRoot(leaf, height: 1)
            count = 1
            return true
        }
        // The map must not be a second owner of the node while it is changed.
        self.root = nil
        let result = Node.put(value, at: key, overwrites: overwrites, below: &root)
        if let sibling = result.sibling {
            let parent = Node(isLeaf: false)
            parent.insertChild(root, at: 0)
            parent.insertChild(sibling, at: 1)
            setRoot(parent, height: height + 1)
        } else {
            setRoot(root, height: height)
        }
        if result.isNew { count += 1 }
        return result.isKept
    }

    /// Removes the entry of a key and returns whether there was one.
    mutating func remove(_ key: UnsafeRawBufferPointer) -> Bool {
        guard value(at: key) != nil, var root else { return false }
        self.root = nil
        Node.remove(MapKey(key, keys), below: &root)
        count -= 1
        var height = height
        while !root.isLeaf, root.page.count == 1 {
            root = root.children[0]
            height -= 1
        }
        setRoot(root.page.count == 0 ? nil : root, height: height)
        return true
    }

    /// Removes all entries.
    mutating func removeAll() {
        setRoot(nil, height: 0)
        count = 0
    }

    private mutating func setRoot(_ root: Node?, height: Int) {
        self.root = root
        top = root?.page
        self.height = root == nil ? 0 : height
    }
}
