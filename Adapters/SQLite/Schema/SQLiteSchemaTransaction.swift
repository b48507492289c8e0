import LarderVersions
import CSQLite
import LarderKernel
import LarderPattern
import LarderSQL
import LarderEngine

/// Brings the tables of a store to the app's schema; runs inside a write transaction.
final class SQLiteSchemaTransaction: SchemaTransaction {
    private let connection: SQLiteConnection

    init(connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes every change and stores the new schema.
    ///
    /// Entities that the app does not know stay unchanged.
    ///
    /// - Throws: The errors of ``SchemaMigration``.
    func run(_ migration: SchemaMigration) throws(DataStoreError) {
        if migration.isNeeded { try migration.run(in: self) }
        try StoreMetadata.setSchema(migration.target, on: connection)
    }

    func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError) {
        var foreign = try ForeignObjects(on: connection)
        for entity in evolution.removed { try foreign.drop(StoredTable(entity: entity).name) }
        for entity in evolution.entities {
            do {
                try apply(entity, of: schema.entities[entity.entity], &foreign)
            } catch {
                throw error.about(itemType: entity.new.name)
            }
        }
        try foreign.restore(after: evolution)
    }

    func withRows(
        of schema: StoreSchema, as entities: [StoredSchema.Entity],
        _ body: (any StorageWriting) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let rows = try SQLiteUpgradeRows(of: schema, as: entities, on: connection)
        defer { rows.finalize() }
        do throws(DataStoreError) {
            try body(rows)
            // A step may have caught the error with which SQLite has rolled everything back.
            try rows.requireTransaction()
        } catch {
            throw error.about(path: connection.path)
        }
    }

    private func apply(
        _ evolution: EntityEvolution, of entity: EntitySchema, _ foreign: inout ForeignObjects
    ) throws(DataStoreError) {
        let table = StoredTable(entity: evolution.new)
        guard let old = evolution.old else {
            try requireFree(table)
            try connection.execute(table.creation(as: table.name))
            return try add(evolution.new.indexes, to: table)
        }
        if evolution.isRenamed { try requireFree(table) }
        if evolution.changesRows {
            try rewrite(StoredTable(entity: old), as: table, columns: evolution.columns, &foreign)
            try add(evolution.new.indexes, to: table)
        } else if evolution.isRenamed {
            try rename(StoredTable(entity: old), to: table)
        } else {
            for index in evolution.droppedIndexes { try connection.execute(table.removal(of: index)) }
            try add(evolution.addedIndexes, to: table)
        }
        try requireUnique(evolution, of: entity)
    }

    /// Refuses to make a table if there is one already, perhaps another tool's.
    private func requireFree(_ table: StoredTable) throws(DataStoreError) {
        let names = try connection.texts(
            "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')")
        let name = CaseFolding.folded(table.name)
        guard let taken = names.first(where: { UTF8Text.areEqual(CaseFolding.folded($0), name) }) else {
            return
        }
        throw DataStoreError(
            .schemaMismatch, "The file has a table \"\(taken)\" already, which is not one of the store's.",
            advice: "Rename or drop the table with a SQLite tool, or store the item type under another name.",
            itemType: table.entity.name, path: connection.path
        ).leavingNoWay()
    }

    private func add(_ indexes: [StoredSchema.Index], to table: StoredTable) throws(DataStoreError) {
        for index in indexes {
            // One that the schema does not know holds nothing of its own, and may be on other columns.
            try connection.execute(table.removal(of: index))
            try connection.execute(table.creation(of: index))
        }
    }

    /// The names of indexes contain the table's name, so they are made again.
    private func rename(_ old: StoredTable, to new: StoredTable) throws(DataStoreError) {
        for index in old.entity.indexes { try connection.execute(old.removal(of: index)) }
        try rename(old.name, to: new.name)
        try add(new.entity.indexes, to: new)
    }

    /// Gives a table another name, and in the views and triggers of other tools too, if SQLite can read them
    /// all.
    private func rename(_ name: String, to newName: String) throws(DataStoreError) {
        let sql = "ALTER TABLE \(name.asSQLName) RENAME TO \(newName.asSQLName)"
        do throws(DataStoreError) {
            try connection.execute(sql)
        } catch {
            // One of a table that is not there, perhaps as it is being replaced, keeps SQLite from changing any.
            guard SQLiteFailure.isWrongStatement(error) else { throw error }
            try connection.executeKeepingReferences(sql)
        }
    }

    /// Writes all rows to a new table, which then takes the place of the old one.
    private func rewrite(
        _ old: StoredTable, as new: StoredTable, columns: [EntityEvolution.ColumnSource],
        _ foreign: inout ForeignObjects
    ) throws(DataStoreError) {
        if !UTF8Text.areEqual(old.name, new.name) { try rename(old.name, to: new.name) }
        let interim = "larder_new_" + new.name
        try connection.execute(new.creation(as: interim))
        try copyRows(of: old, named: new.name, to: interim, new, columns)
        try foreign.drop(new.name)
        // Views name the table that this becomes, which is not there at this moment.
        try connection.executeKeepingReferences(
            "ALTER TABLE \(interim.asSQLName) RENAME TO \(new.name.asSQLName)")
    }

    private func copyRows(
        of old: StoredTable, named name: String, to interim: String, _ new: StoredTable,
        _ sources: [EntityEvolution.ColumnSource]
    ) throws(DataStoreError) {
        let oldColumns = old.columns
        var values: [String] = []
        for (position, source) in sources.enumerated() {
            switch source {
            case .stored(let number): values.append(oldColumns[number])
            case .constant: values.append("?\(position + 1)")
            case .folded(let folded):
                connection.registerFunctions()
                values.append("\(FoldingFunction.name(of: folded.matching))(\(values[folded.source]))")
            }
        }
        let statement = try connection.prepare(
            """
            INSERT INTO \(interim.asSQLName) (\(new.columns.joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) FROM \(name.asSQLName)
            """)
        for (position, source) in sources.enumerated() {
            guard case .constant(let constant) = source else { continue }
            let storage = new.entity.attributes[position].type.storage
            statement.bind(constant, as: storage, at: position + 1)
        }
        do {
            try statement.run()
        } catch {
            guard SQLiteFailure.isBrokenConstraint(error) else { throw error }
            throw DataStoreError(
                .damaged, "The rows of \(old.entity.name) break the rules of their own table.",
                path: connection.path, underlying: error.underlying)
        }
    }

    private func requireUnique(_ evolution: EntityEvolution, of entity: EntitySchema) throws(DataStoreError) {
        let indexes = evolution.addedUniqueIndexes(in: entity)
        if indexes.isEmpty { return }
        let reading = SQLiteSession(reading: [evolution.new], on: connection)
        defer { reading.end() }
        for index in indexes {
            let clash = try UniqueClash.first(in: index, of: 0, entity, reading)
            if let clash { throw clash.violation.about(path: connection.path) }
        }
    }
}
