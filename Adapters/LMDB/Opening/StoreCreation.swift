import CLMDB
import LarderKernel
import LarderFiles

/// Makes a new store, whole or not at all (contract rule 12).
struct StoreCreation {
    let path: String
    let options: FileStoreOptions
    let schema: StoreSchema?
    let plan: MigrationPlan?

    /// The size of the map of a new store while it is created; it has a handful of pages.
    private static let mapBytes = 1 << 20

    /// Makes the store, unless another process is faster; then that one's is left in place.
    func run() throws(DataStoreError) {
        if let source = options.prepopulation(of: .lmdb) {
            return try source.copy(to: path) { (copy) throws(DataStoreError) in try finish(copy) }
        }
        _ = try NewFile(at: path).make { (temporary) throws(DataStoreError) in try fill(temporary) }
    }

    private func fill(_ temporary: String) throws(DataStoreError) {
        // No other process knows the file, and it is synced as a whole before one does.
        let environment = try LMDBEnvironment(
            path: temporary,
            .init(
                flags: MDB_NOLOCK | MDB_NOSYNC, mapBytes: Self.mapBytes, neededBytes: Self.mapBytes,
                tables: 1))
        defer { environment.close() }
        let code = StoreMark.put(into: environment, flags: MDB_CREATE)
        if code != 0 { throw LMDBFailure(code).error("The new store cannot be written.", path: path) }
    }

    /// Checks a copy, and takes the identity of its source from it.
    private func finish(_ copy: String) throws(DataStoreError) {
        try LMDBFileCheck.requireSound(fileAt: copy)
        let bytes = try StoreFileHead.read(at: copy).usedBytes + Self.mapBytes
        // Twice, as the schema, which may be most of the store, is written again before its old pages are free.
        let environment = try LMDBEnvironment(
            path: copy,
            .init(flags: MDB_NOLOCK | MDB_NOSYNC, mapBytes: 2 * bytes, neededBytes: bytes, tables: 1))
        defer { environment.close() }
        try CopiedSchema(environment: environment).renew(for: schema, by: plan)
    }
}
