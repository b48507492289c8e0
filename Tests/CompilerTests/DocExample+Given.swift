extension DocExample {
    /// What the examples of a file or folder use without making it, because the comment has named it.
    static let given: [(place: String, kind: String, code: String)] = [
        ("Sources/Larder/Row/Row", "members", "var id: ItemID<Recipe> = made()"),
        ("Sources/Larder/Row/Row", "members", "var name: String = made()"),
        ("Sources/Larder/Adapter/TouchedRows", "values", "let mutations: [RowMutation] = []"),
        (
            "Sources/Larder/Adapter/TouchedRows", "values",
            "func apply(_ mutation: RowMutation) throws -> Int { made() }"
        ),
        (
            "Sources/Larder/Block/DataStoreReadAccessor+Several", "values",
            "let history: [ItemID<Recipe>] = []"
        ),
        ("Sources/Larder/Block/DataStoreReadAccessor+Pages", "values", "let shown: [Recipe] = []"),
        ("Sources/Larder/Block/DataStoreReadAccessor+Groups.swift", "values", "let request = sales"),
        ("Sources/Larder/Adapter/AdapterDecorator", "values", "typealias PrintingAdapter = OtherAdapter"),
        ("Sources/LarderEngine", "values", "let (index, entity): (IndexSchema, EntitySchema) = made()"),
        ("Sources/LarderEngine/Invariants", "values", "let transaction: any StorageReading = made()"),
        ("Sources/LarderEngine/Migration", "values", "let transaction: any SchemaTransaction = made()"),
        ("Sources/LarderEngine", "values", "let schema: StoreSchema = made()"),
        ("Sources/LarderEngine", "values", "let plan: MigrationPlan? = nil"),
        ("Sources/Larder/Migration/DestinationRow.swift", "values", "let recipe: DestinationRow = made()"),
        ("Sources/Larder/Observation/ObservedList", "values", "let recipes: ObservedList<Recipe> = made()"),
        ("Sources/Larder/Import", "values", "let recipes = recipeMap"),
        ("Sources/Larder/Item/AnyItemID", "values", "let change: ChangeSet.Change = made()"),
        (
            "Sources/Larder/Item/Mutable+", "values",
            "let (cake, ada): (Mutable<Recipe>, Mutable<Person>) = made()"
        ),
        ("Sources/Larder/List/ListChange", "values", "let change: ListChange<Recipe> = made()"),
        ("Sources/Larder/List/StoreList", "values", "let recipes: StoreList<Recipe> = made()"),
        ("Sources/Larder/List/ListObserver", "values", "let recipes: StoreList<Recipe> = made()"),
        (
            "Sources/Larder/Migration/Destination", "values",
            "let (old, new): (SourceRow, Destination) = made()"
        ),
        ("Sources/Larder/Migration/Source", "values", "let old: SourceRow = made()"),
        ("Sources/Larder/Migration/StepAccessor", "values", "let accessor: StepAccessor = made()"),
        ("Sources/Larder/Migration/StepAccessor", "values", "let id = AnyItemID.integer(1)"),
        (
            "Sources/Larder/Migration/StoredValue", "values",
            "let (old, recipe): (SourceRow, DestinationRow) = made()"
        ),
        ("Sources/Larder/Store/StoreCoordinator", "members", "var coordinator: StoreCoordinator { made() }"),
        ("Sources/Larder/Store/StoreCoordinator", "members", "var adapter: any BackupAdapter { made() }"),
        ("Sources/LarderTesting", "members", "let book = RecipeBook()"),
        ("Sources/LarderTesting", "values", "let store: TemporaryStore = made()"),
        ("Sources/LarderTransfer/Import", "values", "let recipes = recordMap"),
        (
            "Sources/LarderTransfer/Import", "members",
            "static let kinds: ImportMap<Kind, ImportRecord> = made()"
        ),
        (
            "Sources/Larder/Graph/ToMany", "members",
            "@StoredItem struct Ingredient { var name: String; var recipe: ToOne<Recipe> }"
        ),
        ("Sources/LarderTransfer/Import/ImportRecord", "values", "let data = json"),
        ("Adapters/SQLite/SQLiteDataStore", "values", "let store: SQLiteDataStore = made()"),
        ("Adapters/LMDB/LMDBDataStore", "values", "let store: LMDBDataStore = made()"),
    ]
}
