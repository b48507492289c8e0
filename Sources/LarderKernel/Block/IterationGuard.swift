/// The item types that are being read one item at a time, so that they may not change meanwhile.
package struct IterationGuard {
    /// The number of walks over each item type.
    private var walks: [Int: Int] = [:]
    /// True while code of the app may change no items of any type.
    package var areAllKept = false

    package var isIterating: Bool { areAllKept || !walks.isEmpty }

    package mutating func begin(_ entity: Int) {
        walks[entity, default: 0] += 1
    }

    package mutating func end(_ entity: Int) {
        let count = (walks[entity] ?? 1) - 1
        walks[entity] = count == 0 ? nil : count
    }

    /// - Throws: `.changedDuringIteration` for a mutation of an item type that is being read.
    func require(
        _ mutations: UnsafeBufferPointer<RowMutation>, _ schema: StoreSchema
    ) throws(DataStoreError) {
        for position in mutations.indices where areAllKept || walks[mutations[position].entity] != nil {
            let name = schema.entities[mutations[position].entity].name
            throw DataStoreError(
                .changedDuringIteration, "\(name) items were changed while a call was reading them.",
                itemType: name)
        }
    }
}
