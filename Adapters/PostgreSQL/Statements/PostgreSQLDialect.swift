#if PostgreSQL
    import LarderKernel
    import LarderPattern
    import LarderSQL

    /// The SQL of PostgreSQL, whose server knows none of the core's functions.
    struct PostgreSQLDialect: SQLDialect {
        /// The protocol counts parameters with 16 bits.
        let maximumParameters = 30_000

        /// The server's stack has room for far more; a deeper condition is slow to plan.
        let maximumDepth = 200

        func parameter(_ number: Int) -> String { "$\(number)" }

        func placeInAppText(_ number: Int) -> String { parameter(number) }

        func condition(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

        let isSame = "IS NOT DISTINCT FROM"
        let isDifferent = "IS DISTINCT FROM"

        func operand(_ column: String, _ storage: AttributeType.Storage) -> String? { column }

        /// A list is one value, whatever its length, so that there is one statement for all lengths.
        ///
        /// The server compares with the elements of an array one after the other, but looks for a value among rows by its
        /// hash.
        func membership(
            amongCount count: Int, isNegated: Bool, isBehindIndex: Bool, list: SQLParameter,
            length: SQLParameter
        ) -> SQLFragment? {
            let isHashed = isBehindIndex && !isNegated
            var sql = SQLFragment(isHashed ? " IN (SELECT unnest(" : isNegated ? " <> ALL(" : " = ANY(")
            sql.append(list)
            sql.append(isHashed ? "))" : ")")
            return sql
        }

        let longList = 0

        func beginning(of operand: SQLFragment, length: Int) -> SQLFragment {
            var sql = SQLFragment("left(")
            sql.append(operand)
            sql.append(", \(length))")
            return sql
        }

        func membership(amongBeginningsOf list: SQLParameter, length: Int) -> SQLFragment {
            var sql = SQLFragment(" = ANY(ARRAY(SELECT left(larder_v, \(length)) FROM unnest(")
            sql.append(list)
            sql.append(") AS larder_v))")
            return sql
        }

        // Folding and searching are the core's: the server's depend on its locale and version.
        func textTest(_ test: TextTest, of column: String, needle: SQLParameter) -> SQLFragment? { nil }

        func folded(_ operand: String, _ matching: TextMatching) -> String? { nil }

        func patternTest(of column: String, pattern: SQLParameter) -> SQLFragment? { nil }

        var coreFilter: (any SQLCoreFilter)? { nil }

        func term(_ operand: String, isAscending: Bool, mayBeNil: Bool) -> String {
            switch (isAscending, mayBeNil) {
            case (true, true): operand + " NULLS FIRST"
            case (true, false): operand
            case (false, true): operand + " DESC NULLS LAST"
            case (false, false): operand + " DESC"
            }
        }

        func unindexed(_ column: String) -> String? { nil }

        let offsetWithoutLimit = " OFFSET "

        func nameOfDerivedTable(_ name: String) -> String { " AS \(name)" }

        let leadingJoin = "JOIN"
    }
#endif
