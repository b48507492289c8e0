/// Something that has happened to a store as a whole.
///
///     for await event in store.events { log("\(store): \(event)") }
public enum StoreEvent: Sendable, Hashable {
    /// The store was opened; blocks run from now on.
    case opened
    /// The store was closed, or destroyed; blocks are refused from now on.
    case closed
    /// This store's own `setup()` has changed the stored schema, by steps or small changes; reported before
    /// ``opened``.
    case migrated(StoreMigration)
    /// Another process has changed the stored schema: a block was refused with `.schemaChanged`, and so are all until the
    /// store is closed and opened again.
    case schemaChanged
    /// The store is in another place now: `setup()` was refused with `.storeMoved`, or a block with `.storeFileMoved`.
    case moved
}
