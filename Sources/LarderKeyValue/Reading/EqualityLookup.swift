import Larder

/// A request that names one value for each column of an index and wants the rows by identifier: what it takes to
/// run it again with other values, so that these most frequent of requests are planned once.
///
/// *Rule:* made from what the ``Planner`` has chosen, so that it never runs a request in another way.
final class EqualityLookup {
    let entity: EntityTable
    let index: IndexTable
    /// The columns of the conditions, in their order.
    private let columns: [Int]
    /// For each part of the index's keys, the number of the condition that names its value.
    private let conditions: [Int]

    /// - Returns: nil for a plan that is not of this kind, or was not run in this way.
    init?(_ plan: RequestPlan, _ access: AccessPlan, over entity: EntityTable) {
        guard case .index(let scan) = access.path, access.residual == .always(true), access.isOrdered,
            scan.index.form.isComplete, scan.span == nil, scan.fixedCount == scan.index.form.parts.count,
            plan.isByIdentifier, let columns = plan.predicate.equalColumns
        else { return nil }
        let parts = scan.index.form.parts.map(\.column)
        // With as many conditions as parts, each part has its own.
        guard columns.count == parts.count, Set(columns) == Set(parts) else { return nil }
        self.entity = entity
        index = scan.index
        self.columns = columns
        conditions = parts.compactMap { part in columns.firstIndex(of: part) }
    }

    /// Whether a plan differs from that it was made of in nothing but values, window and columns that are wanted.
    func serves(_ plan: RequestPlan, over entity: EntityTable) -> Bool {
        guard entity === self.entity, plan.isByIdentifier else { return false }
        switch plan.predicate {
        case .column(let column, .compare(.equal, _)): return columns.count == 1 && columns[0] == column
        case .all(let parts):
            guard parts.count == columns.count else { return false }
            for (part, column) in zip(parts, columns) {
                guard case .column(column, .compare(.equal, _)) = part else { return false }
            }
            return true
        case .always, .column, .any: return false
        }
    }

    /// Writes what the keys of all entries begin with that have these values; false when a value is cut in them,
    /// so that the rows would have to be looked at.
    func writeBeginning(of predicate: RowPredicate, to key: ByteBuffer) -> Bool {
        key.truncate()
        if case .all(let parts) = predicate {
            for (part, condition) in zip(index.form.parts, conditions) {
                guard case .column(_, .compare(_, let value)) = parts[condition], part.append(value, to: key)
                else { return false }
            }
            return true
        }
        guard case .column(_, .compare(_, let value)) = predicate else { return false }
        return index.form.parts[0].append(value, to: key)
    }
}

extension KeyPart {
    /// Appends a value; false when it is cut.
    fileprivate func append(_ value: Constant, to key: ByteBuffer) -> Bool {
        value.withCell { append($0, to: key) } == .whole
    }
}

extension RequestPlan {
    /// Whether the rows are wanted by identifier, upwards.
    fileprivate var isByIdentifier: Bool {
        order.count == 1 && order[0].column == 0 && order[0].isAscending
    }
}

extension RowPredicate {
    /// The columns that must be equal to a value, in the order of the conditions; nil when it says anything else.
    fileprivate var equalColumns: [Int]? {
        switch self {
        case .column(let column, .compare(.equal, _)): return [column]
        case .all(let parts):
            var columns: [Int] = []
            for part in parts {
                guard case .column(let column, .compare(.equal, _)) = part else { return nil }
                columns.append(column)
            }
            return columns
        case .always, .column, .any: return nil
        }
    }
}
