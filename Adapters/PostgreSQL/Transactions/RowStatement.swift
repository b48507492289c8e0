#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The shape of a statement that changes rows.
    struct RowStatement: Hashable {
        let entity: Int
        let kind: RowMutation.Kind
        let columns: ColumnSet
        let form: Form

        enum Form {
            /// For one row: the server takes less time for values than for lists of one.
            case one
            /// For a row that is inserted on a condition.
            case conditional
            /// For the values of many rows, a list for each column.
            case list
            /// The same for an insert that passes over identifiers which are taken.
            ///
            /// *Cost:* two thirds more than the other lists, as the server inserts each row on trial.
            case checkedList
        }

        init(_ mutation: RowMutation, _ form: Form) {
            (entity, kind, columns, self.form) = (mutation.entity, mutation.kind, mutation.columns, form)
        }

        /// The statement for some columns, the identifier first.
        ///
        /// - Parameter condition: The condition of an insert as SQL.
        func sql(_ columns: [Int], _ table: EntityTable, if condition: String? = nil) -> String {
            switch kind {
            case .insert: insertion(table, if: condition)
            case .update: update(columns, table)
            case .delete, .deleteAll: deletion(table)
            }
        }

        /// The insert of one row passes over an identifier that is taken: an error would end the whole transaction.
        private func insertion(_ table: EntityTable, if condition: String?) -> String {
            let (key, count) = (table.columns[0], table.columns.count)
            let isOne = form == .one || form == .conditional
            let row = TableLayout.row(isOne ? parameters(count) : names(count), at: table.columns)
            let source =
                switch form {
                case .one: "VALUES (\(row.values))"
                case .conditional: "SELECT \(row.values) WHERE \(condition ?? "FALSE")"
                case .list, .checkedList: "SELECT \(row.values) FROM \(lists(count))"
                }
            let insertion = "INSERT INTO \(table.name) (\(row.columns)) \(source)"
            let checked = "\(insertion) ON CONFLICT (\(key)) DO NOTHING"
            return switch form {
            case .one, .conditional: checked
            case .list: insertion
            case .checkedList: "\(checked) RETURNING \(key)"
            }
        }

        private func update(_ columns: [Int], _ table: EntityTable) -> String {
            let names = names(columns.count).map { "larder_x.\($0)" }
            let values = form == .one ? parameters(columns.count) : names
            let assignments = columns.indices.dropFirst().map {
                "\(table.columns[columns[$0]]) = \(values[$0])"
            }
            return """
                UPDATE \(table.name) AS larder_t SET \(assignments.joined(separator: ", ")) \
                \(form == .one ? "" : "FROM \(lists(columns.count)) ")WHERE larder_t.\(table.columns[0]) = \(values[0])
                """
        }

        private func deletion(_ table: EntityTable) -> String {
            let key = table.columns[0]
            return "DELETE FROM \(table.name) WHERE \(key) = "
                + (form == .one ? "$1" : "ANY($1) RETURNING \(key)")
        }

        private func parameters(_ count: Int) -> [String] { (1...count).map { "$\($0)" } }

        /// The names of the values of the lists.
        private func names(_ count: Int) -> [String] { (0..<count).map { "larder_\($0)" } }

        private func lists(_ count: Int) -> String {
            "unnest(\(parameters(count).joined(separator: ", "))) AS larder_x(\(names(count).joined(separator: ", ")))"
        }
    }
#endif
