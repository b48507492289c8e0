import LarderKernel
import LarderSQL

/// Compares the tables in the file with the schema the store keeps: names, columns, keys and indexes.
///
/// Whatever else is in the file (other tables, indexes, triggers) belongs to other tools and is left alone.
struct TableAgreement {
    let schema: StoredSchema
    let connection: SQLiteConnection

    private struct Column: Equatable {
        let name: String
        let type: String
        let isRequired: Bool
        /// 1 for the column that is the primary key, else 0.
        let key: Int
    }

    /// The schema that a store keeps, which its tables match.
    ///
    /// Both are of one snapshot, as another process may change them meanwhile.
    ///
    /// - Throws: As ``StoreMetadata/schema(on:)`` and ``require()``.
    static func schema(on connection: SQLiteConnection) throws(DataStoreError) -> StoredSchema {
        try connection.inTransaction("BEGIN") { () throws(DataStoreError) in
            let stored = try StoreMetadata.schema(on: connection)
            try TableAgreement(schema: stored, connection: connection).require()
            return stored
        }
    }

    /// Refuses a store whose tables do not match its schema.
    ///
    /// *Cost:* reads the statements that made the tables; only if one is another, asks SQLite for every
    /// column.
    ///
    /// - Throws: `.damaged` with the first difference.
    func require() throws(DataStoreError) {
        if try areAsCreated() { return }
        if let problem = try tableProblems().first {
            throw DataStoreError(.damaged, problem, path: connection.path)
        }
    }

    /// True if every table was made by the statement that the schema asks for, to the last byte.
    // The columns of all tables cost as much as everything else that opening does.
    private func areAsCreated() throws(DataStoreError) -> Bool {
        let statement = try connection.prepare(
            "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table'")
        var creations: [UTF8Key: UTF8Key] = [:]
        while try statement.step() {
            creations[UTF8Key(statement.text(at: 0))] = UTF8Key(statement.text(at: 1))
        }
        return schema.entities.allSatisfy { entity in
            let table = StoredTable(entity: entity)
            return creations[UTF8Key(table.name)] == UTF8Key(table.creation(as: table.name))
        }
    }

    /// The differences, one sentence each.
    func problems() throws(DataStoreError) -> [String] {
        try tableProblems() + indexProblems()
    }

    private func tableProblems() throws(DataStoreError) -> [String] {
        let tables = try columnsOfTables()
        return schema.entities.compactMap { entity in
            let table = StoredTable(entity: entity)
            guard let found = tables[UTF8Key(table.name)] else {
                return "The table \"\(table.name)\" of \(entity.name) is missing."
            }
            let expected = entity.attributes.enumerated().map { position, attribute in
                Column(
                    name: attribute.storageName, type: attribute.type.sqlType,
                    isRequired: !attribute.isOptional, key: position == 0 ? 1 : 0)
            }
            if found == expected { return nil }
            let wrong = zip(expected, found).first { $0 != $1 }?.0 ?? expected.last
            return "The table \"\(table.name)\" has not the columns of \(entity.name): "
                + "\"\(wrong?.name ?? "")\" is missing or another, or there are more."
        }
    }

    private func columnsOfTables() throws(DataStoreError) -> [UTF8Key: [Column]] {
        let statement = try connection.prepare(
            """
            SELECT m.name, c.name, c.type, c."notnull", c.pk FROM main.sqlite_schema AS m, \
            pragma_table_info(m.name, 'main') AS c WHERE m.type = 'table' ORDER BY m.rowid, c.cid
            """)
        var tables: [UTF8Key: [Column]] = [:]
        while try statement.step() {
            tables[UTF8Key(statement.text(at: 0)), default: []].append(
                Column(
                    name: statement.text(at: 1), type: statement.text(at: 2),
                    isRequired: statement.integer(at: 3) != 0, key: Int(statement.integer(at: 4))))
        }
        return tables
    }

    private func indexProblems() throws(DataStoreError) -> [String] {
        let statement = try connection.prepare(
            """
            SELECT i.name, c.name, i.partial FROM main.sqlite_schema AS m, \
            pragma_index_list(m.name, 'main') AS i, pragma_index_info(i.name, 'main') AS c \
            WHERE m.type = 'table' ORDER BY i.name, c.seqno
            """)
        var indexes: [UTF8Key: [UTF8Key]] = [:]
        while try statement.step() {
            if statement.integer(at: 2) != 0 { continue }
            indexes[UTF8Key(statement.text(at: 0)), default: []].append(UTF8Key(statement.text(at: 1)))
        }
        return schema.entities.flatMap { entity -> [String] in
            let table = StoredTable(entity: entity)
            let missing = entity.indexes.filter { index in
                indexes[UTF8Key(table.name(of: index))] != table.storageNames(of: index).map { UTF8Key($0) }
            }
            return missing.map { index in
                let names = index.attributes.joined(separator: ", ")
                return "The index of \(entity.name) on \(names) is missing, or is on other columns."
            }
        }
    }
}
