// What the examples in doc comments speak of: items, stores and values under the names that the comments use.
// It is compiled with the examples by `DocExampleTests`, and is not part of the test target.
import Dispatch
import Foundation
import Larder
import LarderConformance
import LarderDefaultStore
import LarderEngine
import LarderKeyValue
import LarderLMDB
import LarderMemory
import LarderRecords
import LarderRouting
import LarderSQLite
import LarderTesting
import LarderText
import LarderTransfer
import Testing

@StoredItem
struct Recipe: Equatable {
    var name: String
    @Indexed var rating: Double = 0
    @Unique var slug: String = ""
    var note: String?
    var shelf: String?
    var price: Double = 0
    var isVegan: Bool = false
    var isDraft: Bool = false
    var isFavorite: Bool = false
    var cookedAt: Date?
    var importedAt: Date?
    var updatedAt: Date = Date(timeIntervalSinceReferenceDate: 0)
    var deletedAt: Date?
    var author: ToOne<Person>?
    var kind: ToOne<Kind>?
    @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: ToMany<Ingredient>
    var tags: ToMany<Tag>
    var steps: OrderedToMany<Step>
}

@StoredItem
struct Kind {
    @Unique var name: String
}

@StoredItem
struct Ingredient {
    var name: String
    var amount: Int = 1
    var isVegan: Bool = false
    var recipe: ToOne<Recipe>
}

@StoredItem
struct Tag {
    @Unique var name: String
}

@StoredItem
struct Step {
    var text: String
    var position: Int = 0
}

@StoredItem
struct Person {
    var name: String
    var age: Int
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: ToMany<Book>
    @Relationship(inverse: \Passport.holder) var passport: ToOneInverse<Passport>
}

@StoredItem(uniques: [["person", "day"]])
struct Meal {
    var person: ToOne<Person>
    var day: Date
    var dish: String = ""
}

@StoredItem
struct Passport {
    var holder: ToOne<Person>?
}

@StoredItem
struct Book {
    let id: Int64
    var title: String
    var year: Int
    var pages: Int
    var author: ToOne<Person>
    var editor: ToOne<Person>?
    var labels: ToMany<Tag>
}

@StoredItem
struct Sale {
    var price: Double
    var city: String
    var date: Date
    var isPaid: Bool
    var product: ToOne<Product>
    var shop: ToOne<Shop>
}

@StoredItem
struct Product {
    var name: String
}

@StoredItem
struct Shop {
    var city: String
    var isOpen: Bool
    var rating: Double
}

@StoredItem
struct Order {
    var quantity: Int
    var price: Double
    var count: Double
    var discount: Double
    var minimum: Double
}

@StoredItem
struct Message {
    var isUnread: Bool
}

@StoredItem
struct Request {
    var isDone: Bool
}

@StoredItem
struct Article {
    var price: Double
    var listPrice: Double
}

@StoredItem
struct Playlist {
    var name: String
    var songs: OrderedToMany<Song>
}

@StoredItem
struct Song {
    var title: String
    var price: Double = 0
}

enum Medium: ItemUnion {
    case recipe(Recipe)
    case song(Song)

    static let members: [UnionMember<Medium>] = [
        .type(Recipe.self, Medium.recipe), .type(Song.self, Medium.song),
    ]

    struct Attributes: Sendable {
        let title = UnionAttribute<Medium, String>(Recipe.attributes.name, Song.attributes.title)
        let price = UnionAttribute<Medium, Double>(Recipe.attributes.price, Song.attributes.price)
    }
    static let attributes = Attributes()

    var item: any DataStoreItem {
        switch self {
        case .recipe(let recipe): recipe
        case .song(let song): song
        }
    }
}

@StoredItem
struct Bookmark {
    @Indexed var subject: ToAny<Medium>
}

struct ProductTotal {
    let name: String?
    let count: Int
    let total: Double
}

struct RecipeResponse: Sendable {
    struct Category { let name: String }
    let slug: String
    let title: String
    let stars: Int?
    let comment: String?
    let category: Kind?
    let categoryName: String?
    let tags: [Tag]
    let tagNames: [String]
    let updatedAt: Date
}

struct Line: Sendable {
    let name: String
    let person: ItemID<Person>
    let day: Date
}

struct Page: Sendable {
    let slug: String
    let lines: [Line]?
}

struct Response { let recipes: [RecipeResponse] }

enum V1 {
    @StoredItem("Recipe")
    struct Recipe { var title: String }
}

enum V2 {
    @StoredItem("Recipe")
    struct Recipe { var title: String }
}

enum AppSchema {
    static let history = SchemaHistory { SchemaVersion("1", storing: [Recipe.self]) }
}

enum CookBook {
    static let history = AppSchema.history
}

enum AppStore {
    static let history = AppSchema.history
    static func make(at url: URL) throws -> any DataStore { SQLiteDataStore(at: url, storing: [Recipe.self]) }
}

struct RecipeBook {
    func rate(_ slug: String, _ rating: Double) throws {}
}

final class Panel: Sendable {
    func show(_ event: StoreEvent) {}
}

final class OtherAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    init(_ adapter: any StorageAdapter) { wrappedAdapter = adapter }
}

func MyEngine(at path: String) -> MemoryEngine { made() }
func MyAdapter() -> any StorageAdapter { made() }
func TemporarySQLiteFolder() -> any ConformanceMedium { made() }

final class RecipeTable: ListObserver {
    typealias Item = Recipe
}

struct RecipeRow { init(_ recipe: Recipe) {} }

