import LarderKernel

extension StoreInvariants {
    /// Looks for texts that refer to items of a type which do not exist.
    ///
    /// *Cost:* reads the column once, and looks up what it refers to, some hundred at a time.
    mutating func check(_ reference: ReferenceGraph.Reference) throws(DataStoreError) {
        let owner = schema.entities[reference.entity]
        let row = CellBuffer(count: 2)
        defer { withExtendedLifetime(row) {} }
        var texts: [(item: AnyItemID, target: Constant)] = []
        do throws(DataStoreError) {
            let rows = try transaction.rows(
                for: RequestPlan(
                    entity: reference.entity, schema: owner, columns: .some([0, reference.column])))
            defer { rows.close() }
            while !isFull, try rows.next(into: row.start) {
                try Cancellation.check("The check")
                guard let target = reference.item(row.start[1], in: schema),
                    let item = AnyItemID(row.start[0], type: owner.attributes[0].type)
                else { continue }
                texts.append((item, target))
                if texts.count < 256 { continue }
                try noteMissing(texts, reference)
                texts.removeAll(keepingCapacity: true)
            }
            try noteMissing(texts, reference)
        } catch {
            try note(error)
        }
    }

    private mutating func noteMissing(
        _ texts: [(item: AnyItemID, target: Constant)], _ reference: ReferenceGraph.Reference
    ) throws(DataStoreError) {
        let (owner, other) = (schema.entities[reference.entity], schema.entities[reference.target])
        let row = CellBuffer(count: other.attributes.count)
        let arena = RowArena()
        var cells: [Cell] = []
        for text in texts { cells.append(try arena.cell(of: text.target)) }
        var isFound = texts.map { _ in false }
        try transaction.forEachRow(inBatches: cells, of: reference.target, into: row.start) {
            isFound[$0] = true
        }
        for position in texts.indices where !isFound[position] {
            let target = AnyItemID(cells[position], type: other.attributes[0].type)?.description ?? "?"
            note(
                "\(owner.name) \(texts[position].item) refers by \(reference.names.attribute) to \(other.name) \(target), "
                    + "which does not exist."
            )
        }
    }
}
