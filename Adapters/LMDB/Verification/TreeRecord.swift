/// The record of one of LMDB's trees: `MDB_db`, 48 bytes.
struct TreeRecord: Equatable {
    static let byteCount = 48
    /// The root of a tree without pages.
    static let noPage = UInt64.max
    /// The maximum depth of LMDB's cursors.
    static let greatestDepth = 32

    static let integerKeys: UInt16 = 0x08
    /// The environment's flag for a file without a folder, kept with the free list's.
    static let noFolder: UInt16 = 0x4000

    /// Zero, but in the free list's record the page size.
    let pad: UInt32
    let flags: UInt16
    let depth: Int
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    let entries: UInt64
    let root: UInt64

    init?(_ bytes: PageBytes, at offset: Int) {
        guard let pad = bytes.load(UInt32.self, at: offset),
            let flags = bytes.load(UInt16.self, at: offset + 4),
            let depth = bytes.load(UInt16.self, at: offset + 6),
            let branchPages = bytes.load(UInt64.self, at: offset + 8),
            let leafPages = bytes.load(UInt64.self, at: offset + 16),
            let overflowPages = bytes.load(UInt64.self, at: offset + 24),
            let entries = bytes.load(UInt64.self, at: offset + 32),
            let root = bytes.load(UInt64.self, at: offset + 40)
        else { return nil }
        self.pad = pad
        self.flags = flags
        self.depth = Int(depth)
        self.branchPages = branchPages
        self.leafPages = leafPages
        self.overflowPages = overflowPages
        self.entries = entries
        self.root = root
    }

    var hasIntegerKeys: Bool { flags & Self.integerKeys != 0 }
    var isEmpty: Bool { root == Self.noPage }

    /// Checks the fields that can be checked without reading the tree.
    func requirePlausible(_ tree: TreeName) throws(Defect) {
        let known: UInt16 = tree == .freeList ? Self.integerKeys | Self.noFolder : Self.integerKeys
        guard flags & ~known == 0 else {
            throw Defect("it has the flags 0x\(String(flags, radix: 16)), which Larder does not use")
        }
        guard tree != .freeList || hasIntegerKeys else {
            throw Defect("its keys are not marked as numbers")
        }
        guard tree == .freeList || pad == 0 else {
            throw Defect("it is said to have keys of \(pad) bytes, which Larder does not use")
        }
        guard depth <= Self.greatestDepth else {
            throw Defect("it is said to have \(depth) levels, and LMDB knows \(Self.greatestDepth)")
        }
        guard isEmpty == (depth == 0) else {
            throw Defect("it is said to have \(depth) levels and \(isEmpty ? "no" : "a") root page")
        }
    }
}

/// One of the file's trees.
enum TreeName: Equatable, CustomStringConvertible {
    case freeList
    case tableList
    case table(String)

    var description: String {
        switch self {
        case .freeList: "the free list"
        case .tableList: "the list of tables"
        case .table(let name): "the table \(name.debugDescription)"
        }
    }

    /// At the beginning of a sentence.
    var subject: String { "T" + description.dropFirst() }
}
