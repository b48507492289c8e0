import Larder

extension Fault {
    /// The plan an engine with this fault would run instead.
    func spoiled(_ plan: RequestPlan, newest: Constant?) -> RequestPlan {
        var plan = plan
        switch self {
        case .limitIsIgnored: plan.limit = nil
        case .zeroMeansNoLimit: plan.limit = plan.limit == 0 ? nil : plan.limit
        case .offsetIsIgnored: plan.offset = 0
        case .tieBreakIsAlwaysAscending where plan.order.count > 1 && plan.order.last?.column == 0:
            plan.order[plan.order.count - 1] = RequestPlan.SortTerm(column: 0, isAscending: true)
        case .onlyTheFirstSortKeyCounts where plan.order.count > 2:
            plan.order.removeSubrange(1..<(plan.order.count - 1))
        case .indexesMissTheNewestRow:
            if let newest, plan.asksForValueOfIndex {
                plan.predicate = .all([plan.predicate, .compare(column: 0, .notEqual, newest)])
            }
        default:
            plan.predicate = spoiled(plan.predicate, of: plan.schema)
        }
        return plan
    }

    /// The plan whose rows are counted instead.
    func spoiledForCounting(_ plan: RequestPlan, newest: Constant?) -> RequestPlan {
        var plan = spoiled(plan, newest: newest)
        switch self {
        case .countIgnoresTheFilter: plan.predicate = .always(true)
        case .countIgnoresTheWindow: (plan.offset, plan.limit) = (0, nil)
        default: break
        }
        return plan
    }

    private func spoiled(_ predicate: RowPredicate, of schema: EntitySchema) -> RowPredicate {
        switch predicate {
        case .all(let parts) where self == .compoundValuesAreNotFound && schema.isCompoundValue(parts):
            .always(false)
        case .all(let parts): .all(parts.map { spoiled($0, of: schema) })
        case .any(let parts): .any(parts.map { spoiled($0, of: schema) })
        case .column(let column, let test):
            spoiled(test, of: column, schema.storage(ofColumn: column)) ?? predicate
        case .always, .related, .expression: predicate
        }
    }

    private func spoiled(
        _ test: ColumnTest, of column: Int, _ storage: AttributeType.Storage
    ) -> RowPredicate? {
        switch test {
        case .compare(let comparison, let constant): spoiled(column, comparison, constant, storage)
        case .isIn(let values, false) where self == .listsLoseTheirLastValue:
            .isIn(column: column, values.dropLast(), negated: false)
        case .isIn(_, true) where self == .negatedListsExcludeNil:
            .all([.column(column, test), .isNotNull(column: column)])
        case .text(let test, let negated): .text(column: column, spoiled(test), negated: negated)
        case .isNull, .isNotNull, .isIn, .pattern: nil
        }
    }

    private func spoiled(
        _ column: Int, _ comparison: Comparison, _ constant: Constant, _ storage: AttributeType.Storage
    ) -> RowPredicate? {
        let sound = RowPredicate.compare(column: column, comparison, constant)
        switch (self, comparison, constant) {
        case (.textEqualityIgnoresCase, .equal, .text(let text)):
            return .text(column: column, TextTest(.equals, text, ignoresCase: true), negated: false)
        case (.differingExcludesNil, .notEqual, _):
            return .all([sound, .isNotNull(column: column)])
        case (.lessIncludesNil, .less, _):
            return .any([sound, .isNull(column: column)])
        case (.unsignedNumbersAreSigned, .less, .unsigned(let value)) where value <= UInt64(Int64.max):
            let negative = RowPredicate.compare(column: column, .greater, .unsigned(UInt64(Int64.max)))
            return .any([sound, negative])
        default:
            return nil
        }
    }

    private func spoiled(_ test: TextTest) -> TextTest {
        guard case .text(let needle) = test.needle else { return test }
        switch (self, test.kind) {
        case (.ignoringCaseStopsAtASCII, _) where !needle.utf8.allSatisfy({ $0 < 0x80 }):
            return TextTest(test.kind, needle, ignoresCase: false)
        case (.containsIsPrefix, .contains):
            return TextTest(.hasPrefix, needle, ignoresCase: test.ignoresCase)
        case (.prefixesMatchInTheMiddle, .hasPrefix):
            return TextTest(.contains, needle, ignoresCase: test.ignoresCase)
        default:
            return test
        }
    }
}

extension EntitySchema {
    /// True if the parts of a filter find items by all columns of a value that is unique as a whole.
    fileprivate func isCompoundValue(_ parts: [RowPredicate]) -> Bool {
        if isLink { return false }
        let columns = parts.compactMap { part -> Int? in
            switch part {
            case .column(let column, .compare(.equal, _)), .column(let column, .isIn(_, false)): column
            default: nil
            }
        }
        return indexes.contains {
            $0.isUnique && $0.columns.count > 1 && Set($0.columns) == Set(columns)
        }
    }
}

extension RequestPlan {
    /// Whether an index would be asked for the rows with one value.
    fileprivate var asksForValueOfIndex: Bool {
        guard case .column(let column, .compare(.equal, _)) = predicate else { return false }
        return schema.indexes.contains { $0.columns.first == column }
    }
}
