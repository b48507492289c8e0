private typealias Image = VerificationImage
private typealias Record = VerificationImage.RecordPlace
private typealias Page = VerificationImage.PagePlace
private typealias PlacedNode = VerificationImage.NodePlace

// MARK: Nodes

extension VerificationPlant {
    static let nodes: [VerificationPlant] = [
        inRoot("has node 0 outside of itself", inLeaf: 0) { $0[$1 + Page.nodes, as: UInt16.self] = 4094 },
        inRoot("has a node at 17, outside of its room", inLeaf: 0) {
            $0[$1 + Page.nodes, as: UInt16.self] = 17
        },
        .init("a node that is two") { image in
            let leaf = image.leafOffset(0, of: image.table("numbers"))
            let first: UInt16 = image[leaf + Page.nodes]
            image[leaf + Page.nodes + 2, as: UInt16.self] = first
            return "Page \(leaf / Image.pageBytes) of the table \"numbers\" has two nodes at \(first)."
        },
        .init("a node that reaches into the next") { image in
            let leaf = image.leafOffset(0, of: image.table("numbers"))
            let lowest: UInt16 = image[leaf + Page.upper]
            let node = leaf + Int(lowest)
            image[node, as: UInt16.self] += 2
            let end = Int(lowest) + 8 + 8 + 62
            return "Page \(leaf / Image.pageBytes) of the table \"numbers\" "
                + "has nodes that overlap or leave a gap at \(end)."
        },
        .init("a node that reaches behind the page") { image in
            let leaf = image.leafOffset(0, of: image.table("numbers"))
            let node: UInt16 = image[leaf + Page.nodes]
            image[leaf + Int(node) + 2, as: UInt16.self] = 9
            return "Page \(leaf / Image.pageBytes) of the table \"numbers\" "
                + "has a node at \(node), outside of its room."
        },
        inRoot("has a key of 10 bytes", inLeaf: 0) { image, leaf in
            let node = image.node(3, onPageAt: leaf)
            image[node, as: UInt16.self] -= 2
            image[node + PlacedNode.keyBytes, as: UInt16.self] = 10
        },
        .init("a key without bytes") { image in
            let leaf = image.leafOffset(0, of: image.table("bytes"))
            let node = image.node(0, onPageAt: leaf)
            image[node, as: UInt16.self] += image[node + PlacedNode.keyBytes]
            image[node + PlacedNode.keyBytes, as: UInt16.self] = 0
            return "Page \(leaf / Image.pageBytes) of the table \"bytes\" has a key of 0 bytes."
        },
        inRoot("has an entry with the flags 0x4", inLeaf: 0) { image, leaf in
            image[image.node(2, onPageAt: leaf) + PlacedNode.flags, as: UInt16.self] = 0x04
        },
        inRoot("has an entry with the flags 0x2", inLeaf: 0) { image, leaf in
            image[image.node(2, onPageAt: leaf) + PlacedNode.flags, as: UInt16.self] = 0x02
        },
        .init("a table's record that is too short") { image in
            let page = image.rootOffset(image.tableList)
            let node = image.node(0, onPageAt: page)
            image[node, as: UInt16.self] -= 8
            image[node + PlacedNode.keyBytes, as: UInt16.self] += 8
            // The record's first eight bytes are zero, zero, its flags and depth.
            return "The record of the table \"bytes\\0\\0\\0\\0\\0\\0\\u{02}\\0\" has 40 bytes."
        },
    ]
}

// MARK: Large values

extension VerificationPlant {
    static let values: [VerificationPlant] = [
        inValue("carries the number 3333") { $0[$1, as: UInt64.self] = 3333 },
        inValue("has the flags 0x2, which a large value does not have") {
            $0[$1 + Page.flags, as: UInt16.self] = 0x02
        },
        inValue("begins a value of 20000 bytes on 4 pages") { $0[$1 + Page.lower, as: UInt32.self] = 4 },
        inValue("begins a value of 20000 bytes on 4294967295 pages") {
            $0[$1 + Page.lower, as: UInt32.self] = .max
        },
        .init("a value that reaches behind the last page") { image in
            let page = largeValue(of: image)
            image[page * Image.pageBytes + Page.lower, as: UInt32.self] = 100_000
            return "The table \"large\" has pages \(page + 1) to \(page + 99_999), "
                + "outside of the pages 2 to \(image.lastPage)."
        },
        .init("a value on the pages of a table") { image in
            let leaf = image.rootOffset(image.table("large"))
            let other = image.root(image.table("bytes"))
            let place = image.value(image.node(0, onPageAt: leaf))
            image[place, as: UInt64.self] = UInt64(other)
            return "Page \(other) of the table \"large\" is used in another place too."
        },
        .init("a value in its place that is too large for it") { image in
            let leaf = image.rootOffset(image.table("large"))
            let node = image.node(0, onPageAt: leaf)
            let size = 2100
            image[leaf + Page.upper, as: UInt16.self] = UInt16(4096 - 16 - size)
            image[leaf + Page.nodes, as: UInt16.self] = UInt16(4096 - 16 - size)
            let moved = leaf + 4096 - 16 - size
            image[moved, as: UInt64.self] = UInt64(size) | (image[node, as: UInt64.self] & ~0xFFFF_FFFF_FFFF)
            return "Page \(leaf / Image.pageBytes) of the table \"large\" has an entry of 2116 bytes, "
                + "which belongs on pages of its own."
        },
    ]

