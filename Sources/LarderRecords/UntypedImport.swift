public import LarderImport
public import LarderKernel

/// Imports records into a store without the app's types, as a mapping says: for tools.
///
///     let mapping = try ImportMapping(json: Data(contentsOf: mappingFile))
///     let counts = try UntypedImport(into: .sqlite(at: url)).run(JSONRecords(json), by: mapping)
///
/// Unique values and references are judged as in the app; rules of the app's own and the defaults of its
/// declarations are not known.
///
/// *Rule:* the store must exist, and no other store of the process may be open over its file.
public struct UntypedImport {
    private let address: StoreAddress
    private let size: Int

    /// An import into the store at an address, which it opens when it runs.
    ///
    /// - Parameter size: The number of records of a transaction; a mapping with `replaceDeleting` is one transaction.
    public init(into address: StoreAddress, committingEvery size: Int = 10_000) {
        self.address = address
        self.size = size
    }

    /// Imports all records.
    ///
    /// *Rule:* each transaction is stored when it has ended; when it throws, `progress` was called with
    /// the number of records stored. The task that runs it may be cancelled.
    ///
    /// - Throws: `.cannotOpen` when there is no store; `.incompleteTransfer`; `.invalidRequest`,
    ///   `.unknownItemType` and `.unknownAttribute` for a mapping that does not fit; as `importItems` of a store.
    @available(*, noasync)
    public func run(
        _ records: some Sequence<ImportRecord>, by mapping: ImportMapping,
        progress: ((DataStoreProgress) throws -> Void)? = nil
    ) throws -> ImportCounts {
        let adapter = address.adapter(for: .updating)
        guard let stored = try adapter.storedSchema() else {
            throw DataStoreError(
                .cannotOpen, "No store exists at this path.", advice: "Check the path.",
                path: address.location)
        }
        let schema = try StoreSchema(of: stored)
        let core = try mapping.core(in: schema)
        let store = RowStore(adapter, schema)
        try store.setup()
        do {
            // A later record may give to another owner what an earlier one has left over.
            let size = mapping.deletesLeftOverItems ? .max : size
            let counts = try store.importItems(
                from: records, by: core, committingEvery: size, progress: progress)
            try store.tearDown()
            return counts
        } catch {
            // The first error is the one that matters.
            try? store.tearDown()
            throw error
        }
    }
}

/// A store whose blocks know rows only.
private final class RowStore: DataStore {
    let coordinator: StoreCoordinator

    init(_ adapter: any StorageAdapter, _ schema: StoreSchema) {
        coordinator = StoreCoordinator(adapter: adapter, schema: schema, options: DataStoreOptions())
    }
}
