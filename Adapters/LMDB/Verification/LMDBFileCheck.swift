import LarderKernel

/// Walks the whole structure of an LMDB file before LMDB maps it (contract rule 12).
///
///     try LMDBFileCheck.requireSound(fileAt: path)
///
/// LMDB's pages have no checksums, and it trusts what they say: a damaged file ends the process that maps it.
/// This reads the meta pages, every page of every tree, and the free list, by plain reads. A changed byte
/// inside a value is not noticed; it only harms the reader of the value.
///
/// *Rule:* the file must not be open in this process; see `OpenFileRegistry`. Another process may write
/// to it. Nothing is ever written. *Cost:* one read for each page that is not part of a large value.
enum LMDBFileCheck {
    /// The number of attempts to read a file while another process writes to it.
    private static let attempts = 10

    /// Returns the defects of a file, at most ``Findings/limit`` sentences; empty if it is sound.
    ///
    /// - Throws: The error of the operating system if the file cannot be read; `.busy` when another process
    ///   writes to it faster than it can be walked.
    static func problems(inFileAt path: String) throws(DataStoreError) -> [String] {
        try report(onFileAt: path).problems
    }

    /// - Throws: `.damaged` with the first problem, and like ``problems(inFileAt:)``.
    static func requireSound(fileAt path: String) throws(DataStoreError) {
        let problems = try problems(inFileAt: path)
        guard let first = problems.first else { return }
        let more = problems.count > 1 ? " (And \(problems.count - 1) more.)" : ""
        throw DataStoreError(.damaged, "The file is damaged: \(first)\(more)", path: path)
    }

    /// Returns the defects of a file, and the other findings of the walk.
    static func report(onFileAt path: String) throws(DataStoreError) -> LMDBFileReport {
        for _ in 0..<attempts {
            let file = try CheckedFile(path)
            let metas = try MetaPages(of: file)
            // The pages that the meta pages name were written before them, but perhaps after the file was
            // opened.
            try file.measure()
            let report = try report(on: file, metas)
            // LMDB overwrites what a transaction shows only after the next one has been committed.
            if report.problems.isEmpty { return report }
            if try MetaPages(of: file) == metas { return report }
        }
        throw DataStoreError(
            .busy, "Another process keeps writing to the file while it is being checked.", path: path)
    }

    private static func report(
        on file: CheckedFile, _ metas: MetaPages
    ) throws(DataStoreError) -> LMDBFileReport {
        let meta: MetaPage
        do throws(Defect) {
            meta = try metas.newest()
            try meta.requirePlausible()
            // The memory of the walk grows with the last page: so the free list must have room for all that are missing.
            try meta.requirePages(
                inFileOf: file.byteCount, except: file.byteCount / UInt64(FreeListEntry.numberBytes))
        } catch {
            return LMDBFileReport(problems: [error.sentence], lostPages: 0)
        }
        let inspection = Inspection(of: file, with: meta)
        try walk(inspection)
        return LMDBFileReport(
            problems: inspection.findings.sentences, lostPages: inspection.lostPages)
    }

    private static func walk(_ inspection: Inspection) throws(DataStoreError) {
        var freeList = TreeWalk(.freeList, inspection.meta.freeList, inspection)
        try freeList.run()
        inspection.requireLength()
        var tableList = TreeWalk(.tableList, inspection.meta.tableList, inspection)
        try tableList.run()
        for table in tableList.tables {
            var walk = TreeWalk(table.name, table.record, inspection)
            try walk.run()
        }
    }
}

/// The findings of a walk through a file.
struct LMDBFileReport: Equatable {
    /// The defects that would break LMDB, as sentences.
    let problems: [String]
    /// The number of pages that are neither used nor free: harmless, but lost.
    let lostPages: UInt64
}
