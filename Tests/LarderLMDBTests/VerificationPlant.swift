import Testing

@testable import AdapterTestSupport

/// A defect that is planted in a sound file.
struct VerificationPlant: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Breaks the file, and returns the sentence that has to come.
    let plant: @Sendable (inout VerificationImage) -> String

    init(_ description: String, _ plant: @escaping @Sendable (inout VerificationImage) -> String) {
        testDescription = description
        self.plant = plant
    }

    static let all = metaPages + records + pages + nodes + values + freeLists

    /// A file with a branch, numbers and bytes for keys, a large value and a free list.
    static func makeFile(_ path: String) throws {
        let environment = try VerificationEnvironment(path)
        var random = Seed(5)
        try environment.write { transaction in
            let numbers = try transaction.table("numbers", integers: true)
            let bytes = try transaction.table("bytes")
            for key in 0..<UInt64(300) { try transaction.put(key * 10, random.bytes(60), in: numbers) }
            for _ in 0..<300 { try transaction.put(random.bytes(20), random.bytes(40), in: bytes) }
            try transaction.put(1, random.bytes(20_000), in: transaction.table("large", integers: true))
        }
        for round in 0..<UInt64(4) {
            try environment.write { transaction in
                let numbers = try transaction.table("numbers", integers: true)
                for key in 0..<UInt64(30) { try transaction.delete((key * 9 + round) * 10, in: numbers) }
            }
        }
    }
}

private typealias Image = VerificationImage
private typealias Meta = VerificationImage.MetaPlace
private typealias Record = VerificationImage.RecordPlace
private typealias Page = VerificationImage.PagePlace
private typealias PlacedNode = VerificationImage.NodePlace

// MARK: Meta pages

extension VerificationPlant {
    private static let metaPages: [VerificationPlant] = [
        .init("a first meta page of zeros") { image in
            image.bytes.replaceSubrange(0..<4096, with: repeatElement(0, count: 4096))
            return "Meta page 0 does not have the mark of an LMDB file."
        },
        .init("a second meta page of zeros") { image in
            image.bytes.replaceSubrange(4096..<8192, with: repeatElement(0, count: 4096))
            return "Meta page 1 does not have the mark of an LMDB file."
        },
        .init("another version of the format") { image in
            image[Image.meta(1) + Meta.version, as: UInt32.self] = 2
            return "Meta page 1 has version 2 of LMDB's format, and only 1 is known."
        },
        .init("pages without bytes") { image in
            image[Image.meta(0) + Meta.pageBytes, as: UInt32.self] = 0
            return "Meta page 0 says that pages have 0 bytes."
        },
        .init("two page sizes") { image in
            image[Image.meta(1) + Meta.pageBytes, as: UInt32.self] = 8192
            return "The meta pages disagree about the page size: 4096 and 8192."
        },
        .init("a meta page in the other's place") { image in
            image[0, as: UInt64.self] = 1
            return "Meta page 0 carries the page number 1."
        },
        .init("transactions that are no neighbours") { image in
            image[image.newest + Meta.transaction, as: UInt64.self] += 2
            return "The transactions of the meta pages, 4 and 7, are not adjacent."
        },
        .init("two meta pages without a transaction") { image in
            for page in 0...1 { image[Image.meta(page) + Meta.transaction, as: UInt64.self] = 0 }
            let node = image.node(0, onPageAt: image.rootOffset(image.freeList))
            let transaction: UInt64 = image[node + PlacedNode.key]
            return "The free list has an entry of transaction \(transaction), outside of 1 to 0."
        },
        .init("a last page that cannot be") { image in
            image[image.newest + Meta.lastPage, as: UInt64.self] = .max
            return "The newest meta page says that the last page is 18446744073709551615."
        },
        .init("a last page behind the end") { image in
            image[image.newest + Meta.lastPage, as: UInt64.self] += 1000
            let last = image.lastPage
            return "The file has \(last - 999) pages, and its newest transaction uses pages up to \(last)."
        },
        .init("a last page before a page in use") { image in
            let root = UInt64(image.root(image.freeList))
            image[image.newest + Meta.lastPage, as: UInt64.self] = root - 1
            return "The free list has page \(root), outside of the pages 2 to \(root - 1)."
        },
        .init("a map smaller than the file") { image in
            image[image.newest + Meta.mapBytes, as: UInt64.self] = 4096
            let bytes = (image.lastPage + 1) * 4096
            return "The newest meta page says that \(bytes) bytes are used of a map of 4096."
        },
        .init("an end in the middle") { image in
            let count = image.pageCount
            image.bytes.removeLast(image.bytes.count / 2)
            return
                "The file has \(image.pageCount) pages, "
                + "and its newest transaction uses pages up to \(count - 1)."
        },
        .init("an end within the first meta page") { image in
            image.bytes.removeLast(image.bytes.count - 100)
            return "The file is too short for a meta page."
        },
        .init("an end before the second meta page") { image in
            image.bytes.removeLast(image.bytes.count - 4096)
            return "The file ends before the second meta page."
        },
    ]
}

// MARK: Records

