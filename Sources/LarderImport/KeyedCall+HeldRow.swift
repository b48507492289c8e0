import LarderKernel

extension KeyedCall {
    /// A row that waits for the end of the call.
    struct HeldRow {
        let entity: Int
        var cells: UnsafeMutablePointer<Cell>
        let isNew: Bool
        var columns: ColumnSet

        var mutation: RowMutation {
            isNew
                ? RowMutation(.insert, entity: entity, cells: cells)
                : RowMutation(.update, entity: entity, cells: cells, columns: columns)
        }
    }

    /// A value of a column that no two rows share.
    struct Holding: Hashable {
        let entity: Int
        let column: Int
        let value: Constant
    }

    /// The positions of the rows that wait by their values in some columns.
    struct HeldIndex {
        let entity: Int
        let columns: [Int]
        var positions: [UniqueKey: Set<Int>] = [:]

        mutating func add(_ position: Int, _ cells: UnsafePointer<Cell>, of schema: EntitySchema) {
            if let key = UniqueKey(cells, at: columns, of: schema) {
                positions[key, default: []].insert(position)
            }
        }

        mutating func remove(_ position: Int, _ cells: UnsafePointer<Cell>, of schema: EntitySchema) {
            if let key = UniqueKey(cells, at: columns, of: schema) { positions[key]?.remove(position) }
        }
    }
}
