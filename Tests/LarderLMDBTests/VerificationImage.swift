import Foundation

/// The bytes of a file, with the places in it that tests look at or break, found by a way of their own.
struct VerificationImage {
    static let pageBytes = 4096
    static let treeRecordBytes = 48

    var bytes: [UInt8]

    init(_ path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    subscript<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type = Number.self) -> Number {
        get {
            (0..<MemoryLayout<Number>.size).reversed()
                .reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: bytes[offset + $1]) }
        }
        set {
            for byte in 0..<MemoryLayout<Number>.size {
                bytes[offset + byte] = UInt8(truncatingIfNeeded: newValue >> Number(byte * 8))
            }
        }
    }

    var pageCount: Int { bytes.count / Self.pageBytes }
}

// MARK: Meta pages

extension VerificationImage {
    /// Where the content of a meta page begins.
    static func meta(_ page: Int) -> Int { page * pageBytes + 16 }

    enum MetaPlace {
        static let version = 4
        static let mapBytes = 16
        static let freeList = 24
        static let pageBytes = 24
        static let tableList = 72
        static let lastPage = 120
        static let transaction = 128
    }

    var newestPage: Int {
        let transactions = (0...1).map { self[Self.meta($0) + MetaPlace.transaction, as: UInt64.self] }
        return transactions[0] < transactions[1] ? 1 : 0
    }

    var newest: Int { Self.meta(newestPage) }
    var lastPage: UInt64 { self[newest + MetaPlace.lastPage] }
    var transaction: UInt64 { self[newest + MetaPlace.transaction] }
    var freeList: Int { newest + MetaPlace.freeList }
    var tableList: Int { newest + MetaPlace.tableList }
}

// MARK: Trees

extension VerificationImage {
    enum RecordPlace {
        static let flags = 4
        static let depth = 6
        static let branchPages = 8
        static let leafPages = 16
        static let overflowPages = 24
        static let entries = 32
        static let root = 40
    }

    enum PagePlace {
        static let flags = 10
        static let lower = 12
        static let upper = 14
        static let nodes = 16
    }

    enum NodePlace {
        static let flags = 4
        static let keyBytes = 6
        static let key = 8
    }

    /// The number of a tree's root page.
    func root(_ record: Int) -> Int { Int(self[record + RecordPlace.root, as: UInt64.self]) }

    /// Where a tree's root page begins.
    func rootOffset(_ record: Int) -> Int { root(record) * Self.pageBytes }

    func nodeCount(onPageAt page: Int) -> Int {
        (Int(self[page + PagePlace.lower, as: UInt16.self]) - 16) / 2
    }

    /// Where a node begins.
    func node(_ index: Int, onPageAt page: Int) -> Int {
        page + Int(self[page + PagePlace.nodes + 2 * index, as: UInt16.self])
    }

    /// The page a branch's node leads to.
    func child(_ node: Int) -> Int { Int(self[node, as: UInt64.self] & 0xFFFF_FFFF_FFFF) }

    mutating func setChild(_ child: Int, of node: Int) {
        self[node, as: UInt64.self] = self[node, as: UInt64.self] & ~0xFFFF_FFFF_FFFF | UInt64(child)
    }

    func value(_ node: Int) -> Int {
        node + NodePlace.key + Int(self[node + NodePlace.keyBytes, as: UInt16.self])
    }

    /// Where the record of a table is; the list of tables must be on one page.
    func table(_ name: String) -> Int {
        let page = rootOffset(tableList)
        for index in 0..<nodeCount(onPageAt: page) {
            let node = self.node(index, onPageAt: page)
            let value = self.value(node)
            if String(decoding: bytes[(node + NodePlace.key)..<value], as: UTF8.self) == name { return value }
        }
        return 0
    }

    /// Where the leaf begins that a table's branch leads to.
    func leafOffset(_ index: Int, of record: Int) -> Int {
        child(node(index, onPageAt: rootOffset(record))) * Self.pageBytes
    }

    /// Where the value of the free list's entry begins that has the most pages.
    var freeListEntry: (node: Int, value: Int) {
        let page = rootOffset(freeList)
        let nodes = (0..<nodeCount(onPageAt: page)).map { self.node($0, onPageAt: page) }
        let largest = nodes.max { self[$0, as: UInt16.self] < self[$1, as: UInt16.self] } ?? 0
        return (largest, value(largest))
    }
}