extension VerificationPlant {
    private static let records: [VerificationPlant] = [
        .init("a free list with duplicates") { image in
            image[image.freeList + Record.flags, as: UInt16.self] |= 0x04
            return "The record of the free list is wrong: it has the flags 0x400c, which Larder does not use."
        },
        .init("a free list without numbers") { image in
            image[image.freeList + Record.flags, as: UInt16.self] = 0
            return "The record of the free list is wrong: its keys are not marked as numbers."
        },
        .init("a table with duplicates") { image in
            image[image.table("bytes") + Record.flags, as: UInt16.self] = 0x04
            return
                "The record of the table \"bytes\" is wrong: it has the flags 0x4, which Larder does not use."
        },
        .init("keys of a fixed size") { image in
            image[image.table("bytes"), as: UInt32.self] = 9
            return "The record of the table \"bytes\" is wrong: it is said to have keys of 9 bytes, "
                + "which Larder does not use."
        },
        .init("more levels than there can be") { image in
            image[image.table("numbers") + Record.depth, as: UInt16.self] = 33
            return
                "The record of the table \"numbers\" is wrong: it is said to have 33 levels, "
                + "and LMDB knows 32."
        },
        .init("levels without a root") { image in
            image[image.table("numbers") + Record.root, as: UInt64.self] = .max
            return
                "The record of the table \"numbers\" is wrong: it is said to have 2 levels and no root page."
        },
        .init("a root that is a meta page") { image in
            image[image.table("numbers") + Record.root, as: UInt64.self] = 1
            return "The table \"numbers\" has page 1, outside of the pages 2 to \(image.lastPage)."
        },
        .init("one level too many") { image in
            image[image.table("large") + Record.depth, as: UInt16.self] = 2
            let root = image.root(image.table("large"))
            return "Page \(root) of the table \"large\" has the flags 0x2, which a branch does not have."
        },
        .init("one level too few") { image in
            image[image.table("numbers") + Record.depth, as: UInt16.self] = 1
            let root = image.root(image.table("numbers"))
            return "Page \(root) of the table \"numbers\" has the flags 0x1, which a leaf does not have."
        },
        wrongCount("entries", at: Record.entries), wrongCount("branch pages", at: Record.branchPages),
        wrongCount("leaf pages", at: Record.leafPages),
        wrongCount("overflow pages", at: Record.overflowPages),
    ]

    private static func wrongCount(_ what: String, at place: Int) -> VerificationPlant {
        .init("a wrong number of \(what)") { image in
            let count: UInt64 = image[image.table("large") + place]
            image[image.table("large") + place, as: UInt64.self] = 77
            return "The record of the table \"large\" says 77 \(what), and there are \(count)."
        }
    }
}

// MARK: Pages

extension VerificationPlant {
    private static let pages: [VerificationPlant] = [
        inRoot("carries the number 9999") { $0[$1, as: UInt64.self] = 9999 },
        inRoot("has the flags 0x11, which a branch does not have") {
            $0[$1 + Page.flags, as: UInt16.self] |= 0x10
        },
        inRoot("has its free room from 4000 to 200") {
            $0[$1 + Page.lower, as: UInt16.self] = 4000
            $0[$1 + Page.upper, as: UInt16.self] = 200
        },
        inRoot("has its free room from 17 to 4095") {
            $0[$1 + Page.lower, as: UInt16.self] = 17
            $0[$1 + Page.upper, as: UInt16.self] = 4095
        },
        inRoot("has its free room from 16 to 4096") {
            $0[$1 + Page.lower, as: UInt16.self] = 16
            $0[$1 + Page.upper, as: UInt16.self] = 4096
        },
        inRoot("has keys that are too high for its place", inLeaf: 0) { image, leaf in
            let last = image.node(image.nodeCount(onPageAt: leaf) - 1, onPageAt: leaf)
            image[last + PlacedNode.key, as: UInt64.self] = 100_000
        },
        inRoot("has keys that are too low for its place", inLeaf: 1) { image, leaf in
            image[image.node(0, onPageAt: leaf) + PlacedNode.key, as: UInt64.self] = 1
        },
        inRoot("has its keys 1 and 2 out of order", inLeaf: 1) { image, leaf in
            let second: UInt16 = image[leaf + Page.nodes + 2]
            image[leaf + Page.nodes + 2, as: UInt16.self] = image[leaf + Page.nodes + 4]
            image[leaf + Page.nodes + 4, as: UInt16.self] = second
        },
        .init("a page with two parents") { image in
            let root = image.rootOffset(image.table("numbers"))
            let first = image.child(image.node(0, onPageAt: root))
            image.setChild(first, of: image.node(1, onPageAt: root))
            return "Page \(first) of the table \"numbers\" is used in another place too."
        },
        .init("a page below itself") { image in
            let root = image.root(image.table("numbers"))
            image.setChild(root, of: image.node(1, onPageAt: root * Image.pageBytes))
            return "Page \(root) of the table \"numbers\" is used in another place too."
        },
    ]

    /// Breaks the root page of a table with two levels, or a leaf below it.
    static func inRoot(
        _ expected: String, inLeaf leaf: Int? = nil,
        _ edit: @escaping @Sendable (inout VerificationImage, Int) -> Void
    ) -> VerificationPlant {
        .init("a page that \(expected)") { image in
            let record = image.table("numbers")
            let page = leaf.map { image.leafOffset($0, of: record) } ?? image.rootOffset(record)
            edit(&image, page)
            return "Page \(page / Image.pageBytes) of the table \"numbers\" \(expected)."
        }
    }
}
