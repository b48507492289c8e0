/// Looks for two items of one type that share the value of a unique attribute.
///
/// *Cost:* reads the item type once for each unique index, in the index's order.
struct UniquenessWalk {
    private let number: Int
    private let reader: UntypedReader
    private var entity: EntitySchema { reader.entities[number] }

    init(over number: Int, in reader: UntypedReader) {
        self.number = number
        self.reader = reader
    }

    /// - Throws: `.uniqueViolation` naming the second item.
    func run() throws(DataStoreError) {
        for index in entity.indexes where index.isUnique { try run(index) }
    }

    private func run(_ index: IndexSchema) throws(DataStoreError) {
        let columns = index.columns + [0]
        let plan = RequestPlan(
            entity: number, schema: entity, columns: .some(columns),
            order: index.columns.map { RequestPlan.SortTerm(column: $0, isAscending: true) })
        let cursor = try reader.transaction.rows(for: plan)
        defer { cursor.close() }
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: columns.count)
        cells.initialize(repeating: .null, count: columns.count)
        defer {
            cells.deinitialize(count: columns.count)
            cells.deallocate()
        }
        var last: [Constant] = []
        while try cursor.next(into: cells) {
            let values = index.columns.enumerated().map { position, column in
                Constant(cells[position], storage: entity.storage(ofColumn: column))
            }
            if values == last, !values.contains(where: \.isNull) {
                throw violation(
                    index, values, AnyItemID(cells[columns.count - 1], type: entity.attributes[0].type))
            }
            last = values
        }
    }

    private func violation(
        _ index: IndexSchema, _ values: [Constant], _ identifier: AnyItemID?
    ) -> DataStoreError {
        let names = index.columns.map { entity.attributes[$0].name }
        let words = zip(names, values).map { "\($0) \($1)" }.joined(separator: " and ")
        return DataStoreError(
            .uniqueViolation, "Two items have the same \(words), which is to be unique.",
            itemType: entity.name, attribute: names.joined(separator: ", "), identifier: identifier)
    }
}