@MainActor
final class Table {
    func beginUpdates() {}
    func endUpdates() {}
    func performBatchUpdates(_ updates: () -> Void) {}
    func deleteSections(_ sections: IndexSet) {}
    func insertSections(_ sections: IndexSet) {}
    func moveSection(_ section: Int, toSection target: Int) {}
    func reloadSections(_ sections: IndexSet) {}
    func deleteItems(at paths: [IndexPath]) {}
    func insertItems(at paths: [IndexPath]) {}
    func moveItem(at path: IndexPath, to target: IndexPath) {}
    func reloadItems(at paths: [IndexPath]) {}
}

func path(_ position: ListPosition) -> IndexPath { made() }

final class Spinner { var isHidden = true }

protocol BackupAdapter: StorageAdapter {
    func backup(to url: URL) throws(DataStoreError)
}

/// The class around an example: an object of an app's, on the main actor as its views are.
@MainActor
class Example {
    var observation: StoreObservation = made()
    func show(_ values: Any?...) {}
    func show(_ recipes: [Recipe], isAnimated: Bool) {}
}

// The part of SwiftUI that examples use.
@MainActor
protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}
protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView { var body: Never { fatalError() } }
extension Never: View { var body: Never { fatalError() } }
struct Text: PrimitiveView { init(_ text: String) {} }
struct ProgressView: PrimitiveView {}
struct RecipeView: PrimitiveView { init(_ recipe: Recipe) {} }
struct List<Row>: PrimitiveView {
    init<Elements: Collection>(_ elements: Elements, @ViewBuilder row: (Elements.Element) -> Row) {}
}
struct ForEach<Row>: PrimitiveView {
    init<Elements: Collection>(_ elements: Elements, @ViewBuilder row: (Elements.Element) -> Row) {}
}
struct Section<Content>: PrimitiveView { init(_ title: String, @ViewBuilder content: () -> Content) {} }
struct Either<First, Second>: PrimitiveView {}
@resultBuilder enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    static func buildEither<First, Second>(first: First) -> Either<First, Second> { Either() }
    static func buildEither<First, Second>(second: Second) -> Either<First, Second> { Either() }
}
@propertyWrapper struct State<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(initialValue: Value) { wrappedValue = initialValue }
}

// A value of any type that an example names. Nothing of it is ever run.
func made<Value>() -> Value { fatalError() }

var store: any DataStore { made() }
var draft: ChildDataStore { made() }
var accessor: DataStoreReadWriteAccessor { made() }
var url: URL { made() }
var other: URL { made() }
var folder: URL { made() }
var id: ItemID<Recipe> { made() }
var recipe: Recipe { made() }
var order: Order { made() }
var item: Recipe { made() }
var person: Person { made() }
var ada: Person { made() }
var book: Book { made() }
var section: ListSection<Recipe> { made() }
var request: DataStoreRequest<Recipe> { made() }
var change: ItemChange<Recipe> { made() }
var history: SchemaHistory { made() }
var queue: DispatchQueue { made() }
var panel: Panel { made() }
var words: [String] { made() }
var meals: [Meal] { made() }
var flour: Ingredient { made() }
var today: Date { made() }
var now: Date { made() }
var lastYear: Date { made() }
var sweet: Tag { made() }
var round: Tag { made() }
var lines: [RecipeResponse] { made() }
var response: Response { made() }
var downloaded: [Recipe] { made() }
var selection: [Recipe] { made() }
var removed: [ItemID<Recipe>] { made() }
var cake: Recipe { made() }
var toast: Recipe { made() }
var playlist: Playlist { made() }
var sales: GroupRequest<Sale, String?> { made() }
var open: DataStoreRequest<Request> { made() }
var list: ItemList<Recipe> { made() }
var rows: [[RecipeRow]] {
    get { made() }
    set {}
}
var table: Table { made() }
var view: Table { made() }
var recipeTable: RecipeTable { made() }
var spinner: Spinner { made() }
var text: String { made() }
var address: StoreAddress { made() }
var lock: String { made() }
var shape: SchemaShape { made() }
var stored: StoredSchema { made() }
var event: StoreEvent { made() }
var badge: Int {
    get { made() }
    set {}
}
var skipped: [RecipeResponse] {
    get { made() }
    set {}
}
var values: StoreValues<[Recipe]> { made() }
var adapter: any StorageAdapter { made() }
var kinds: ImportMap<Kind, Kind> { made() }
var tags: ImportMap<Tag, Tag> { made() }
var recipeMap: ImportMap<Recipe, RecipeResponse> { made() }
var recordMap: ImportMap<Recipe, ImportRecord> { made() }
var old: URL { made() }
var new: URL { made() }
var types: [any DataStoreItem.Type] { made() }
var cutOver: StoreCutOver { made() }
var transfer: StoreTransfer { made() }
var left: UntypedStore { made() }
var right: UntypedStore { made() }
var reader: UntypedReader { made() }
var row: UntypedRow { made() }
var file: FileHandle { made() }
var json: Data { made() }
var mappingFile: URL { made() }
var storage: MemoryStorage { made() }
var output: FileHandle { made() }
var world: ConformanceWorld { made() }
var subject: ConformanceSubject { made() }
var path: String { made() }
func importLine(_ line: RecipeResponse, _ accessor: DataStoreReadWriteAccessor) throws {}
func reload(_ identifiers: [ItemID<Recipe>]) {}
func upload(_ changes: ChangeSet) {}
func animate(from old: Double, to new: Double) {}
func remember(_ location: String) {}
func close() {}
typealias RecipeKind = Kind
func log(_ text: String) {}
func report(_ text: String) {}
func show(_ value: Any...) {}
struct Unexpected: Error {}
