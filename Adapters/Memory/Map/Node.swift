/// A node of the map: owns its page, and with it its children or its large values.
///
/// *Rule:* a node that is referenced from one place may be changed there; one that is shared is copied first.
final class Node {
    let page: Page
    let isLeaf: Bool
    /// The children of a branch, one for each entry of the page.
    var children: [Node]
    /// The large values of a leaf, in no order.
    var largeValues: [LargeValue]

    /// An empty node.
    init(isLeaf: Bool) {
        page = .allocate()
        self.isLeaf = isLeaf
        children = []
        largeValues = []
    }

    /// A copy, which shares children and large values.
    init(copying other: Node) {
        page = .allocate()
        isLeaf = other.isLeaf
        children = other.children
        largeValues = other.largeValues
        page.copyContents(of: other.page)
    }

    deinit {
        page.deallocate()
    }

    /// Makes the node unshared, and returns it.
    static func unshare(_ node: inout Node) -> Node {
        if !isKnownUniquelyReferenced(&node) { node = Node(copying: node) }
        return node
    }
}

/// A value too large for a page, in memory of its own; never changed.
final class LargeValue {
    // reason: allocated and filled once, freed when the last node releases it.
    let bytes: UnsafeRawBufferPointer

    /// The longest value that is kept in a page.
    static let threshold = 1024

    init(_ value: UnsafeRawBufferPointer) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: value.count, alignment: 16)
        copy.copyMemory(from: value)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit {
        bytes.deallocate()
    }

    /// The placeholder in an entry: the address and the number of bytes.
    struct Reference {
        let start: UnsafeRawPointer?
        let count: Int
    }

    var reference: Reference { Reference(start: bytes.baseAddress, count: bytes.count) }

    /// The bytes that a stored reference leads to.
    static func bytes(at stored: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let reference = stored.loadUnaligned(as: Reference.self)
        return UnsafeRawBufferPointer(start: reference.start, count: reference.count)
    }
}
