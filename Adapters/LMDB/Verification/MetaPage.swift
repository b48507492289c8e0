/// One of the two pages at the start of the file that say where everything is.
struct MetaPage: Equatable {
    /// The header of a page and `MDB_meta`.
    static let byteCount = 152
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    private static let mark: UInt16 = 0x08

    let number: UInt64
    let flags: UInt16
    let magic: UInt32
    let version: UInt32
    let mapBytes: UInt64
    let freeList: TreeRecord
    let tableList: TreeRecord
    let lastPage: UInt64
    let transaction: UInt64

    init?(_ bytes: PageBytes) {
        guard let number = bytes.load(UInt64.self, at: 0),
            let flags = bytes.load(UInt16.self, at: 10),
            let magic = bytes.load(UInt32.self, at: 16),
            let version = bytes.load(UInt32.self, at: 20),
            let mapBytes = bytes.load(UInt64.self, at: 32),
            let freeList = TreeRecord(bytes, at: 40),
            let tableList = TreeRecord(bytes, at: 40 + TreeRecord.byteCount),
            let lastPage = bytes.load(UInt64.self, at: 136),
            let transaction = bytes.load(UInt64.self, at: 144)
        else { return nil }
        self.number = number
        self.flags = flags
        self.magic = magic
        self.version = version
        self.mapBytes = mapBytes
        self.freeList = freeList
        self.tableList = tableList
        self.lastPage = lastPage
        self.transaction = transaction
    }

    var pageBytes: Int { Int(freeList.pad) }

    /// LMDB takes the page size of the system, but at most 32 KiB; no system has less than 4 KiB.
    var hasPlausiblePageSize: Bool {
        (4096...32768).contains(pageBytes) && pageBytes.nonzeroBitCount == 1
    }

    /// Checks what LMDB requires of both meta pages before it uses either.
    func requireHeader(ofPage index: UInt64) throws(Defect) {
        guard magic == Self.magic, flags == Self.mark else {
            throw Defect("Meta page \(index) does not have the mark of an LMDB file.")
        }
        guard version == Self.version else {
            throw Defect(
                "Meta page \(index) has version \(version) of LMDB's format, "
                    + "and only \(Self.version) is known."
            )
        }
        guard hasPlausiblePageSize else {
            throw Defect("Meta page \(index) says that pages have \(pageBytes) bytes.")
        }
        guard number == index else {
            throw Defect("Meta page \(index) carries the page number \(number).")
        }
    }

    /// Checks the numbers that LMDB trusts when it maps the file.
    func requirePlausible() throws(Defect) {
        let (pages, pageOverflow) = lastPage.addingReportingOverflow(1)
        let (bytes, byteOverflow) = pages.multipliedReportingOverflow(by: UInt64(pageBytes))
        guard lastPage >= 1, !pageOverflow, !byteOverflow, bytes <= UInt64(Int64.max) else {
            throw Defect("The newest meta page says that the last page is \(lastPage).")
        }
        guard bytes <= mapBytes else {
            throw Defect(
                "The newest meta page says that \(bytes) bytes are used of a map of \(mapBytes).")
        }
    }

    /// Checks that a file has all pages up to the last one, save a number of free ones: LMDB may have freed those before
    /// it wrote them.
    func requirePages(inFileOf byteCount: UInt64, except freePages: UInt64) throws(Defect) {
        let pagesInFile = byteCount / UInt64(pageBytes)
        guard lastPage < pagesInFile || lastPage - pagesInFile < freePages else {
            throw Defect(
                "The file has \(pagesInFile) pages, and its newest transaction uses pages up to \(lastPage).")
        }
    }
}