    /// Breaks the header of the large value.
    private static func inValue(
        _ expected: String, _ edit: @escaping @Sendable (inout VerificationImage, Int) -> Void
    ) -> VerificationPlant {
        .init("a large value that \(expected)") { image in
            let page = largeValue(of: image)
            edit(&image, page * Image.pageBytes)
            return "Page \(page) of the table \"large\" \(expected)."
        }
    }

    private static func largeValue(of image: VerificationImage) -> Int {
        let leaf = image.rootOffset(image.table("large"))
        return Int(image[image.value(image.node(0, onPageAt: leaf)), as: UInt64.self])
    }
}

// MARK: The free list

extension VerificationPlant {
    static let freeLists: [VerificationPlant] = [
        inEntry("does not fit its") { image, entry in image[entry.value, as: UInt64.self] = 1000 },
        inEntry("is out of order") { image, entry in
            let first: UInt64 = image[entry.value + 8]
            image[entry.value + 8, as: UInt64.self] = image[entry.value + 16]
            image[entry.value + 16, as: UInt64.self] = first
        },
        .init("a free meta page") { image in
            let (node, value) = image.freeListEntry
            let count: UInt64 = image[value]
            image[value + 8 * Int(count), as: UInt64.self] = 1
            let transaction: UInt64 = image[node + PlacedNode.key]
            return "Transaction \(transaction) has freed page 1, outside of 2 to \(image.lastPage)."
        },
        .init("a free page behind the last one") { image in
            let (node, value) = image.freeListEntry
            let page = image.lastPage + 1
            image[value + 8, as: UInt64.self] = page
            let transaction: UInt64 = image[node + PlacedNode.key]
            return "Transaction \(transaction) has freed page \(page), outside of 2 to \(image.lastPage)."
        },
        .init("a free page that is in use") { image in
            let page = image.root(image.table("bytes"))
            onlyEntry(&image, page)
            return "Page \(page) of the table \"bytes\" is in the free list too."
        },
        .init("the free list in the free list") { image in
            let page = image.root(image.freeList)
            onlyEntry(&image, page)
            return "Page \(page) is in the free list, and the free list is stored there."
        },
        .init("a page freed twice") { image in
            let (node, value) = image.freeListEntry
            let other = (0...1).map { image.node($0, onPageAt: image.rootOffset(image.freeList)) }
                .first { $0 != node }
            let page: UInt64 = image[value + 8]
            let place = image.value(other ?? 0)
            image[place, as: UInt64.self] = 1
            image[place + 8, as: UInt64.self] = page
            return "Page \(page) is in the free list twice."
        },
        .init("a transaction of the future") { image in
            let page = image.rootOffset(image.freeList)
            let last = image.node(image.nodeCount(onPageAt: page) - 1, onPageAt: page)
            image[last + PlacedNode.key, as: UInt64.self] = 999
            return "The free list has an entry of transaction 999, outside of 1 to \(image.transaction)."
        },
        .init("a transaction before the first") { image in
            let node = image.node(0, onPageAt: image.rootOffset(image.freeList))
            image[node + PlacedNode.key, as: UInt64.self] = 0
            return "The free list has an entry of transaction 0, outside of 1 to \(image.transaction)."
        },
    ]

    private static func onlyEntry(_ image: inout VerificationImage, _ page: Int) {
        let (_, value) = image.freeListEntry
        image[value, as: UInt64.self] = 1
        image[value + 8, as: UInt64.self] = UInt64(page)
    }

    private static func inEntry(
        _ expected: String,
        _ edit: @escaping @Sendable (inout VerificationImage, (node: Int, value: Int)) -> Void
    ) -> VerificationPlant {
        .init("an entry of the free list that \(expected)") { image in
            let entry = image.freeListEntry
            edit(&image, entry)
            let transaction: UInt64 = image[entry.node + PlacedNode.key]
            let bytes: UInt16 = image[entry.node]
            let rest = expected.hasSuffix("its") ? " \(bytes) bytes." : "."
            return "The free list's entry of transaction \(transaction) \(expected)\(rest)"
        }
    }
}
