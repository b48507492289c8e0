#if PostgreSQL
    import LarderKernel

    /// Compares the tables on the server with the schema that the store keeps.
    ///
    /// Whatever else is in the schema of the database belongs to other tools and is left alone.
    struct TableAgreement {
        let schema: StoredSchema
        let metadata: StoreMetadata

        /// - Throws: `.damaged` with the first difference.
        func require() throws(DataStoreError) {
            guard let problem = try problems().first else { return }
            throw DataStoreError(.damaged, problem, path: metadata.connection.path)
        }

        /// The differences, one sentence for each table.
        func problems() throws(DataStoreError) -> [String] {
            let tables = try columnsOfTables()
            return schema.entities.compactMap { entity in
                let name = StoreNames.table(of: entity)
                let expected = Set(TableLayout(entity).columns)
                guard let found = tables[UTF8Key(name)] else {
                    return "The table \"\(name)\" of \(entity.name) is missing."
                }
                if found == expected { return nil }
                return "The table \"\(name)\" has not the columns of \(entity.name): "
                    + Self.difference(of: found, from: expected)
            }
        }

        private static func difference(
            of found: Set<TableLayout.Column>, from expected: Set<TableLayout.Column>
        ) -> String {
            guard let column = expected.subtracting(found).first else {
                return "\"\(found.subtracting(expected).first?.name.text ?? "")\" is one too many."
            }
            let name = "\"\(column.name.text)\""
            guard let other = found.first(where: { $0.name == column.name }) else {
                return "\(name) is missing."
            }
            if other.type != column.type { return "\(name) is \(other.type), not \(column.type)." }
            return "\(name) must \(column.isRequired ? "be NOT NULL" : "allow NULL")."
        }

        private func columnsOfTables() throws(DataStoreError) -> [UTF8Key: Set<TableLayout.Column>] {
            let parameters = ParameterList()
            parameters.append(name: metadata.place.schema)
            parameters.append(names: schema.entities.map { StoreNames.table(of: $0) })
            // By name, as the database may have thousands of other tables. The collation is compared as a number: a pooler gives
            // the query any search_path, and an operator for the type of its name may be another user's.
            let answer = try metadata.connection.perform(
                metadata.connection.passing(
                    """
                    SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) || CASE \
                    WHEN a.attcollation = 'pg_catalog."C"'::regcollation::oid \
                    THEN '\(TableLayout.Column.collation)' \
                    ELSE '' END, a.attnotnull FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                    JOIN pg_attribute AS a ON a.attrelid = c.oid \
                    WHERE n.nspname = $1 AND c.relname = ANY ($2::name[]) AND c.relkind = 'r' \
                    AND a.attnum > 0 AND NOT a.attisdropped
                    """, parameters))
            var tables: [UTF8Key: Set<TableLayout.Column>] = [:]
            for row in 0..<answer.rowCount {
                tables[UTF8Key(answer.text(row, 0)), default: []].insert(
                    TableLayout.Column(
                        name: UTF8Key(answer.text(row, 1)), type: answer.text(row, 2),
                        isRequired: answer.bool(row, 3)))
            }
            return tables
        }
    }
#endif
