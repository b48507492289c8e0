public import Larder

/// The environment of a case: a fresh place for data, and the stores that it opens over it.
///
///     let store = try world.open(Recipe.self)
///     try store.writeSync { try $0.insert(recipe) }
///     let again = try world.reopen(Recipe.self)
///
/// *Rule:* at most one of its stores is open at a time.
public final class ConformanceWorld: Sendable {
    private let subject: ConformanceSubject
    private let medium: any ConformanceMedium
    private let stores = Locked<[OpenedStore]>([])
    private let neighbours = Locked<[ConformanceWorld]>([])

    init(on subject: ConformanceSubject) throws {
        self.subject = subject
        medium = try subject.makeMedium()
    }

    /// The options of the cases: misuse is reported, not fatal, as some cases provoke it.
    public static var options: DataStoreOptions {
        var options = DataStoreOptions()
        options.assertsOnMisuse = false
        options.slowBlockWarning = nil
        return options
    }

    /// Makes a store for these types over the place, not set up.
    public func makeStore(_ types: any DataStoreItem.Type...) throws -> any DataStore {
        try makeStore(storing: types)
    }

    /// Makes a store for these types over the place, and sets it up.
    public func open(_ types: any DataStoreItem.Type...) throws -> any DataStore {
        try open(storing: types)
    }

    func open(storing types: [any DataStoreItem.Type]) throws -> any DataStore {
        let store = try makeStore(storing: types)
        try store.setup()
        return store
    }

    /// Makes a store for these types, with rules of its own, over the place, and sets it up.
    func open(_ types: any DataStoreItem.Type..., rules: [any RowRule]) throws -> any DataStore {
        let store = try makeStore(storing: types, rules: rules)
        try store.setup()
        return store
    }

    /// Makes a store for these types, with other options, over the place, and sets it up.
    package func open(
        _ types: any DataStoreItem.Type..., changing change: (inout DataStoreOptions) -> Void
    ) throws -> any DataStore {
        var options = Self.options
        change(&options)
        let store = try makeStore(storing: types, options: options)
        try store.setup()
        return store
    }

    /// Closes the stores that are open, and opens the place for these types.
    public func reopen(_ types: any DataStoreItem.Type...) throws -> any DataStore {
        try closeAll()
        let store = try makeStore(storing: types)
        try store.setup()
        return store
    }

    /// Makes a store for these types over a place of its own, and sets it up.
    public func openElsewhere(_ types: any DataStoreItem.Type...) throws -> any DataStore {
        try openElsewhere(types, maximumReaders: nil)
    }

    /// Makes a store with a limit of readers over a place of its own, and sets it up.
    func openElsewhere(
        _ types: any DataStoreItem.Type..., maximumReaders: Int
    ) throws -> any DataStore {
        try openElsewhere(types, maximumReaders: maximumReaders)
    }

    /// Another world on the same engine, with a place of its own, that is cleaned up with this one.
    func sibling() throws -> ConformanceWorld {
        let neighbour = try ConformanceWorld(on: subject)
        neighbours.withLock { $0.append(neighbour) }
        return neighbour
    }

    private func openElsewhere(
        _ types: [any DataStoreItem.Type], maximumReaders: Int?
    ) throws -> any DataStore {
        let store = try sibling().makeStore(storing: types, maximumReaders: maximumReaders)
        try store.setup()
        return store
    }

    /// Tears the stores over this place down.
    public func closeAll() throws {
        for opened in stores.withLock({ $0 }) { try opened.store.tearDown() }
    }

    /// The medium of a subject in files, or nil for a subject to which the cases about files do not apply.
    var files: (any ConformanceFileMedium)? { medium as? any ConformanceFileMedium }

    func makeStore(
        storing types: [any DataStoreItem.Type], maximumReaders: Int? = nil, rules: [any RowRule] = []
    ) throws -> any DataStore {
        var options = Self.options
        options.maximumReaders = maximumReaders
        options.rules = rules
        return try makeStore(storing: types, options: options)
    }

    /// Makes a store for these types that takes the steps of a plan when it is set up.
    package func makeStore(
        storing types: [any DataStoreItem.Type], migration: MigrationPlan
    ) throws -> any DataStore {
        var options = Self.options
        options.migration = migration
        return try makeStore(storing: types, options: options)
    }

    /// Makes a store for the current version of a history, with options of the case.
    package func makeStore(
        storing history: SchemaHistory, progress: (@Sendable (DataStoreProgress) -> Void)? = nil
    ) throws -> any DataStore {
        try makeStore(
            storing: try history.current().schema().types, history: history, progress: progress)
    }

    /// Makes a store for a history, whose current version has these types.
    package func makeStore(
        storing types: [any DataStoreItem.Type], history: SchemaHistory,
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil,
        changing change: (inout DataStoreOptions) -> Void = { _ in }
    ) throws -> any DataStore {
        var options = Self.options
        options.versions = history
        options.schemaProgress = progress
        change(&options)
        return try makeStore(storing: types, options: options)
    }

    /// Makes a store for these types, with options of the case.
    func makeStore(
        storing types: [any DataStoreItem.Type], changing change: (inout DataStoreOptions) -> Void
    ) throws -> any DataStore {
        var options = Self.options
        change(&options)
        return try makeStore(storing: types, options: options)
    }

    private func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        let store = try medium.makeStore(storing: types, options: options)
        stores.withLock { $0.append(OpenedStore(store: store, types: types)) }
        return store
    }

    func cleanUp() throws {
        for neighbour in neighbours.withLock({ $0 }) { try neighbour.cleanUp() }
        try closeAll()
        try medium.cleanUp()
    }
}

/// A store and its item types.
struct OpenedStore: Sendable {
    let store: any DataStore
    let types: [any DataStoreItem.Type]
}

extension ConformanceWorld {
    /// Checks the invariants on the store that the case used last and on a fresh one.
    ///
    /// If the last store cannot be opened because its types do not fit, the one before it is checked. The one that was used
    /// is written to, and its indexes are asked; of the fresh one, the data is compared.
    func checkInvariants() throws {
        for opened in stores.withLock({ $0 }).reversed() {
            do {
                try opened.store.setup()
            } catch {
                continue
            }
            let contents = try InvariantCheck(opened).run()
            try closeAll()
            let fresh = OpenedStore(store: try makeStore(storing: opened.types), types: opened.types)
            try fresh.store.setup()
            try expect(
                try InvariantCheck(fresh).run(isOpenedAgain: true), equals: contents,
                "what a store opened again over the place holds")
            return
        }
    }
}
