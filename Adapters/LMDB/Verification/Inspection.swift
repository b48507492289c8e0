import LarderKernel

/// The state of one check: the visited pages and the defects.
///
/// *Rule:* belongs to one thread.
final class Inspection {
    let file: CheckedFile
    let meta: MetaPage
    /// The number of pages that fit the file.
    let pagesInFile: UInt64
    private(set) var usedPages = PageSet()
    private(set) var freePages = PageSet()
    /// The number of free pages beyond the end of the file.
    private var freePagesBehindEnd: UInt64 = 0
    private(set) var findings = Findings()
    /// A page of room for each level of the tree that is being walked.
    private var levels: [PageBytes] = []
    private var tiling: NodeTiling

    init(of file: CheckedFile, with meta: MetaPage) {
        self.file = file
        self.meta = meta
        pagesInFile = file.byteCount / UInt64(max(1, meta.pageBytes))
        tiling = NodeTiling(pageBytes: meta.pageBytes)
    }

    var pageBytes: Int { meta.pageBytes }

    func note(_ sentence: @autoclosure () -> String) {
        findings.note(sentence())
    }

    /// Reads a page of a tree into the room of its level.
    func page(
        _ number: UInt64, level: Int, isLeaf: Bool, of tree: TreeName
    ) throws(DataStoreError) -> TreePage? {
        try Cancellation.check("The check of the structure")
        while levels.count <= level { levels.append(PageBytes(capacity: pageBytes)) }
        try file.read(into: &levels[level], at: number &* UInt64(pageBytes))
        do throws(Defect) {
            return try TreePage(levels[level], number: number, isLeaf: isLeaf, tiling: &tiling)
        } catch {
            note("Page \(number) of \(tree) \(error.sentence).")
            return nil
        }
    }

    /// Notes pages in a row as used; false, and a finding, when they cannot be.
    func use(_ first: UInt64, count: UInt64 = 1, for tree: TreeName) -> Bool {
        guard first >= 2, first <= meta.lastPage, count <= meta.lastPage - first + 1 else {
            note(
                "\(tree.subject) has \(Self.pages(first, count)), outside of the pages 2 to \(meta.lastPage)."
            )
            return false
        }
        guard first < pagesInFile, count <= pagesInFile - first else {
            note("\(tree.subject) has \(Self.pages(first, count)), beyond the end of the file.")
            return false
        }
        if let page = usedPages.firstMember(from: first, count: count) {
            note("Page \(page) of \(tree) is used in another place too.")
            return false
        }
        if let page = freePages.firstMember(from: first, count: count) {
            note("Page \(page) of \(tree) is in the free list too.")
            return false
        }
        usedPages.insert(from: first, count: count)
        return true
    }

    /// Notes a page as free; false, and a finding, when it cannot be.
    func free(_ page: UInt64, by transaction: UInt64) -> Bool {
        guard page >= 2, page <= meta.lastPage else {
            note("Transaction \(transaction) has freed page \(page), outside of 2 to \(meta.lastPage).")
            return false
        }
        guard !freePages.contains(page) else {
            note("Page \(page) is in the free list twice.")
            return false
        }
        guard !usedPages.contains(page) else {
            note("Page \(page) is in the free list, and the free list is stored there.")
            return false
        }
        freePages.insert(from: page, count: 1)
        if page >= pagesInFile { freePagesBehindEnd += 1 }
        return true
    }

    private static func pages(_ first: UInt64, _ count: UInt64) -> String {
        count == 1 ? "page \(first)" : "pages \(first) to \(first &+ count &- 1)"
    }
}

// MARK: The whole file

extension Inspection {
    /// The number of pages that are neither used nor free, so that they can never be used.
    var lostPages: UInt64 {
        let known = usedPages.count &+ freePages.count &+ 2
        let all = meta.lastPage &+ 1
        return all > known ? all - known : 0
    }

    /// Checks that the file ends early only by free pages.
    ///
    /// *Rule:* called when the free list has been walked.
    func requireLength() {
        do throws(Defect) {
            try meta.requirePages(inFileOf: file.byteCount, except: freePagesBehindEnd)
        } catch {
            note(error.sentence)
        }
    }
}
