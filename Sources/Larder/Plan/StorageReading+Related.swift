// A plan whose parts are about other items is run here and not by the engine alone (contract rule 6).

extension StorageReading {
    /// The rows of a plan, in its order.
    package func rows(
        for plan: RequestPlan, in schema: StoreSchema
    ) throws(DataStoreError) -> any RowCursor {
        guard plan.isRelated else { return try rows(for: plan) }
        var lowering = RelatedLowering(schema, self)
        let lowered = try lowering.lowered(plan)
        guard let order = plan.relatedOrder else { return try rows(for: lowered) }
        var sorting = RelatedSorting(lowered, by: order, in: schema, self)
        return IdentifiedCursor(try sorting.identifiers(), of: plan, self)
    }

    /// The number of rows of a plan.
    package func count(for plan: RequestPlan, in schema: StoreSchema) throws(DataStoreError) -> Int {
        guard plan.isRelated else { return try count(for: plan) }
        var lowering = RelatedLowering(schema, self)
        return try count(for: try lowering.lowered(plan))
    }

    /// The steps by which a plan is run, one line each: those of the plan itself, then those of the plans
    /// for related items.
    package func explain(
        _ plan: RequestPlan, in schema: StoreSchema
    ) throws(DataStoreError) -> [String] {
        guard plan.isRelated else { return try explain(plan) }
        var lowering = RelatedLowering(schema, self, explaining: true)
        let lowered = try lowering.lowered(plan)
        let lines = lowering.lines ?? []
        guard let order = plan.relatedOrder else { return try explain(lowered) + lines }
        let names = order.terms.map { $0.description(of: plan.schema) }.joined(separator: ", ")
        let keys = RelatedSorting(lowered, by: order, in: schema, self).keys
        let top = plan.limit.map { ", top \(plan.offset.addingReportingOverflow($0).partialValue)" } ?? ""
        return try explain(keys) + ["sort by \(names)\(top)"] + lines
    }
}
