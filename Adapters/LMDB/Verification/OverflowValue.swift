import LarderKernel

/// A value that is too large for a leaf: its bytes follow the header of the first of some pages in a row.
struct OverflowValue {
    private static let flag: UInt16 = 0x04

    /// The number of its pages; nil if they are not in order, which has been noted.
    let pages: UInt64?
    /// The offset of the value in the file.
    let offset: UInt64

    init(
        _ inspection: Inspection, _ tree: TreeName, firstPage: UInt64, byteCount: Int
    ) throws(DataStoreError) {
        let pageBytes = UInt64(inspection.pageBytes)
        let start = firstPage.multipliedReportingOverflow(by: pageBytes).partialValue
        offset = start &+ UInt64(TreePage.headerBytes)
        guard inspection.use(firstPage, for: tree) else {
            pages = nil
            return
        }
        var header = PageBytes(capacity: TreePage.headerBytes)
        try inspection.file.read(into: &header, at: start)
        do throws(Defect) {
            let count = try Self.count(header, page: firstPage, byteCount: byteCount, pageBytes: pageBytes)
            let isUsable = count == 1 || inspection.use(firstPage &+ 1, count: count &- 1, for: tree)
            pages = isUsable ? count : nil
        } catch {
            inspection.note("Page \(firstPage) of \(tree) \(error.sentence).")
            pages = nil
        }
    }

    /// The number of pages in the header; a value that has become smaller keeps the pages it had.
    private static func count(
        _ header: PageBytes, page: UInt64, byteCount: Int, pageBytes: UInt64
    ) throws(Defect) -> UInt64 {
        guard let stored = header.load(UInt64.self, at: 0), let flags = header.load(UInt16.self, at: 10),
            let count = header.load(UInt32.self, at: 12)
        else { throw Defect("cannot be read whole") }
        guard stored == page else { throw Defect("carries the number \(stored)") }
        guard flags == flag else {
            throw Defect("has the flags 0x\(String(flags, radix: 16)), which a large value does not have")
        }
        let least = Self.pages(for: UInt64(byteCount), pageBytes)
        guard (least...Self.pages(for: UInt64(UInt32.max), pageBytes)).contains(UInt64(count)) else {
            throw Defect("begins a value of \(byteCount) bytes on \(count) pages")
        }
        return UInt64(count)
    }

    private static func pages(for byteCount: UInt64, _ pageBytes: UInt64) -> UInt64 {
        (UInt64(TreePage.headerBytes) - 1 + byteCount) / pageBytes + 1
    }
}

/// The place of the bytes of a value.
enum ValuePlace {
    case inPage(PageBytes, offset: Int, count: Int)
    case inFile(offset: UInt64, count: Int)
}
