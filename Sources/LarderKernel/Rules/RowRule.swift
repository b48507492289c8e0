/// A rule that all engines share: it refuses row mutations, or adds others that follow from them.
///
/// Uniqueness is one. The rows of a call, or of a part of a call, are judged together.
package protocol RowRule: Sendable {
    /// True if the rule may refuse or add something when rows of this item type change.
    ///
    /// Asked once for each item type, when the store opens.
    func concerns(_ entity: EntitySchema) -> Bool

    /// The mutations that follow from others; they are applied after these, all together or not at all.
    ///
    /// *Rule:* writes nothing itself. The cells it adds belong to the arena of the reading; they are valid
    /// until the next call of the block. They set no text that an index keeps folded, as nothing folds them: the library's
    /// rules set references only, and hooks change items by calls of their own.
    ///
    /// - Throws: The reason for refusing the mutations; nothing has changed then.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation]
}

/// The state a rule judges by: the block's state before the mutations, with the block's earlier changes.
///
/// *Rule:* valid during the call it is passed to.
package struct RuleReading {
    let resources: BlockResources
    /// The transaction of the block.
    package let snapshot: any StorageReading
    /// The parts of the call so far; nil if everything is judged by this list alone.
    var parts: CallInParts?
    /// A column of the mutations whose references lead to items that are known to be stored.
    var knownColumn: Int?

    /// The item types of the store.
    package var schema: StoreSchema { resources.schema }
    /// The memory for the cells of added mutations.
    package var arena: RowArena { resources.ruleArena }
}

/// The rules of a store, in the order in which they are asked.
package struct RowRules: Sendable {
    private let rules: [any RowRule]
    /// The number of those that are not the library's, which come first.
    private let foreignCount: Int
    /// For each item type the set of rules that concern it, one bit each.
    private let concerned: [UInt64]
    /// The references between the item types.
    package let graph: ReferenceGraph
    /// For each item type the columns whose values no two rows share, so that rows of a list may pass them on.
    let sharedByNone: [ColumnSet]
    /// For each item type the condition on which a lone new row needs no rule; nil if it must be judged.
    private let insertConditions: [InsertCondition?]
    /// The bit of the item types whose deletion has consequences, for which no rule is asked.
    private static let deletion: UInt64 = 1 << 63

    /// - Parameter rules: At most 60; uniqueness comes after them, as it judges what they have added.
    init(_ rules: [any RowRule], for schema: StoreSchema) {
        let graph = ReferenceGraph(of: schema)
        let graphRules: [any RowRule] =
            graph.isEmpty ? [] : [ReferenceRule(graph: graph), OneToOneRule(graph, of: schema)]
        let all = rules + graphRules + [UniquenessRule()]
        precondition(all.count <= 63, "\(all.count) rules do not fit into 63 bits.")
        self.rules = all
        foreignCount = rules.count
        self.graph = graph
        sharedByNone = schema.entities.enumerated().map { number, entity in
            let unique = entity.uniqueColumns.joined().map(entity.declaredColumn)
            return ColumnSet(unique + graph.oneToOnes[number].map(\.column))
        }
        concerned = schema.entities.enumerated().map { number, entity in
            all.indices.reduce(graph.followsDeletion(of: number) ? Self.deletion : 0) {
                $0 | (all[$1].concerns(entity) ? 1 << UInt64($1) : 0)
            }
        }
        let ofOthers: UInt64 = (1 << UInt64(rules.count)) - 1
        insertConditions = concerned.enumerated().map { number, set in
            set & ofOthers != 0 ? nil : InsertCondition(toInsert: number, in: schema, graph)
        }
    }

    /// True if more may follow from some mutations, as they delete items of a type with such relationships.
    func followsDeletion(by mutations: UnsafeBufferPointer<RowMutation>) -> Bool {
        for position in mutations.indices where mutations[position].kind.isDeletion {
            if concerned[mutations[position].entity] & Self.deletion != 0 { return true }
        }
        return false
    }

    /// True if any rule concerns one of the mutations.
    @inline(__always)
    func concern(_ mutations: UnsafeBufferPointer<RowMutation>) -> Bool {
        set(concerning: mutations) != 0
    }

    /// The condition on which a lone insert needs no rule; nil if it must be judged.
    func insertCondition(of mutations: UnsafeBufferPointer<RowMutation>) -> InsertCondition? {
        guard mutations.count == 1, mutations[0].kind == .insert else { return nil }
        return insertConditions[mutations[0].entity]
    }

    @inline(__always)
    private func set(concerning mutations: UnsafeBufferPointer<RowMutation>) -> UInt64 {
        var set: UInt64 = 0
        for position in mutations.indices { set |= concerned[mutations[position].entity] }
        return set
    }

    /// The mutations that follow from others, by all rules in turn; each one also sees those that the rules
    /// before it have added.
    ///
    /// - Parameter byOwn: False if the caller judges by the library's own rules itself.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading, byOwn: Bool = true
    ) throws(DataStoreError) -> [RowMutation] {
        reading.arena.reset()
        var set = set(concerning: mutations)
        var all: [RowMutation] = []
        for number in 0..<(byOwn ? rules.count : foreignCount) where set & (1 << UInt64(number)) != 0 {
            let rule = rules[number]
            if all.isEmpty {
                let added = try rule.mutations(following: mutations, in: reading)
                if !added.isEmpty { all = mutations + added }
            } else {
                all += try all.withUnsafeBufferPointer { all throws(DataStoreError) in
                    try rule.mutations(following: all, in: reading)
                }
            }
            if !all.isEmpty { set = all.withUnsafeBufferPointer { self.set(concerning: $0) } }
        }
        return Array(all.dropFirst(mutations.count))
    }
}

extension RowMutation {
    /// The row that is changed; nil for `deleteAll`.
    // The resources, as the schema would be copied into the call.
    package func key(in resources: BlockResources) -> ItemKey? {
        guard kind != .deleteAll else { return nil }
        return AnyItemID(cells[0], type: resources.schema.entities[entity].attributes[0].type).map {
            ItemKey(entity: entity, identifier: $0)
        }
    }
}
