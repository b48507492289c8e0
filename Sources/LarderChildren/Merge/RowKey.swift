import LarderKernel

/// A row of an item or link, by its identifier.
struct RowKey: Hashable {
    let entity: Int
    let identifier: Constant

    init(entity: Int, identifier: Constant) {
        self.entity = entity
        self.identifier = identifier
    }

    /// The row that a cell of its own identifier, or of a reference to it, leads to.
    init(_ identifier: Cell, of entity: Int, in schema: StoreSchema) {
        let storage = schema.entities[entity].storage(ofColumn: 0)
        self.init(entity: entity, identifier: Constant(identifier, storage: storage))
    }
}

extension ReferenceGraph.Reference {
    /// The row of the target that a value of the column refers to; nil if it refers to none.
    func row(_ cell: Cell, in schema: StoreSchema) -> RowKey? {
        item(cell, in: schema).map { RowKey(entity: target, identifier: $0) }
    }
}
