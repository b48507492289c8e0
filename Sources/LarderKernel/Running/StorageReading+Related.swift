// Where a plan's parts are about other items and the engine does not run it whole, it is run here, in steps
// (contract rule 6).

extension StorageReading {
    /// The rows of a plan, in its order.
    package func rows(
        for plan: RequestPlan, in schema: StoreSchema
    ) throws(DataStoreError) -> any RowCursor {
        if runsAlone(plan) { return try rows(for: plan) }
        var lowering = RelatedLowering(schema, self)
        let lowered = try lowering.lowered(plan)
        if plan.relatedOrder == nil { return try rows(for: lowered) }
        if var groups = try RelatedGroups(lowered, filter: plan.predicate, self) {
            return IdentifiedCursor(try groups.found(), of: plan, self)
        }
        var sorting = RelatedSorting(lowered, in: schema, self)
        return IdentifiedCursor(try sorting.identifiers(), of: plan, self)
    }

    /// The number of rows of a plan.
    package func count(for plan: RequestPlan, in schema: StoreSchema) throws(DataStoreError) -> Int {
        if runsAlone(plan) { return try count(for: plan) }
        var lowering = RelatedLowering(schema, self)
        return try count(for: try lowering.lowered(plan))
    }

    /// The steps by which a plan is run, one line each: those of the plan itself, then those of the plans
    /// for related items.
    package func explain(
        _ plan: RequestPlan, in schema: StoreSchema
    ) throws(DataStoreError) -> [String] {
        if runsAlone(plan) { return try explain(plan) }
        var lowering = RelatedLowering(schema, self, explaining: true)
        let lowered = try lowering.lowered(plan)
        let lines = lowering.lines ?? []
        guard let order = plan.relatedOrder else { return try explain(lowered) + lines }
        let names = order.terms.map { $0.description(of: plan.schema) }.joined(separator: ", ")
        if let groups = try RelatedGroups(lowered, filter: plan.predicate, self) {
            return try groups.explained() + lines
        }
        let keys = RelatedSorting(lowered, in: schema, self).keys
        let top = plan.windowEnd.map { ", top \($0)" } ?? ""
        return try explain(keys) + ["sort by \(names)\(top)"] + lines
    }

    private func runsAlone(_ plan: RequestPlan) -> Bool { !plan.isRelated || runsWhole(plan) }
}
