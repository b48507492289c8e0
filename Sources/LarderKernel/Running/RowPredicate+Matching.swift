extension RowPredicate {
    /// True if a row passes: the reference that every engine's own filtering must agree with.
    ///
    /// *Rule:* for a predicate without ``related(_:)`` and without an expression that reads other items.
    ///
    /// - Parameter cells: One cell for each attribute; only those in ``columns`` are read.
    public func matches(_ cells: UnsafePointer<Cell>, of entity: EntitySchema) -> Bool {
        switch self {
        case .always(let value): value
        case .column(let column, let test): test.matches(cells[column], entity.storage(ofColumn: column))
        case .all(let parts): parts.allSatisfy { $0.matches(cells, of: entity) }
        case .any(let parts): parts.contains { $0.matches(cells, of: entity) }
        case .expression(let test): test.matches(cells)
        // A row alone does not decide; see RelatedLowering.
        case .related: false
        }
    }

    /// The columns that the predicate reads; of a test of other items the one that leads to them.
    public var columns: Set<Int> {
        switch self {
        case .always: []
        case .column(let column, _): [column]
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.columns) }
        case .related(let test): [test.relationship.ownColumn]
        case .expression(let test): test.columns
        }
    }
}

extension ColumnTest {
    /// True if a value passes.
    func matches(_ cell: Cell, _ storage: AttributeType.Storage) -> Bool {
        switch self {
        case .isNull: cell.isNull
        case .isNotNull: !cell.isNull
        case .compare(let comparison, let constant):
            Self.compare(cell, comparison, constant, storage: storage)
        case .isIn(let values, let negated): Self.isIn(cell, values, storage: storage) != negated
        case .text(let test, let negated): (!cell.isNull && test.matches(cell.bytes)) != negated
        case .pattern(let test, let negated): (!cell.isNull && test.matches(cell.bytes)) != negated
        }
    }

    private static func compare(
        _ cell: Cell, _ comparison: Comparison, _ constant: Constant, storage: AttributeType.Storage
    ) -> Bool {
        if cell.isNull { return comparison == .notEqual }
        let order = constant.withCell { cell.order(to: $0, storage: storage) }
        return switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    private static func isIn(_ cell: Cell, _ values: [Constant], storage: AttributeType.Storage) -> Bool {
        if cell.isNull { return false }
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            let order = values[middle].withCell { cell.order(to: $0, storage: storage) }
            if order == 0 { return true }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return false
    }
}
