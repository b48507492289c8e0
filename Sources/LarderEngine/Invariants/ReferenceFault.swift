package import LarderKernel

/// A stored reference, or link, that the rules of its relationship do not allow.
///
/// All engines look for them here, whenever stored items are judged as a whole, and report them in the same
/// words.
package struct ReferenceFault {
    /// The item that refers, or the link.
    package let item: AnyItemID
    /// The item at the other end.
    package let target: AnyItemID
    private let kind: Kind
    private let relationship: StoreRelationship
    private let ownerSchema: EntitySchema

    private enum Kind {
        /// The item at the other end does not exist.
        case missing
        /// The item that links start from does not exist.
        case missingOwner
        /// Another item refers to the same one, and only one may.
        case second(AnyItemID)
    }

    /// The number of the item type that refers.
    package var owner: Int { relationship.owner }

    /// The fault as a sentence.
    package var sentence: String {
        let (owner, other) = (ownerSchema.name, relationship.targetSchema.name)
        let name = relationship.propertyName
        switch kind {
        case .missing:
            return "\(owner) \(item) refers by \(name) to \(other) \(target), which does not exist."
        case .missingOwner:
            return "\(owner) \(item), which does not exist, refers by \(name) to \(other) \(target)."
        case .second(let first):
            return "\(owner) \(first) and \(owner) \(item) both refer by \(name) to \(other) \(target), "
                + "which only one may."
        }
    }

    /// The fault as the error of stored items that were to have this relationship.
    package var error: DataStoreError {
        error(
            sentence,
            advice: """
                Correct or delete the item with a version of the app in which \(ownerSchema.name).\
                \(relationship.propertyName) is not this relationship; then try again.
                """)
    }

    /// The fault as an error in other words.
    package func error(_ message: String, advice: String) -> DataStoreError {
        let code: DataStoreError.Code
        if case .second = kind { code = .uniqueViolation } else { code = .targetNotFound }
        return DataStoreError(
            code, message, advice: advice, itemType: ownerSchema.name, attribute: relationship.propertyName,
            identifier: item)
    }
}

extension ReferenceFault {
    /// The fault that comes first by its item; nil when there is none.
    ///
    /// *Cost:* as ``forEach(in:_:_:cancelledAs:elsewhere:_:)``.
    package static func first(
        in relationship: StoreRelationship, _ schema: StoreSchema, _ transaction: any StorageReading,
        cancelledAs work: StaticString?, elsewhere: Set<Int> = []
    ) throws(DataStoreError) -> ReferenceFault? {
        var first: (identifier: Constant, fault: ReferenceFault)?
        let type = schema.entities[relationship.owner].attributes[0].type
        try forEach(
            in: relationship, schema, transaction, cancelledAs: work, elsewhere: elsewhere
        ) { identifier, fault in
            let isEarlier = first.map { identifier.order(to: $0.identifier, storage: type.storage) < 0 }
            if isEarlier ?? true { first = (identifier, fault) }
            return true
        }
        return first?.fault
    }

