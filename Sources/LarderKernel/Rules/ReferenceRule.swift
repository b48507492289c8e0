/// Refuses a reference, or a link, to an item that does not exist.
///
/// Judged on the state after all mutations of one list, and for a call that passes its rows on in parts on the
/// state after the call. *Cost:* one look-up for each item type whose items are referred to, however many rows
/// refer to them.
struct ReferenceRule: RowRule {
    let graph: ReferenceGraph

    func concerns(_ entity: EntitySchema) -> Bool {
        entity.isLink || entity.relationships.contains { $0.column != nil }
            || entity.attributes.contains { $0.textReference != nil }
    }

    /// - Throws: `.targetNotFound` naming both items.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation] {
        if mutations.count == 1, try leadsSomewhere(mutations[0], reading) { return [] }
        for dangling in try dangling(in: mutations, reading) {
            guard let waiting = reading.parts?.references else { throw dangling.error(in: reading.schema) }
            waiting.add(dangling)
        }
        return []
    }

    /// The references of some mutations to items that do not exist after them.
    ///
    /// - Parameter areApplied: True if the reading is of the state after them.
    func dangling(
        in mutations: UnsafeBufferPointer<RowMutation>, _ reading: RuleReading, areApplied: Bool = false
    ) throws(DataStoreError) -> [DanglingReference] {
        var targets = ReferencedItems(graph, in: reading.schema)
        for position in mutations.indices { targets.add(mutations[position]) }
        if targets.isEmpty { return [] }
        var dangling: [DanglingReference] = []
        for (entity, identifiers) in targets.identifiers {
            var missing = Set(try reading.missing(identifiers, of: entity))
            let deletes = mutations.contains { $0.entity == entity && $0.kind.isDeletion }
            if missing.isEmpty && !deletes { continue }
            if !areApplied {
                let state = ListState(of: mutations, for: entity, in: reading.resources)
                missing = Set(identifiers.filter { !state.contains($0, isStored: !missing.contains($0)) })
            }
            if !missing.isEmpty { dangling += references(to: missing, of: entity, in: mutations, reading) }
        }
        return dangling
    }

    /// True if all items that a mutation refers to are stored already.
    private func leadsSomewhere(
        _ mutation: RowMutation, _ reading: RuleReading
    ) throws(DataStoreError) -> Bool {
        let count = graph.references[mutation.entity].count
        for position in 0..<count {
            let column = graph.references[mutation.entity][position].column
            if column == reading.knownColumn || !mutation.sets(column) { continue }
            if graph.references[mutation.entity][position].prefix != nil { return false }
            let target = graph.references[mutation.entity][position].target
            let isFound = try reading.snapshot.row(
                at: mutation.cells[column], of: target, into: reading.resources.cells)
            if !isFound { return false }
        }
        return true
    }

    private func references(
        to missing: Set<Constant>, of entity: Int, in mutations: UnsafeBufferPointer<RowMutation>,
        _ reading: RuleReading
    ) -> [DanglingReference] {
        var dangling: [DanglingReference] = []
        for position in mutations.indices {
            let mutation = mutations[position]
            for reference in graph.references[mutation.entity]
            where reference.target == entity && mutation.sets(reference.column) {
                guard let identifier = reference.item(mutation.cells[reference.column], in: reading.schema),
                    missing.contains(identifier)
                else { continue }
                let type = reading.schema.entities[mutation.entity].attributes[reference.ownerColumn].type
                dangling.append(
                    DanglingReference(
                        reference: reference, position: position,
                        owner: AnyItemID(mutation.cells[reference.ownerColumn], type: type),
                        target: identifier))
            }
        }
        return dangling
    }
}

extension RowMutation.Kind {
    var isDeletion: Bool { self == .delete || self == .deleteAll }
}

extension RowMutation {
    /// True if the mutation gives a column a value that is not nil.
    @inline(__always)
    package func sets(_ column: Int) -> Bool {
        switch kind {
        case .insert: !cells[column].isNull
        case .update: columns.contains(column) && !cells[column].isNull
        case .delete, .deleteAll: false
        }
    }
}

/// The items that some mutations refer to, without most of the repetitions.
private struct ReferencedItems {
    private let graph: ReferenceGraph
    private let schema: StoreSchema
    // Few, so that no dictionary finds them faster.
    /// The identifiers for each item type that they refer to.
    private var groups: [(entity: Int, identifiers: [Constant])] = []
    /// The last cell in each column of the last item type.
    private var last: [Cell] = []
    private var lastEntity = -1

    init(_ graph: ReferenceGraph, in schema: StoreSchema) {
        self.graph = graph
        self.schema = schema
    }

    var isEmpty: Bool { groups.isEmpty }

    mutating func add(_ mutation: RowMutation) {
        let entity = mutation.entity
        guard mutation.kind == .insert || mutation.kind == .update else { return }
        let references = graph.references[entity]
        if references.isEmpty { return }
        if entity != lastEntity {
            last = Array(repeating: .null, count: references.count)
            lastEntity = entity
        }
        for position in references.indices {
            let column = references[position].column
            guard mutation.sets(column), !mutation.cells[column].hasSameBytes(as: last[position]) else {
                continue
            }
            last[position] = mutation.cells[column]
            let target = references[position].target
            // By its fields, as a call would copy a reference with all its texts.
            if references[position].prefix == nil {
                let storage = schema.entities[target].storage(ofColumn: 0)
                add(Constant(mutation.cells[column], storage: storage), of: target)
            } else if let item = references[position].item(mutation.cells[column], in: schema) {
                add(item, of: target)
            }
        }
    }

    /// For each item type the identifiers, distinct and in order.
    var identifiers: [(entity: Int, identifiers: [Constant])] {
        groups.sorted { $0.entity < $1.entity }.map { entity, identifiers in
            (entity, identifiers.sortedAndDistinct(schema.entities[entity].storage(ofColumn: 0)))
        }
    }

    private mutating func add(_ item: Constant, of entity: Int) {
        for position in groups.indices where groups[position].entity == entity {
            groups[position].identifiers.append(item)
            return
        }
        groups.append((entity, [item]))
    }
}

/// The items of a type that a list of mutations inserts and deletes.
private struct ListState {
    /// True if the list leaves the item in the store, false if it deletes it.
    private var exists: [Constant: Bool] = [:]
    private var deletesAll = false

    init(of mutations: UnsafeBufferPointer<RowMutation>, for entity: Int, in resources: BlockResources) {
        let storage = resources.schema.entities[entity].storage(ofColumn: 0)
        for position in mutations.indices where mutations[position].entity == entity {
            switch mutations[position].kind {
            case .insert: exists[Constant(mutations[position].cells[0], storage: storage)] = true
            case .update: continue
            case .delete: exists[Constant(mutations[position].cells[0], storage: storage)] = false
            case .deleteAll:
                deletesAll = true
                exists.removeAll()
            }
        }
    }

    /// True if the item exists after the list.
    func contains(_ identifier: Constant, isStored: Bool) -> Bool {
        exists[identifier] ?? (isStored && !deletesAll)
    }
}
