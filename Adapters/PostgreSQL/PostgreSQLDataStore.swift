#if PostgreSQL
    public import LarderKernel
    public import LarderVersions
    import LarderMemory

    /// A store on a PostgreSQL server, which many machines may use at once.
    ///
    ///     let connection = try PostgreSQLConnection("postgresql://app@db.example.com/kitchen")
    ///         .signingIn(with: .environment("DB_PASSWORD"))
    ///     let store: any DataStore = PostgreSQLDataStore(
    ///         connection: connection, schema: "recipes", storing: [Recipe.self, Ingredient.self])
    ///     try store.setup()
    ///
    /// The store is one schema of the database, with a table for each type. *Rule:* one store for a schema in a process.
    /// *Cost:* a block that reads one item is one journey to the server, and a block that inserts one item two.
    public final class PostgreSQLDataStore: DataStore {
        public let coordinator: StoreCoordinator
        let adapter: PostgreSQLAdapter

        /// A store in a schema of the database, which is created by `setup()` if it does not exist.
        ///
        /// - Parameters:
        ///   - connection: The server, the database and the user.
        ///   - schema: The name of the schema in the database: 1 to 50 bytes.
        ///   - itemTypes: All item types of the store; a call with another type throws `.unknownItemType`.
        ///   - options: The options of PostgreSQL: durability, limits, read-only opening.
        ///   - storeOptions: The options of all stores: logging, warnings.
        public init(
            connection: PostgreSQLConnection, schema: String, storing itemTypes: [any DataStoreItem.Type],
            options: PostgreSQLOptions = PostgreSQLOptions(),
            storeOptions: DataStoreOptions = DataStoreOptions()
        ) {
            adapter = PostgreSQLAdapter(on: connection, schema: schema, options: options)
            coordinator = StoreCoordinator(
                adapter: adapter,
                storing: itemTypes,
                options: storeOptions, staging: { MemoryAdapter() })
        }

        /// A store in a schema of the database, which `setup()` brings to a history's current version from any other.
        ///
        /// - Parameters:
        ///   - history: The versions of everything the store keeps, and the steps between them.
        ///   - connection: The server, as for a store of item types. The options mean the same there too.
        public init(
            connection: PostgreSQLConnection, schema: String, storing history: SchemaHistory,
            options: PostgreSQLOptions = PostgreSQLOptions(),
            storeOptions: DataStoreOptions = DataStoreOptions()
        ) {
            adapter = PostgreSQLAdapter(on: connection, schema: schema, options: options)
            coordinator = StoreCoordinator(
                adapter: adapter,
                storing: history,
                options: storeOptions, staging: { MemoryAdapter() })
        }
    }
#endif