    /// Gives the faults of a relationship to a body until it returns false.
    ///
    /// *Cost:* reads the references in the order of their index, side by side with the identifiers of the
    /// items that they lead to; keeps one row of each.
    ///
    /// - Parameters:
    ///   - relationship: One that is stored as itself, not as its inverse.
    ///   - elsewhere: The numbers of types of which the transaction lacks items, which are not reported as missing.
    ///   - fault: A faulty link of an earlier call, at which the reading continues; nil to begin.
    ///   - ignoringRules: True to give links that lead nowhere even if a delete rule allows them.
    ///   - body: Takes the identifier of the item that refers too.
    package static func forEach(
        in relationship: StoreRelationship, _ schema: StoreSchema, _ transaction: any StorageReading,
        cancelledAs work: StaticString?, elsewhere: Set<Int> = [], from fault: ReferenceFault? = nil,
        ignoringRules: Bool = false, _ body: (Constant, ReferenceFault) -> Bool
    ) throws(DataStoreError) {
        let inverse = relationship.inverse(in: schema)
        let owner = schema.entities[relationship.owner]
        let makeFault = { (kind: Kind, item: Cell, target: Cell) -> ReferenceFault? in
            guard let item = AnyItemID(item, type: owner.attributes[0].type),
                let target = AnyItemID(target, type: relationship.targetSchema.attributes[0].type)
            else { return nil }
            return ReferenceFault(
                item: item, target: target, kind: kind, relationship: relationship, ownerSchema: owner)
        }
        var walk = ReferenceWalk(schema: schema, transaction: transaction, work: work)
        switch relationship.form {
        case .referrers: return
        case .reference(let column):
            walk.isRequired = inverse?.deleteRule != .noAction && !elsewhere.contains(relationship.target)
            walk.isOneToOne = inverse?.kind == .toOneInverse
            try walk.run(
                column, of: relationship.owner, besides: 0, to: relationship.target
            ) { target, item, other in
                let storage = owner.storage(ofColumn: 0)
                let kind = other.flatMap { $0.withCell { AnyItemID($0, type: owner.attributes[0].type) } }
                let fault = makeFault(kind.map { .second($0) } ?? .missing, item, target)
                return fault.map { body(Constant(item, storage: storage), $0) } ?? true
            }
        case .links(let side):
            if side.isReversed { return }
            var goesOn = true
            let isAtTargets = if case .missing? = fault?.kind { true } else { false }
            walk.start = fault.map { Constant(isAtTargets ? $0.target : $0.item) }
            if ignoringRules || relationship.deleteRule != .noAction,
                !elsewhere.contains(relationship.owner), !isAtTargets
            {
                try walk.run(
                    side.ownerColumn, of: side.entity, besides: side.targetColumn, to: relationship.owner
                ) { item, target, _ in
                    let fault = makeFault(.missingOwner, item, target)
                    goesOn =
                        fault.map { body(Constant(item, storage: owner.storage(ofColumn: 0)), $0) } ?? true
                    return goesOn
                }
                walk.start = nil
            }
            if ignoringRules || inverse?.deleteRule != .noAction,
                !elsewhere.contains(relationship.target), goesOn
            {
                try walk.run(
                    side.targetColumn, of: side.entity, besides: side.ownerColumn, to: relationship.target
                ) { target, item, _ in
                    let fault = makeFault(.missing, item, target)
                    return fault.map { body(Constant(item, storage: owner.storage(ofColumn: 0)), $0) } ?? true
                }
            }
        }
    }
}

/// Walks through the references in a column, side by side with the identifiers that they lead to.
private struct ReferenceWalk {
    let schema: StoreSchema
    let transaction: any StorageReading
    let work: StaticString?
    /// True if each reference has to lead to an item.
    var isRequired = true
    /// True if no two may lead to the same one.
    var isOneToOne = false
    /// The item from which on references are read; nil for all.
    var start: Constant?

    init(schema: StoreSchema, transaction: any StorageReading, work: StaticString?) {
        (self.schema, self.transaction, self.work) = (schema, transaction, work)
    }

    /// - Parameters:
    ///   - other: Another column of the rows, which the body takes too.
    ///   - body: Takes a faulty reference, the other column, and the other column of the row before if both
    ///     refer to the same item; returns false to end the walk.
    func run(
        _ column: Int, of entity: Int, besides other: Int, to target: Int,
        _ body: (Cell, Cell, Constant?) -> Bool
    ) throws(DataStoreError) {
        let referring = schema.entities[entity]
        let storage = referring.storage(ofColumn: column)
        let isOptional = referring.attributes[column].isOptional
        let all = isOptional ? RowPredicate.isNotNull(column: column) : .always(true)
        let references = try transaction.rows(
            for: RequestPlan(
                entity: entity, schema: referring, columns: .some([column, other]),
                predicate: start.map { .compare(column: column, .greaterOrEqual, $0) } ?? all,
                order: [RequestPlan.SortTerm(column: column, isAscending: true)]))
        defer { references.close() }
        let items = try transaction.rows(
            for: RequestPlan(
                entity: target, schema: schema.entities[target], columns: .some([0]),
                predicate: start.map { .compare(column: 0, .greaterOrEqual, $0) } ?? .always(true)))
        defer { items.close() }
        let row = CellBuffer(count: 2)
        let item = CellBuffer(count: 1)
        defer { withExtendedLifetime((row, item)) {} }
        var hasItem = try items.next(into: item.start)
        var before: (reference: Constant, other: Constant)?
        while try references.next(into: row.start) {
            if let work { try Cancellation.check(work) }
            let reference = row.start[0]
            while hasItem, item.start[0].order(to: reference, storage: storage) < 0 {
                hasItem = try items.next(into: item.start)
            }
            let isFound = hasItem && item.start[0].order(to: reference, storage: storage) == 0
            if isRequired, !isFound, !body(reference, row.start[1], nil) { return }
            guard isOneToOne, isFound else { continue }
            if let before, before.reference.withCell({ $0.hasSameBytes(as: reference) }) {
                if !body(reference, row.start[1], before.other) { return }
            } else {
                let storage = referring.storage(ofColumn: other)
                before = (
                    Constant(reference, storage: schema.entities[target].storage(ofColumn: 0)),
                    Constant(row.start[1], storage: storage)
                )
            }
        }
    }
}
