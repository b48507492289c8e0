import Larder
import LarderEngine
import LarderSQL
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderSQLite

/// The statements that two dialects have for a plan.
struct SQLTexts {
    let schema: StoreSchema
    private let sqlite: SQLCatalog
    private let standard: SQLCatalog

    init() throws {
        schema = try StoreSchema(
            storing: Library.types + [Sample.self, Versioned<Piece>.self, Versioned<Kind>.self])
        let stored = StoredSchema(describing: schema)
        let tables = try schema.entities.enumerated().map { number, entity in
            EntityTable(
                number: number, schema: entity, stored: try #require(stored.entity(named: entity.name)))
        }
        sqlite = SQLCatalog(tables, SQLiteDialect(maximumParameters: 1000))
        standard = SQLCatalog(tables, StandardDialect())
    }

    /// The plan of a request that reads identifiers alone.
    func plan<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> RequestPlan {
        let number = try #require(schema.number(of: Item.self))
        return try request.core.plan(entity: number, in: schema, columns: .some([0]))
    }

    /// The statement for the rows of a plan in both dialects; nil where the core has to run a part of it.
    func rows(_ plan: RequestPlan) -> [String?] {
        [sqlite, standard].map { catalog in
            guard catalog.writes(plan) || catalog.dialect.coreFilter != nil else { return nil }
            return PlanSQL(plan, in: catalog, isOrdered: true).rows.text(in: catalog.dialect)
        }
    }

    /// The parameters of the statement of SQLite for the rows, in the order of their numbers.
    func parameters(_ plan: RequestPlan) -> [SQLParameter] {
        PlanSQL(plan, in: sqlite, isOrdered: true).rows.parameters
    }

    /// The statement for the number of rows.
    func count(_ plan: RequestPlan) -> [String] {
        [sqlite, standard].map { PlanSQL(plan, in: $0, isOrdered: false).count.text(in: $0.dialect) }
    }

    /// The statement for the number of rows with each combination of values.
    func groups(_ plan: RequestPlan, by columns: [Int]) -> [String] {
        [sqlite, standard].map {
            PlanSQL(plan, in: $0, isOrdered: false).aggregates(["count(*)"], groupedBy: columns)
                .text(in: $0.dialect)
        }
    }

    /// The engine's part of a plan and the lines of the core's, in the second dialect; nil where the engine runs all.
    func parts(_ plan: RequestPlan, parameters: Int = 1000) -> (sql: String, core: [String])? {
        let catalog = SQLCatalog(standard.tables, StandardDialect(maximumParameters: parameters))
        guard let partial = PartialPlan(plan, in: catalog) else { return nil }
        let sql = PlanSQL(partial.engine, in: catalog, isOrdered: true).rows
        return (sql.text(in: catalog.dialect), partial.lines)
    }

    /// A condition in the second dialect, if its texts are compared with words after them.
    func condition<Item: DataStoreItem>(
        _ predicate: RowPredicate, of type: Item.Type, collation: String
    ) throws -> String {
        let number = try #require(schema.number(of: type))
        let catalog = SQLCatalog(standard.tables, StandardDialect(collation: collation))
        return PredicateSQL(predicate, of: number, in: catalog).fragment.text(in: catalog.dialect)
    }

    /// The statement for the rows of a plan in the second dialect, if indexes have 7 characters of the second column.
    func shortened(_ request: DataStoreRequest<some DataStoreItem>) throws -> String {
        let tables = standard.tables.map { table in
            EntityTable(
                number: table.number, schema: table.schema, name: table.plainName, columns: table.columns,
                indexNames: [], shortened: ShortenedColumns([1], length: 7))
        }
        let catalog = SQLCatalog(tables, StandardDialect())
        return PlanSQL(try plan(request), in: catalog, isOrdered: true).rows.text(in: catalog.dialect)
    }

    /// True if the engine runs a whole plan, in both dialects.
    func writes(_ plan: RequestPlan) -> [Bool] { [sqlite, standard].map { $0.writes(plan) } }

    /// True if the engine and the core answer a plan about other items without further plans, in the second dialect.
    func runsWhole(_ plan: RequestPlan) -> Bool { standard.runsWhole(plan) }

    func rows(_ request: DataStoreRequest<some DataStoreItem>) throws -> [String?] { rows(try plan(request)) }

    func count(_ request: DataStoreRequest<some DataStoreItem>) throws -> [String] {
        count(try plan(request))
    }

    /// An item type whose name is unique.
    enum Kind: ItemVersion {
        static let schema = EntitySchema(
            "Kind", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            indexes: [.unique("name")])
    }

    /// An item type that refers to a kind.
    enum Piece: ItemVersion {
        static let schema = EntitySchema(
            "Piece",
            attributes: [.attribute("id", Int64.self), .attribute("kind", ToOne<Versioned<Kind>>?.self)])
    }
}
