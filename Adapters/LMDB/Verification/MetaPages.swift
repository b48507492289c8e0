import LarderKernel

/// Both meta pages, of which the one with the higher transaction number counts.
struct MetaPages: Equatable {
    private let first: MetaPage?
    private let second: MetaPage?

    init(of file: CheckedFile) throws(DataStoreError) {
        var bytes = PageBytes(capacity: MetaPage.byteCount)
        try file.read(into: &bytes, at: 0)
        let first = MetaPage(bytes)
        self.first = first
        guard let first, first.hasPlausiblePageSize else {
            second = nil
            return
        }
        try file.read(into: &bytes, at: UInt64(first.pageBytes))
        second = MetaPage(bytes)
    }

    /// The page that LMDB will use.
    ///
    /// LMDB commits by writing everything after the version on the older page. A commit that was cut off may
    /// leave anything there, save that the transaction number is the old one as long as it is not the newest,
    /// and that the page size never changes.
    func newest() throws(Defect) -> MetaPage {
        guard let first else { throw Defect("The file is too short for a meta page.") }
        try first.requireHeader(ofPage: 0)
        guard let second else { throw Defect("The file ends before the second meta page.") }
        try second.requireHeader(ofPage: 1)
        guard first.pageBytes == second.pageBytes else {
            throw Defect(
                "The meta pages disagree about the page size: \(first.pageBytes) and \(second.pageBytes).")
        }
        let (even, odd) = (first.transaction, second.transaction)
        let highest = max(even, odd)
        let areNeighbours = even % 2 == 0 && highest < UInt64(Int64.max) && highest - min(even, odd) == 1
        guard areNeighbours || highest == 0 else {
            throw Defect("The transactions of the meta pages, \(even) and \(odd), are not adjacent.")
        }
        return even < odd ? second : first
    }
}
