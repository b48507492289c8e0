import CSQLite
import LarderKernel
import LarderSQL
import LarderValues

/// Groups of rows as a SELECT, for which SQLite gives the same bits as the core and is faster.
///
///     SELECT larder_sum("price"), count(*) FROM "Sale" WHERE "isPaid" = ?
///     SELECT "city", count(*) FROM "Sale" GROUP BY "city"
///
/// Groups only by an index that has all the columns: for others, SQLite would sort all rows, or look each up by the
/// index, while the core collects groups in memory while it reads.
struct AggregateSQL {
    /// The columns of the result.
    let values: [String]
    /// The columns by which rows are grouped.
    let keys: [Int]
    fileprivate let readings: [Reading]

    /// The way to read a key or an aggregate.
    fileprivate enum Reading {
        case value(AttributeType.Storage)
        case number
        case integerSum
        case integerAverage
        case realBits
        case decimal

        /// The columns of the result that it takes.
        var width: Int32 {
            if case .integerAverage = self { 2 } else { 1 }
        }
    }

    /// - Returns: Nil for a plan that the core runs faster, or SQLite with another result.
    init?(_ plan: AggregatePlan, in tables: [EntityTable]) {
        let table = tables[plan.rows.entity]
        guard !plan.hasWindow, Self.hasIndex(for: plan) else { return nil }
        var values: [String] = []
        var readings: [Reading] = []
        keys = plan.keys
        for key in plan.keys {
            values.append(table.columns[key])
            readings.append(.value(table.storages[key]))
        }
        for term in plan.terms {
            let name = table.columns[term.column]
            let storage = table.storages[term.column]
            switch (term.function, storage) {
            case (.count, _):
                values.append("count(*)")
                readings.append(.number)
            case (.countValues, _):
                values.append("count(\(name))")
                readings.append(.number)
            case (.countDistinct, _):
                guard table.indexedColumns.contains(term.column) else { return nil }
                values.append("count(DISTINCT \(name))")
                readings.append(.number)
            case (.minimum, .decimal), (.maximum, .decimal), (.minimum, .json), (.maximum, .json): return nil
            // SQL may have left values of other types, which the core refuses.
            case (.minimum, .unsigned), (.maximum, .unsigned): return nil
            case (.minimum, _), (.maximum, _):
                values.append("\(term.function == .minimum ? "min" : "max")(\(name))")
                readings.append(.value(storage))
            case (.sum, .integer):
                values.append("sum(\(name))")
                readings.append(.integerSum)
            case (.average, .integer):
                values += ["sum(\(name))", "count(\(name))"]
                readings.append(.integerAverage)
            case (.sum, .real):
                values.append("\(SumFunction.realSum.name)(\(name))")
                readings.append(.realBits)
            case (.average, .real):
                values.append("\(SumFunction.realAverage.name)(\(name))")
                readings.append(.realBits)
            case (.sum, .decimal):
                values.append("\(SumFunction.decimalSum.name)(\(name))")
                readings.append(.decimal)
            case (.average(let places), .decimal):
                values.append("\(SumFunction.decimalAverage.name)(\(name), \(places))")
                readings.append(.decimal)
            // SQLite stores the largest as bytes, which it does not add.
            case (.sum, _), (.average, _): return nil
            }
        }
        self.values = values
        self.readings = readings
    }

    /// True if there are no groups, or an index has them and everything else that is needed.
    private static func hasIndex(for plan: AggregatePlan) -> Bool {
        if plan.keys.isEmpty { return !plan.terms.isEmpty }
        let needed = plan.terms.filter { $0.function != .count }.map(\.column)
        return plan.rows.predicate == .always(true)
            && plan.rows.schema.indexes.contains { index in
                Set(index.columns.prefix(plan.keys.count)) == Set(plan.keys)
                    && needed.allSatisfy { index.columns.contains($0) }
            }
    }

    /// True if a value is computed by one of our functions.
    var callsFunctions: Bool { values.contains { $0.hasPrefix(SQLFunctions.prefix) } }

    /// Groups of the plan, none so far.
    var noGroups: GroupRows { GroupRows(width: readings.count, areInOrder: !keys.isEmpty) }

    /// Adds the group that a statement is at; false if only the core can compute the result.
    func add(groupOf statement: SQLiteStatement, to groups: inout GroupRows) -> Bool {
        var column: Int32 = 0
        for reading in readings {
            guard let value = reading.constant(in: statement.handle, at: column) else { return false }
            groups.append(value)
            column += reading.width
        }
        return true
    }
}

extension AggregateSQL.Reading {
    fileprivate func constant(in handle: OpaquePointer, at column: Int32) -> Constant? {
        let type = sqlite3_column_type(handle, column)
        switch self {
        case .number: return .integer(sqlite3_column_int64(handle, column))
        case .integerSum: return .integer(type == SQLITE_NULL ? 0 : sqlite3_column_int64(handle, column))
        case .integerAverage:
            if type == SQLITE_NULL { return .null }
            var sum = IntegerSum()
            sum.add(sqlite3_column_int64(handle, column))
            return .real(sum.quotient(by: UInt64(sqlite3_column_int64(handle, column + 1))))
        case .realBits:
            if type == SQLITE_NULL { return .null }
            return .real(Double(bitPattern: UInt64(bitPattern: sqlite3_column_int64(handle, column))))
        case .decimal:
            if type == SQLITE_NULL { return .null }
            return type == SQLITE_TEXT
                ? Constant(SQLiteStatement.cell(in: handle, at: column, as: .decimal), storage: .decimal)
                : nil
        case .value(let storage):
            return Constant(
                SQLiteStatement.cell(in: handle, at: column, as: storage), storage: storage)
        }
    }
}
