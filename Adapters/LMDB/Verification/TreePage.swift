/// A page of a tree whose header and nodes have been found to be in order.
struct TreePage {
    static let headerBytes = 16
    private static let branchFlag: UInt16 = 0x01
    private static let leafFlag: UInt16 = 0x02
    private static let offsetBytes = 2

    let number: UInt64
    let isLeaf: Bool
    let bytes: PageBytes
    let nodes: [Node]

    init(
        _ bytes: PageBytes, number: UInt64, isLeaf: Bool, tiling: inout NodeTiling
    ) throws(Defect) {
        self.bytes = bytes
        self.number = number
        self.isLeaf = isLeaf
        guard let stored = bytes.load(UInt64.self, at: 0), let flags = bytes.load(UInt16.self, at: 10),
            let lower = bytes.load(UInt16.self, at: 12), let upper = bytes.load(UInt16.self, at: 14)
        else { throw Defect("cannot be read whole") }
        guard stored == number else { throw Defect("carries the number \(stored)") }
        guard flags == (isLeaf ? Self.leafFlag : Self.branchFlag) else {
            let expected = isLeaf ? "leaf" : "branch"
            throw Defect("has the flags 0x\(String(flags, radix: 16)), which a \(expected) does not have")
        }
        nodes = try Self.nodes(of: bytes, lower: Int(lower), upper: Int(upper), isLeaf: isLeaf)
        try tiling.check(nodes, from: Int(upper))
    }

    func key(of node: Node) -> Key {
        Key(page: bytes, offset: node.offset + Node.headerBytes, count: node.keyBytes)
    }

    /// The range of a leaf node's value in the page.
    func valueOffset(of node: Node) -> Int {
        node.offset + Node.headerBytes + node.keyBytes
    }

    private static func nodes(
        of bytes: PageBytes, lower: Int, upper: Int, isLeaf: Bool
    ) throws(Defect) -> [Node] {
        guard lower % 2 == 0, upper % 2 == 0, lower > headerBytes, lower <= upper, upper <= bytes.count
        else { throw Defect("has its free room from \(lower) to \(upper)") }
        let count = (lower - headerBytes) / offsetBytes
        var nodes: [Node] = []
        nodes.reserveCapacity(count)
        for index in 0..<count {
            guard let offset = bytes.load(UInt16.self, at: headerBytes + index * offsetBytes),
                let header = bytes.load(UInt64.self, at: Int(offset))
            else { throw Defect("has node \(index) outside of itself") }
            nodes.append(Node(offset: Int(offset), header: header, isLeaf: isLeaf))
        }
        return nodes
    }
}

/// One entry of a page: in a leaf a key and its value, in a branch a key and the page with what follows it.
struct Node {
    static let headerBytes = 8
    /// The flag of a value that is on pages of its own.
    static let isLarge: UInt16 = 0x01
    /// The flag of a value that is the record of a table.
    static let isTable: UInt16 = 0x02

    let offset: Int
    private let header: UInt64
    private let isLeaf: Bool

    init(offset: Int, header: UInt64, isLeaf: Bool) {
        self.offset = offset
        self.header = header
        self.isLeaf = isLeaf
    }

    var keyBytes: Int { Int(header >> 48) }

    // In a leaf.
    var flags: UInt16 { UInt16(truncatingIfNeeded: header >> 32) }
    var valueBytes: Int { Int(header & 0xFFFF_FFFF) }

    // In a branch.
    var child: UInt64 { header & 0xFFFF_FFFF_FFFF }

    /// The header, the key, and what of the value is in the page.
    var byteCount: Int {
        let value = isLeaf ? (flags & Self.isLarge != 0 ? 8 : valueBytes) : 0
        return Self.headerBytes + keyBytes + value
    }
}
