import LarderKernel

/// The values by which a row is found: that of a unique column, or those of a unique index of several columns.
struct UniqueKey: Hashable {
    let first: Constant
    /// Empty for most, so that a key costs no allocation.
    let others: [Constant]

    /// - Returns: Nil where one of the values is nil, as such a row is never found.
    init?(_ cells: UnsafePointer<Cell>, at columns: [Int], of schema: EntitySchema) {
        func constant(_ column: Int) -> Constant {
            Constant(cells[column], storage: schema.storage(ofColumn: column))
        }
        if columns.contains(where: { cells[$0].isNull }) { return nil }
        first = constant(columns[0])
        others = columns.count == 1 ? [] : columns.dropFirst().map(constant)
    }

    /// - Parameter values: One for each column, and at least one.
    init?(_ values: [Constant]) {
        guard let first = values.first, !values.contains(where: \.isNull) else { return nil }
        self.first = first
        others = Array(values.dropFirst())
    }

    /// One for each column.
    var values: [Constant] { [first] + others }
}

extension [UniqueKey] {
    /// Plans that find the rows with these keys.
    ///
    /// - Parameter columns: Those of a unique index, in its order.
    func plans(at columns: [Int], of entity: Int, _ schema: EntitySchema) -> [RequestPlan] {
        let last = columns.count - 1
        // Few rows differ in more than the last column, as those of one owner do not.
        var order: [[Constant]] = []
        var groups: [[Constant]: [Constant]] = [:]
        if last == 0 {
            (order, groups) = ([[]], [[]: map(\.first)])
        } else {
            for key in self {
                let start = [key.first] + key.others.dropLast()
                if groups[start] == nil { order.append(start) }
                groups[start, default: []].append(key.others[last - 1])
            }
        }
        let storage = schema.storage(ofColumn: columns[last])
        return order.flatMap { start in
            (groups[start] ?? []).sortedAndDistinct(storage).plannedParts.map { part in
                let equal = zip(columns, start).map { RowPredicate.compare(column: $0, .equal, $1) }
                let end = RowPredicate.oneOf(part, inColumn: columns[last])
                return RequestPlan(
                    entity: entity, schema: schema, predicate: equal.isEmpty ? end : .all(equal + [end]))
            }
        }
    }
}

extension EntitySchema {
    /// The columns of a unique index, in its order.
    ///
    /// - Throws: `.invalidRequest` for columns that are not unique, by themselves or together.
    func uniqueColumns(_ columns: [Int], for call: StaticString) throws(DataStoreError) -> [Int] {
        if columns == [0] { return columns }
        let index = indexes.first {
            $0.isUnique && $0.columns.count == columns.count && Set($0.columns) == Set(columns)
        }
        if let index { return index.columns }
        let names = columns.map { attributes[$0].name }
        throw DataStoreError(
            .invalidRequest,
            columns.count == 1
                ? "\(call) needs a unique attribute." : "\(call) needs attributes that are unique together.",
            advice: columns.count == 1
                ? "Mark it @Unique."
                : "Write @StoredItem(uniques: [[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]]).",
            itemType: name, attribute: names.joined(separator: ", "))
    }
}
