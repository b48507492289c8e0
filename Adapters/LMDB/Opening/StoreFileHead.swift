import LarderKernel
import LarderFiles

/// The head of a store's file, read before LMDB opens it (contract rule 12).
///
/// LMDB itself takes an empty file for a new one, maps a file that ends too early, and ends the process with
/// the first access beyond its end.
struct StoreFileHead {
    /// The number of bytes of the file in use.
    let usedBytes: Int
    let pageBytes: Int
    /// The number of tables.
    let tableCount: Int
    /// True if the file has fewer bytes than are in use; only unused pages may be missing.
    let isShort: Bool

    /// The fewest bytes of an entry in a page: its place, its header and a key, as pairs of bytes.
    private static let leastEntryBytes: UInt64 = 12
    /// More tables than any store has; LMDB takes memory for each, and counts them in 4 bytes.
    private static let mostTables: UInt64 = 1 << 24
    private static let sqlite = FileSignature(
        of: "a SQLite database", openedWith: "SQLiteDataStore", Array("SQLite format 3\0".utf8))

    /// - Throws: `.notADatabase`, `.foreignStore`, `.newerFormat` or `.damaged` for a file that is not a
    ///   Larder store; `.storeMoved` for a tombstone; `.busy` when another process writes to it faster than
    ///   it can be read.
    ///
    /// - Parameter probe: Called once the file is open; for tests.
    static func read(
        at path: String, probe: (() -> Void)? = nil
    ) throws(DataStoreError) -> StoreFileHead {
        try StoreTombstone.requireNone(at: path)
        return try FileExamination.run { () throws(DataStoreError) -> (file: CheckedFile, metas: MetaPages) in
            let file = try CheckedFile(path)
            probe?()
            let metas = try metaPages(of: file)
            try file.measure()
            return (file, metas)
        } judge: { (seen) throws(DataStoreError) -> StoreFileHead in
            try head(of: seen.file, seen.metas)
        } isSettled: { (seen, _) throws(DataStoreError) -> Bool in
            // LMDB overwrites what a transaction shows only after the next one has been committed.
            try MetaPages(of: seen.file) == seen.metas
        }
    }

    private init(_ meta: MetaPage, fileBytes: UInt64) throws(Defect) {
        let used = (meta.lastPage + 1) * UInt64(meta.pageBytes)
        let tables = meta.tableList.entries
        guard tables <= min(used / Self.leastEntryBytes, Self.mostTables) else {
            throw Defect("The list of tables is said to have \(tables) entries.")
        }
        pageBytes = meta.pageBytes
        usedBytes = Int(clamping: used)
        tableCount = Int(clamping: tables)
        isShort = fileBytes < used
    }

    private static func metaPages(of file: CheckedFile) throws(DataStoreError) -> MetaPages {
        var bytes = PageBytes(capacity: MetaPage.byteCount)
        try file.read(into: &bytes, at: 0)
        guard bytes.count > 0 else { throw DataStoreError(.notADatabase, "The file is empty.") }
        let start = (0..<16).compactMap { bytes.load(UInt8.self, at: $0) }
        if sqlite.matches(start) { throw sqlite.refusal }
        // After the page's own header: the mark of an LMDB file, and the version of its format.
        guard bytes.load(UInt32.self, at: 16) == 0xBEEF_C0DE, let version = bytes.load(UInt32.self, at: 20)
        else { throw DataStoreError(.notADatabase, "The file is not an LMDB file.") }
        guard version <= 1 else {
            throw DataStoreError(
                .newerFormat, "The file has format \(version) of LMDB; this version of Larder knows 1.")
        }
        return try MetaPages(of: file)
    }

    private static func head(
        of file: CheckedFile, _ metas: MetaPages
    ) throws(DataStoreError) -> StoreFileHead {
        let meta = try newest(of: metas)
        let search = PlainSearch(file: file, pageBytes: meta.pageBytes)
        var mark = PlainSearch.Outcome.nothing
        do throws(PlainSearch.Failure) {
            if case .table(let table) = try search.entry(at: StoreMark.tableName, in: meta.tableList) {
                mark = try search.entry(at: StoreMark.key, in: table)
            }
        } catch {
            switch error {
            case .defect(let defect): throw damaged(defect)
            case .reading(let error): throw error
            }
        }
        if case .value(let value) = mark {
            try StoreMark.require(value)
        } else {
            try StoreMark.require(nil)
        }
        do throws(Defect) {
            return try StoreFileHead(meta, fileBytes: file.byteCount)
        } catch {
            throw damaged(error)
        }
    }

    private static func newest(of metas: MetaPages) throws(DataStoreError) -> MetaPage {
        do throws(Defect) {
            let meta = try metas.newest()
            try meta.requirePlausible()
            return meta
        } catch {
            throw damaged(error)
        }
    }

    private static func damaged(_ defect: Defect) -> DataStoreError {
        DataStoreError(.damaged, "The file is damaged: \(defect.sentence)")
    }
}
