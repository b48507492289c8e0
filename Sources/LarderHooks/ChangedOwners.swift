import LarderKernel

/// The items whose relationships a block has changed, as far as these are limited.
struct ChangedOwners {
    private var counts: [Limited: (count: FollowedCount, owners: [Constant])] = [:]

    /// A relationship with a limit, by its owner and its number.
    private struct Limited: Hashable, Comparable {
        let entity: Int
        let relationship: Int

        static func < (left: Limited, right: Limited) -> Bool {
            (left.entity, left.relationship) < (right.entity, right.relationship)
        }
    }

    /// Notes the owners to which a changed row belongs, before and now, and an inserted item as an owner.
    mutating func note(_ change: HookedChange, _ table: HookTable, _ entity: Int, _ schema: StoreSchema) {
        for count in table.counts[entity] {
            let (before, after) = (change.stored?[count.column], change.new?[count.column])
            if let before, let after, before.hasSameBytes(as: after) { continue }
            let storage = schema.entities[entity].storage(ofColumn: count.column)
            for owner in [before, after] {
                if let owner, !owner.isNull { note(Constant(owner, storage: storage), in: count) }
            }
        }
        if change.stored == nil, let new = change.new {
            let storage = schema.entities[entity].storage(ofColumn: 0)
            for count in table.minimums[entity] { note(Constant(new[0], storage: storage), in: count) }
        }
    }

    private mutating func note(_ owner: Constant, in count: FollowedCount) {
        let limited = Limited(entity: count.relationship.owner, relationship: count.relationship.number)
        counts[limited, default: (count, [])].owners.append(owner)
    }

    /// The findings about the owners that are still there.
    func findings(in context: BlockContext) throws(DataStoreError) -> [ItemFinding] {
        var findings: [ItemFinding] = []
        for (_, changed) in counts.sorted(by: { $0.key < $1.key }) {
            let owner = context.schema.entities[changed.count.relationship.owner]
            for part in changed.owners.sortedAndDistinct(owner.storage(ofColumn: 0)).plannedParts {
                findings += try changed.count.findings(about: part, in: context)
            }
        }
        return findings
    }
}

extension FollowedCount {
    /// The findings about some owners, distinct and in order.
    fileprivate func findings(
        about owners: [Constant], in context: BlockContext
    ) throws(DataStoreError) -> [ItemFinding] {
        let owner = context.schema.entities[relationship.owner]
        let there = try values(
            of: 0, where: 0, isOneOf: owners, relationship.owner, in: context)
        if there.isEmpty { return [] }
        var numbers: [Constant: Int] = [:]
        for value in try values(of: column, where: column, isOneOf: there, entity, in: context) {
            numbers[value, default: 0] += 1
        }
        var findings: [ItemFinding] = []
        for item in there {
            let number = numbers[item] ?? 0
            guard number < limit.minimum || number > limit.maximum,
                let identifier = item.withCell({ AnyItemID($0, type: owner.attributes[0].type) })
            else { continue }
            findings.append(
                ItemFinding(
                    itemType: owner.name, identifier: identifier, attribute: relationship.propertyName,
                    message: number < limit.minimum
                        ? "has \(number) items, and its minimum is \(limit.minimum)"
                        : "has \(number) items, and its maximum is \(limit.maximum)"))
        }
        return findings
    }

    /// The values of one column in the rows that have one of some values in another, in the order of these.
    private func values(
        of column: Int, where tested: Int, isOneOf constants: [Constant], _ entity: Int,
        in context: BlockContext
    ) throws(DataStoreError) -> [Constant] {
        let schema = context.schema.entities[entity]
        let scan = try context.rows(
            of: RequestPlan(
                entity: entity, schema: schema, columns: .some([column]),
                predicate: .oneOf(constants, inColumn: tested),
                order: [RequestPlan.SortTerm(column: tested, isAscending: true)]))
        defer { scan.close() }
        var values: [Constant] = []
        while try scan.next() {
            values.append(Constant(scan.cells[0], storage: schema.storage(ofColumn: column)))
        }
        return values
    }
}
