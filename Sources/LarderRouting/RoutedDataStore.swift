public import LarderKernel
import LarderMemory
public import LarderVersions

/// A part of a ``RoutedDataStore``: a name, and the store that keeps its item types.
///
///     let part = StorePart("recipes", MemoryDataStore(storing: [Recipe.self]))
///
/// *Rule:* the store is neither set up nor used itself, as both would open the same engine. The name is stored:
/// another name is another part.
public struct StorePart: Sendable {
    /// The name of the part, by which the other parts and errors know it.
    public let name: String
    let coordinator: StoreCoordinator
    let mayBeLost: Bool

    /// Makes a part of a store that is not set up.
    ///
    /// - Parameters:
    ///   - name: A name that is distinct among the parts.
    ///   - store: A store of the part's item types, not set up; its engine's options apply.
    ///   - mayBeLost: True for a cache: if the part is gone, or lacks more than the last block, or has a unique value
    ///     or a one-to-one reference that another process has given to another item, it begins empty, and does not
    ///     throw `.partMissing` or `.partMismatch`. References to its items lead nowhere then, so give them the delete
    ///     rule `.noAction`. A part in memory is one process's own: other processes change theirs, so give `true` if
    ///     several open the store.
    public init(_ name: String, _ store: any DataStore, mayBeLost: Bool = false) {
        self.name = name
        coordinator = store.coordinator
        self.mayBeLost = mayBeLost
    }
}

/// One store over several, each of which keeps some of the item types on an engine of its own.
///
///     let store = RoutedDataStore([
///         StorePart("recipes", SQLiteDataStore(at: url, storing: [Recipe.self])),
///         StorePart("cache", MemoryDataStore(storing: [Ingredient.self]), mayBeLost: true),
///     ])
///     try store.setup()
///
/// A type may be in several parts, if a ``PartKey`` decides which of them keeps an item; identifiers and unique values
/// are unique among all parts. Requests, relationships, child stores and observations lead across parts, and a block
/// that changes several of them is stored in all or in none, even if the process is killed.
///
/// *Rule:* the first part keeps the journal of such blocks, so it is never given another place, and it is the one
/// that every write block locks. Only routed stores with the same parts write to them. A type stays in its part. Blocks
/// over several parts survive a power failure if each of these has `durability: .full`: a part that loses a commit
/// which another one has may be refused afterwards. A read block begins a snapshot of every part, so that all are of one
/// moment: if a part cannot be reached, such as a server, every read block throws its error, even one about another
/// part. A write block needs the parts up to the last one that it reads or writes.
///
/// *Cost:* a read block begins a snapshot of every part, with two look-ups; a block that changes one part costs one
/// commit; a block that changes several costs one commit for each, and stores the changes of all but the first twice. After
/// such blocks, of this process or another, `tearDown()` writes a row of the first part, and waits as long for it as a
/// block may.
/// An insert of a type in several parts locks them, and looks up its identifier in the others. A request that names no
/// parts asks all of them and merges their rows.
///
/// `destroy()` deletes one part after the other, the first one last. After a kill between two of them, `setup()` throws
/// `.partMissing`; another `destroy()` deletes the rest.
///
/// A write throws `.invalidValue`, and a request `.invalidRequest`, if it names a part that does not keep the type. A block
/// that changes several parts throws `.partMissing` if a part was left out that may lack such a block of another process.
/// If that process has changed items of a type that the store does not name, blocks throw `.schemaMismatch` until `setup()`
/// has finished its block.
/// `setup()` also throws `.schemaMismatch` if another part has rows of a type, `.partMissing`, `.partMismatch` and
/// `.unsupported`; if it has to move items (``PartKey``), `.invalidValue`, `.duplicateIdentifier`, `.uniqueViolation`
/// and `.targetNotFound`.
public final class RoutedDataStore: DataStore {
    public let coordinator: StoreCoordinator

    /// A store over parts.
    ///
    /// - Parameters:
    ///   - parts: The parts, the one with the journal first. Later ones are locked only by the blocks that need them,
    ///     so the slowest comes last.
    ///   - keys: One for each type that several parts keep.
    ///   - storeOptions: The options of the whole store; the parts' own `storeOptions` have no effect.
    public init(
        _ parts: [StorePart], partitionedBy keys: [PartKey] = [],
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        coordinator = StoreCoordinator(
            adapter: RoutedAdapter(parts, partitionedBy: keys),
            storing: parts.flatMap { $0.coordinator.itemTypes },
            options: storeOptions, staging: { MemoryAdapter() })
    }

    /// A store over parts, which `setup()` brings to a history's current version from any other.
    ///
    ///     let recipes = SQLiteDataStore(at: url, storing: [Recipe.self])
    ///     let store = RoutedDataStore([StorePart("recipes", recipes)], storing: history)
    ///     try store.setup()
    ///
    /// Each part takes the steps of its own types, all parts or none: if a closure throws, no part has changed. If the
    /// process is killed while they commit, some parts are of the new version. Until the next `setup()` has upgraded the
    /// others, the store cannot be used.
    ///
    /// *Rule:* the parts keep the types of the current version. A mapping reads and makes rows of its own part; it does
    /// not follow relationships to other parts, and a closure before or after the mappings uses the types of one part.
    /// Such a closure is called for each part, and ends at the first type that is not there. The items of a type that
    /// several parts keep are dealt out again afterwards. *Cost:* as the steps of each part's store in place; and a pass over
    /// the references that lead from one part to another, and over the items of types with a ``PartKey``.
    ///
    /// `setup()` throws `.unsupported` for steps that no part can take alone, and for `schemaUpgrade` in a copy. The advice
    /// of an error names the part.
    ///
    /// - Parameters:
    ///   - parts: As above; a type stays in its part.
    ///   - history: The versions of everything that the parts keep, and the steps between them.
    public init(
        _ parts: [StorePart], storing history: SchemaHistory, partitionedBy keys: [PartKey] = [],
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        coordinator = StoreCoordinator(
            adapter: RoutedAdapter(parts, partitionedBy: keys), storing: history, options: storeOptions,
            staging: { MemoryAdapter() })
    }
}

extension DataStoreError.Code {
    /// A part of a ``RoutedDataStore`` does not exist, although the other parts belong to it.
    public static let partMissing = Self(rawValue: "partMissing")
    /// A part of a ``RoutedDataStore`` belongs to another one, or was restored from a backup of another time.
    public static let partMismatch = Self(rawValue: "partMismatch")
}
