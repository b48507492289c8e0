// If a plan's parts are about other items and the engine does not run it whole, it is run here, in steps
// (contract rule 6).

extension StorageReading {
    /// The rows of a plan, in its order.
    package func rows(
        for plan: RequestPlan, in schema: StoreSchema
    ) throws(DataStoreError) -> any RowCursor {
        if let linked = try LinkedItems(plan, self) { return try linked.rows(of: self, in: schema) }
        if runsAlone(plan) { return try rows(for: plan) }
        var lowering = RelatedLowering(schema, self)
        let lowered = try lowering.lowered(plan)
        if plan.relatedOrder == nil { return try rows(for: lowered) }
        if var byValue = try RowsByRelatedValue(lowered, filter: plan.predicate, self) {
            return IdentifiedCursor(try byValue.found(), of: plan, self)
        }
        var sorting = RelatedSorting(lowered, in: schema, self)
        return IdentifiedCursor(try sorting.identifiers(), of: plan, self)
    }

    /// The number of rows of a plan.
    package func count(for plan: RequestPlan, in schema: StoreSchema) throws(DataStoreError) -> Int {
        if let links = plan.countedLinks { return try count(for: links) }
        if runsAlone(plan) { return try count(for: plan) }
        var lowering = RelatedLowering(schema, self)
        var lowered = try lowering.lowered(plan)
        // An engine may not sort by it.
        lowered.relatedOrder = nil
        return try count(for: lowered)
    }

    /// The steps by which a plan is run, one line each: the plan's own lines, then the lines of the plans for
    /// related items; plans for links come first.
    package func explain(
        _ plan: RequestPlan, in schema: StoreSchema
    ) throws(DataStoreError) -> [String] {
        if let linked = try LinkedItems(plan, self) {
            return try explain(linked.links) + explain(linked.items, in: schema)
        }
        if runsAlone(plan) { return try explain(plan) }
        var lowering = RelatedLowering(schema, self, explaining: true)
        let lowered = try lowering.lowered(plan)
        let lines = lowering.lines ?? []
        guard let order = plan.relatedOrder else { return try explain(lowered) + lines }
        let names = order.terms.map { $0.description(of: plan.schema) }.joined(separator: ", ")
        if let byValue = try RowsByRelatedValue(lowered, filter: plan.predicate, self) {
            return try byValue.explained() + lines
        }
        let keys = RelatedSorting(lowered, in: schema, self).keys
        let top = plan.windowEnd.map { ", top \($0)" } ?? ""
        return try explain(keys) + ["sort by \(names)\(top)"] + lines
    }

    /// True if the engine runs a plan by itself.
    func runsAlone(_ plan: RequestPlan) -> Bool { !plan.isRelated || runsWhole(plan) }
}
