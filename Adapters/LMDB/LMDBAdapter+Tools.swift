package import LarderKernel
package import LarderFiles
package import LarderKeyValue

package import struct Foundation.URL

/// The implementation of the tools of ``LMDBDataStore``.
extension KeyValueAdapter where Engine == LMDBEngine {
    package func backup(to url: URL) throws(DataStoreError) {
        let store = try engine.files.current()
        let snapshot = try store.beginReading()
        defer { snapshot.end() }
        let copy = StoreCopy(environment: store.environment)
        try StorePlace(url).makeBackup(for: .lmdb) {
            (path) throws(DataStoreError) in try copy.write(to: path)
        }
    }

    package func checkIntegrity() throws(DataStoreError) -> [String] {
        let store = try engine.files.current()
        // Pages that a reading may need are not used again, so that nothing moves under the walk.
        let snapshot = try store.beginReading()
        defer { snapshot.end() }
        let problems = try LMDBFileCheck.problems(inFileAt: store.file.path)
        // LMDB trusts what it reads, and would end the process.
        return problems.isEmpty ? try checkTables() : problems
    }

    package func statistics() throws(DataStoreError) -> StoreStatistics {
        let store = try engine.files.current()
        let counts = try itemCounts()
        let snapshot = try store.beginReading()
        defer { snapshot.end() }
        let environment = store.environment
        return StoreStatistics(
            pageBytes: environment.pageBytes, pageCount: environment.pageCount,
            freePageCount: try snapshot.freePageCount(),
            fileBytes: try FileAccess.status(at: store.file.path)?.byteCount ?? 0,
            mapBytes: environment.mapBytes, itemCounts: counts)
    }
}
