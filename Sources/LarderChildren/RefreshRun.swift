import LarderKernel

/// One attempt to bring the items that a child has touched up to date with its parent.
///
/// The base of an attribute is what a merge compares with. So the base moves with each value that is taken over, or that both
/// sides have changed alike, and stays if they have changed it to different values, which keeps the conflict for the merge.
struct RefreshRun {
    private let staged: any StorageReading
    private let schema: StagingSchema
    private let parent: any StorageReading
    private let arena: RowArena

    init(
        of staged: any StorageReading, _ schema: StagingSchema, from parent: any StorageReading,
        in arena: RowArena
    ) {
        self.staged = staged
        self.schema = schema
        self.parent = parent
        self.arena = arena
    }

    /// The changes of the staged rows and of their bases; the cells are in the arena.
    func mutations() throws(DataStoreError) -> [RowMutation] {
        var mutations: [RowMutation] = []
        for entity in 0..<schema.count {
            let type = schema.schema.entities[entity]
            let walk = try StagedRowWalk(of: entity, in: staged, schema, over: parent)
            defer { walk.close() }
            while try walk.next() {
                guard let base = walk.base, let child = walk.child else { continue }
                var ofChild = type.changedColumns(from: base, to: child)
                if let row = walk.parent {
                    ofChild = ColumnSet(
                        ofChild.filter { !type.isUnchanged(at: $0, from: row[$0], to: child[$0]) })
                }
                if ofChild.isEmpty {
                    // It follows its parent from now on, even if the parent has deleted it.
                    let cells = try arena.copy(row: base, 1)
                    mutations.append(RowMutation(.delete, entity: entity, cells: cells))
                    for kept in [schema.base(of: entity), schema.last(of: entity)].compactMap(\.self) {
                        mutations.append(RowMutation(.delete, entity: kept, cells: cells))
                    }
                } else if let row = walk.parent {
                    let ofParent = type.changedColumns(from: base, to: row)
                    let differing = ColumnSet(ofParent.filter { !ofChild.contains($0) })
                    if differing.isEmpty { continue }
                    let taken = type.addingFolded(to: differing)
                    let cells = try arena.makeCells(type.attributes.count)
                    cells[0] = try arena.copy(walk.identifier)
                    for column in taken { cells[column] = try arena.copy(row[column]) }
                    mutations.append(RowMutation(.update, entity: entity, cells: cells, columns: taken))
                    mutations.append(
                        RowMutation(.update, entity: schema.base(of: entity), cells: cells, columns: taken))
                }
            }
        }
        return mutations
    }
}
