extension DocExample {
    /// What the examples of a file or folder use without making it, because the comment has named it.
    static let given: [(place: String, kind: String, code: String)] = [
        ("Sources/LarderKernel/Row/Row", "members", "var id: ItemID<Recipe> = made()"),
        ("Sources/LarderKernel/Row/Row", "members", "var name: String = made()"),
        ("Sources/LarderKernel/Adapter/TouchedRows", "values", "let mutations: [RowMutation] = []"),
        (
            "Sources/LarderKernel/Adapter/TouchedRows", "values",
            "func apply(_ mutation: RowMutation) throws -> Int { made() }"
        ),
        (
            "Sources/LarderKernel/Accessor/DataStoreReadAccessor+Several", "values",
            "let history: [ItemID<Recipe>] = []"
        ),
        ("Sources/LarderHooks/ItemFinding", "values", "let error: DataStoreError = made()"),
        ("Sources/LarderUnions", "values", "let (bookmark, bookmarks): (Bookmark, [Bookmark]) = made()"),
        ("Sources/LarderPages", "values", "let shown: [Recipe] = []"),
        (
            "Sources/LarderAggregates/DataStoreReadAccessor+Groups.swift", "values",
            "let request = sales"
        ),
        (
            "Sources/LarderKernel/Adapter/AdapterDecorator", "values",
            "typealias PrintingAdapter = OtherAdapter"
        ),
        ("Sources/LarderEngine", "values", "let (index, entity): (IndexSchema, EntitySchema) = made()"),
        ("Sources/LarderEngine/Invariants", "values", "let transaction: any StorageReading = made()"),
        ("Sources/LarderVersions/Running", "values", "let transaction: any SchemaTransaction = made()"),
        ("Sources/LarderVersions/Running", "values", "let schema: StoreSchema = made()"),
        ("Sources/LarderVersions/Running", "values", "let plan: MigrationPlan? = nil"),
        ("Sources/LarderEngine", "values", "let schema: StoreSchema = made()"),
        ("Sources/LarderEngine", "values", "let plan: MigrationPlan? = nil"),
        ("Sources/LarderVersions/DestinationRow.swift", "values", "let recipe: DestinationRow = made()"),
        ("Sources/LarderObservation/ObservedList", "values", "let recipes: ObservedList<Recipe> = made()"),
        ("Sources/LarderImport", "values", "let recipes = recipeMap"),
        ("Sources/LarderKernel/Item/AnyItemID", "values", "let change: ChangeSet.Change = made()"),
        (
            "Sources/LarderKernel/Item/Mutable+", "values",
            "let (cake, ada): (Mutable<Recipe>, Mutable<Person>) = made()"
        ),
        ("Sources/LarderObservation/List/ListChange", "values", "let change: ListChange<Recipe> = made()"),
        ("Sources/LarderObservation/List/StoreList", "values", "let recipes: StoreList<Recipe> = made()"),
        ("Sources/LarderObservation/List/ListObserver", "values", "let recipes: StoreList<Recipe> = made()"),
        (
            "Sources/LarderVersions/Destination", "values",
            "let (old, new): (SourceRow, Destination) = made()"
        ),
        ("Sources/LarderVersions/Source", "values", "let old: SourceRow = made()"),
        ("Sources/LarderVersions/StepAccessor", "values", "let accessor: StepAccessor = made()"),
        ("Sources/LarderVersions/StepAccessor", "values", "let id = AnyItemID.integer(1)"),
        (
            "Sources/LarderVersions/StoredValue", "values",
            "let (old, recipe): (SourceRow, DestinationRow) = made()"
        ),
        (
            "Sources/LarderKernel/Store/StoreCoordinator", "members",
            "var coordinator: StoreCoordinator { made() }"
        ),
        (
            "Sources/LarderKernel/Store/StoreCoordinator", "members",
            "var adapter: any BackupAdapter { made() }"
        ),
        ("Sources/LarderTesting", "members", "let book = RecipeBook()"),
        ("Sources/LarderTesting", "values", "let store: TemporaryStore = made()"),
        ("Sources/LarderRecords", "values", "let recipes = recordMap"),
        (
            "Sources/LarderRecords", "members",
            "static let kinds: ImportMap<Kind, ImportRecord> = made()"
        ),
        (
            "Sources/LarderKernel/Graph/ToMany", "members",
            "@StoredItem struct Ingredient { var name: String; var recipe: ToOne<Recipe> }"
        ),
        ("Sources/LarderRecords/ImportRecord", "values", "let data = json"),
        ("Sources/LarderFiles/FileDataStore", "values", "let store: any FileDataStore = made()"),
        ("Adapters/SQLite/SQLiteDataStore", "values", "let store: SQLiteDataStore = made()"),
        ("Adapters/LMDB/LMDBDataStore", "values", "let store: LMDBDataStore = made()"),
        ("Adapters/PostgreSQL", "values", "let connection: PostgreSQLConnection = made()"),
    ]
}
