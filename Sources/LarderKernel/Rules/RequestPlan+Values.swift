extension RequestPlan {
    /// A plan that finds the rows with a value in each column of a unique index.
    init(
        finding key: UniqueKey, at columns: [Int], of entity: Int, _ schema: EntitySchema, reading: Columns
    ) {
        let predicate =
            columns.count == 1
            ? RowPredicate.compare(column: columns[0], .equal, key.first)
            : .all(zip(columns, key.values).map { .compare(column: $0, .equal, $1) })
        self.init(entity: entity, schema: schema, columns: reading, predicate: predicate)
        (isLookUp, maximumCount) = (true, 1)
    }

    /// Plans that find the rows with some values in the columns of a unique index, up to a thousand by each.
    ///
    /// Few rows differ in more than the last column, such as the rows of one owner, so the values are grouped
    /// by the others. A plan asks for some groups at a time, each of which is one place in the index.
    ///
    /// - Parameter columns: The columns of the index, in its order.
    package static func plans(
        finding keys: [UniqueKey], at columns: [Int], of entity: Int, _ schema: EntitySchema,
        reading: Columns = .all
    ) -> [RequestPlan] {
        if keys.count == 1 {
            return [RequestPlan(finding: keys[0], at: columns, of: entity, schema, reading: reading)]
        }
        let last = columns.count - 1
        let storage = schema.storage(ofColumn: columns[last])
        var order: [[Constant]] = []
        var groups: [[Constant]: [Constant]] = [:]
        if last == 0 { (order, groups) = ([[]], [[]: keys.map(\.first)]) }
        for key in keys where last > 0 {
            let start = [key.first] + key.others.dropLast()
            let end = key.others.last ?? key.first
            if groups[start]?.append(end) == nil {
                groups[start] = [end]
                order.append(start)
            }
        }
        // Groups of one length together, as plans of one shape are prepared once.
        order.sort { (groups[$0]?.count ?? 0) < (groups[$1]?.count ?? 0) }
        var plans: [RequestPlan] = []
        var branches: [RowPredicate] = []
        var count = 0
        func hand() {
            guard let first = branches.first else { return }
            let predicate = branches.count == 1 ? first : .any(branches)
            var plan = RequestPlan(entity: entity, schema: schema, columns: reading, predicate: predicate)
            (plan.isLookUp, plan.maximumCount) = (true, count)
            plans.append(plan)
            branches.removeAll()
            count = 0
        }
        for start in order {
            let equal = zip(columns, start).map { RowPredicate.compare(column: $0, .equal, $1) }
            for part in (groups[start] ?? []).sortedAndDistinct(storage).plannedParts {
                if branches.count == maximumGroups || count + part.count > WriteBlock.batchSize { hand() }
                let end = RowPredicate.oneOf(part, inColumn: columns[last])
                branches.append(equal.isEmpty ? end : .all(equal + [end]))
                count += part.count
            }
        }
        hand()
        return plans
    }

    /// The alternatives for which all engines use an index one by one.
    private static var maximumGroups: Int { 32 }
}
