/// The links of one owner, if they decide which items a plan gives, or in which order.
///
/// No engine sees them; ``LinkedItems`` reads them before the items.
// An object, so that all other plans carry only a nil.
package final class OwnerLinks: Sendable {
    /// The plan of the links: the identifiers of the items, by rank or by identifier.
    package let plan: RequestPlan
    /// True if just these items come, so that the plan's window is one of links.
    package let areAlone: Bool

    init(_ plan: RequestPlan, areAlone: Bool) {
        self.plan = plan
        self.areAlone = areAlone
    }

    /// True if they say in which order the items come.
    package var areRanked: Bool { plan.order[0].column == LinkEntity.rank }
}

extension OwnerLinks: Hashable {
    package static func == (left: OwnerLinks, right: OwnerLinks) -> Bool {
        left === right || left.plan == right.plan && left.areAlone == right.areAlone
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(plan)
        hasher.combine(areAlone)
    }
}

extension RequestPlan {
    /// The plan of some links, by what is given, and then by rank or by the identifiers at their other end.
    package init(
        links side: StoreRelationship.LinkSide, where predicate: RowPredicate, columns: [Int],
        sortedBy order: [SortTerm] = [], in store: StoreSchema
    ) {
        self.init(
            entity: side.entity, schema: store.entities[side.entity], columns: .some(columns),
            predicate: predicate, order: order + [SortTerm(column: side.orderColumn, isAscending: true)])
    }
}
