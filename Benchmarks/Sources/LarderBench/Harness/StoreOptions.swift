/// How a store is made for a workload.
struct StoreOptions: Sendable {
    var durability = Durability.normal
    /// Whether names and ratings are indexed.
    var isIndexed = false
}

/// What a commit survives.
enum Durability: Sendable {
    /// A crash of the process, as cheaply as the engine can: SQLite's NORMAL, LMDB's `MDB_NOSYNC`.
    case normal
    /// Also a power cut.
    case full
}
