import LarderKernel
import LarderPattern
import LarderSQL
import LarderEngine

/// The indexes and triggers that other tools have made on the store's tables, while these change.
///
/// SQLite drops them with a table whose rows are written again, so they are made again by the same statements. A
/// trigger that no longer fits would let each later write of the app fail, so it is refused. Views and other
/// tables do not change: the store does not depend on them.
///
/// *Rule:* used in one transaction, which is rolled back when it throws.
struct ForeignObjects {
    private let connection: SQLiteConnection
    /// The objects that were dropped with their tables.
    private var dropped: [Object] = []
    /// The tables that no statement of ours could write to before, by their names.
    private let unwritable: Set<UTF8Key>

    private struct Object {
        /// `index` or `trigger`.
        let kind: String
        let name: String
        let table: String
        let sql: String
    }

    init(on connection: SQLiteConnection) throws(DataStoreError) {
        self.connection = connection
        var unwritable: Set<UTF8Key> = []
        for table in try Self.tablesWithTriggers(on: connection) {
            if try Self.writingError(of: table, on: connection) != nil { unwritable.insert(Self.key(table)) }
        }
        self.unwritable = unwritable
    }

    /// Drops a table, and remembers what other tools have made on it.
    mutating func drop(_ table: String) throws(DataStoreError) {
        dropped += try objects(on: table)
        try connection.execute("DROP TABLE \(table.asSQLName)")
    }

    /// Makes everything again whose table is there, and checks that the store's tables can be written to.
    ///
    /// - Parameter evolution: The changes that were made.
    /// - Throws: `.schemaMismatch` with the first index or trigger that does not fit its table.
    func restore(after evolution: SchemaEvolution) throws(DataStoreError) {
        let tables = try Set(
            connection.texts("SELECT name FROM main.sqlite_schema WHERE type = 'table'").map(Self.key))
        // The objects of a type that was deleted are dropped with it.
        for object in dropped where tables.contains(Self.key(object.table)) { try make(object, evolution) }
        let withTriggers = Set(try Self.tablesWithTriggers(on: connection).map(Self.key))
        if withTriggers.isEmpty { return }
        for entity in evolution.target.entities {
            let table = StoredTable(entity: entity).name
            let old = evolution.entities.first { $0.new.number == entity.number }?.old
            let names = [table] + (old.map { [StoredTable(entity: $0).name] } ?? [])
            guard withTriggers.contains(Self.key(table)), unwritable.isDisjoint(with: names.map(Self.key)),
                try Self.writingError(of: table, on: connection) != nil
            else { continue }
            try refuse(triggersOf: table, evolution)
        }
    }

    /// Throws the error for the trigger with which a table can no longer be written to.
    private func refuse(triggersOf table: String, _ evolution: SchemaEvolution) throws(DataStoreError) {
        let triggers = try objects(on: table).filter { $0.kind == "trigger" }
        for trigger in triggers { try connection.execute("DROP TRIGGER \(trigger.name.asSQLName)") }
        for trigger in triggers {
            try make(trigger, evolution)
            if let error = try Self.writingError(of: table, on: connection) {
                throw misfit(trigger, error, evolution)
            }
        }
    }

    private func make(_ object: Object, _ evolution: SchemaEvolution) throws(DataStoreError) {
        do {
            try connection.execute(object.sql)
        } catch {
            throw error.code == .engine ? misfit(object, error, evolution) : error
        }
    }

    private func misfit(
        _ object: Object, _ error: DataStoreError, _ evolution: SchemaEvolution
    ) -> DataStoreError {
        let entity = evolution.target.entities.first {
            Self.key(StoredTable(entity: $0).name) == Self.key(object.table)
        }
        return DataStoreError(
            .schemaMismatch,
            """
            The \(object.kind) "\(object.name)", which another tool has made, does not fit the new table \
            "\(object.table)": \(error.underlying?.message ?? error.message).
            """,
            advice: """
                Drop it with a SQLite tool, open the store, and make it again for the new columns; nothing was changed.
                """, itemType: entity?.name, path: connection.path, underlying: error.underlying)
    }

    /// The indexes and triggers on a table that are not the store's, in the order in which they were made.
    private func objects(on table: String) throws(DataStoreError) -> [Object] {
        let statement = try connection.prepare(
            """
            SELECT type, name, sql, tbl_name FROM main.sqlite_schema \
            WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid
            """)
        var objects: [Object] = []
        while try statement.step() {
            let name = statement.text(at: 1)
            // A trigger keeps the name of its table as it was written.
            guard Self.key(statement.text(at: 3)) == Self.key(table), !StoredTable.isName(ofIndex: name)
            else {
                continue
            }
            objects.append(
                Object(kind: statement.text(at: 0), name: name, table: table, sql: statement.text(at: 2)))
        }
        return objects
    }

    private static func tablesWithTriggers(
        on connection: SQLiteConnection
    ) throws(DataStoreError) -> [String] {
        try connection.texts(
            """
            SELECT name FROM main.sqlite_schema AS t WHERE type = 'table' AND EXISTS \
            (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = t.name COLLATE NOCASE)
            """)
    }

    /// The error with which SQLite refuses to change rows of a table; nil if it does not.
    ///
    /// It reads the triggers of a table when a statement is prepared.
    private static func writingError(
        of table: String, on connection: SQLiteConnection
    ) throws(DataStoreError) -> DataStoreError? {
        let name = table.asSQLName
        let columns = try connection.texts("PRAGMA main.table_info(\(name))", at: 1).map(\.asSQLName)
        var statements = [
            "INSERT INTO \(name) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
            "DELETE FROM \(name)",
        ]
        if columns.count > 1 {
            let assignments = columns.dropFirst().map { $0 + " = ?" }.joined(separator: ", ")
            statements.append("UPDATE \(name) SET \(assignments)")
        }
        for statement in statements {
            do throws(DataStoreError) {
                _ = try connection.prepare(statement)
            } catch {
                guard error.code == .engine else { throw error }
                return error
            }
        }
        return nil
    }

    private static func key(_ name: String) -> UTF8Key { UTF8Key(CaseFolding.folded(name)) }
}
