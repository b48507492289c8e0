#if PostgreSQL
    import LarderKernel
    import LarderSQL

    extension InsertCondition {
        /// The condition as SQL, in which each column of the new row is the parameter of its number, from $1.
        func sql(toInsertInto entity: Int, in catalog: SQLCatalog) -> String {
            let table = catalog[entity]
            let free = unshared.map { columns in
                // The words for a test depend on the column alone.
                let tests = columns.map { RowPredicate.compare(column: $0, .equal, .integer(0)) }
                let test = PredicateSQL(.all(tests), of: entity, in: catalog).fragment.text { parameter in
                    guard case .test(let number, _) = parameter else { return "NULL" }
                    return "$\(columns[number] + 1)"
                }
                return "NOT EXISTS (SELECT FROM \(table.name) WHERE \(test))"
            }
            let stored = references.map { column, target in
                let (target, value) = (catalog[target], "$\(column + 1)")
                let rows = "SELECT FROM \(target.name) WHERE \(target.columns[0]) = \(value)"
                // A row may refer to itself.
                let isOwn = target.name == table.name ? "\(value) = $1 OR " : ""
                return "(\(value) IS NULL OR \(isOwn)EXISTS (\(rows)))"
            }
            return (free + stored).joined(separator: " AND ")
        }
    }
#endif
