import LarderEngine
import LarderKernel

// MARK: The types that stay, and the names that others take

extension StepPlan {
    /// The stored type that one of the new version is, if no mapping says otherwise.
    func formerName(of entity: EntitySchema) -> String? {
        if entity.isLink { return nil }
        let isDeleted = step.mappings.contains { mapping in
            mapping.kind == .delete && UTF8Text.areEqual(mapping.sources[0], entity.name)
        }
        if sourceNumber(entity.name) != nil, !isDeleted { return entity.name }
        guard let original = entity.originalName, sourceNumber(original) != nil, targetNumber(original) == nil
        else { return nil }
        return original
    }

    /// Refuses a stored type that would become a made one without a mapping, if the app may mean other rows.
    func requireMeant(_ former: String, as entity: EntitySchema) throws(DataStoreError) {
        let isDeclared = stage.start?.entities.contains { !$0.isLink && UTF8Text.areEqual($0.name, former) }
        if isDeclared == false {
            throw DataStoreError(
                .schemaMismatch,
                """
                The step \(step) makes items of \(entity.name), and the store has items of \(former), which version \
                \(step.from) does not declare.
                """,
                advice: """
                    Declare \(former) in version \(step.from) as the store has it. If its items are not wanted any more, \
                    add Delete("\(former)") to the step too. Nothing was changed.
                    """, itemType: former)
        }
        guard let original = entity.originalName, !UTF8Text.areEqual(original, former),
            sourceNumber(original) != nil, targetNumber(original) == nil, !isMapped(original)
        else { return }
        throw DataStoreError(
            .schemaMismatch,
            """
            The step \(step) makes items of \(former), and the store has items of \(former) and of \(original), which \
            is the original name of \(former); version \(step.to) declares only \(former).
            """,
            advice: """
                If the items of \(former) are meant, remove the original name. If the items of \(original) are meant, add \
                Delete("\(former)") to the step. Nothing was changed.
                """, itemType: former)
    }

    /// True for a stored type whose rows a mapping handles.
    func isMapped(_ name: String) -> Bool {
        step.mappings.contains { mapping in
            let isJoinedOnly = mapping.kind == .join && !consumesSecondType(mapping)
            let sources = isJoinedOnly ? mapping.sources.prefix(1) : mapping.sources[...]
            return sources.contains { UTF8Text.areEqual($0, name) }
        }
    }

    /// The stored types of whose rows a closure may make new ones, so that references may lead to these.
    ///
    /// A closure that is called once may read any rows. It may make a new type in the place of those that the step deletes.
    /// The second type of a join by an attribute has other identifiers than the rows that the join makes.
    func sourcesOfClosure(of mapping: EntityMapping) -> [String] {
        switch mapping.body {
        case .none: return []
        case .rows, .joined(by: .none, _): return mapping.sources
        case .joined(by: .some, _): return Array(mapping.sources.prefix(1))
        case .once:
            if mapping.destinations.contains(where: { sourceNumber($0) != nil }) { return [] }
            return step.mappings.filter { $0.kind == .delete }.flatMap(\.sources)
        }
    }

    /// True for a join whose rows become rows of its second type, which then does not keep its own.
    func consumesSecondType(_ join: EntityMapping) -> Bool {
        join.destinations.contains { name in
            guard let number = targetNumber(name), let former = formerName(of: target.entities[number])
            else { return false }
            return UTF8Text.areEqual(former, join.sources[1])
        }
    }

    /// The names of the stored types whose rows a split or a join makes rows of types with other names, or replaces.
    func namesLeft(by mapping: EntityMapping) -> [String] {
        guard mapping.kind == .split || mapping.kind == .join else { return [] }
        var left = mapping.sources.prefix(1).filter { source in
            !mapping.destinations.contains { UTF8Text.areEqual($0, source) }
        }
        if case .joined(by: .some, _) = mapping.body, consumesSecondType(mapping) {
            left.append(mapping.sources[1])
        }
        return left
    }

    /// Finds the deleted types whose names others take.
    mutating func findTakenNames() {
        for mapping in step.mappings where mapping.kind == .delete {
            let name = mapping.sources[0]
            guard let number = targetNumber(name) else { continue }
            let isTaken =
                formerName(of: target.entities[number]).map { !isMapped($0) } ?? false
                || step.mappings.contains { other in
                    !other.sources.isEmpty && other.destinations.contains { UTF8Text.areEqual($0, name) }
                }
            if isTaken { takenNames.insert(UTF8Key(name)) }
        }
    }

    /// True for a stored relationship to a deleted type whose name another one takes.
    func isLost(_ relationship: StoredSchema.Relationship) -> Bool {
        relationship.inverse == nil && takenNames.contains(UTF8Key(relationship.target))
    }

    /// True if a stored relationship leads to rows of this type in the new version, so that its references stay.
    func leads(_ relationship: StoredSchema.Relationship, to type: String) -> Bool {
        if takenNames.contains(UTF8Key(type)), isLost(relationship) { return false }
        let old = relationship.target
        return adjustment.continues(old, as: type) || adjustment.makes(type, of: old)
    }

    /// Removes the links of types that stay to those whose names others take, and finds their references.
    mutating func removeLinksToTakenNames() {
        for (position, entity) in stored.entities.enumerated()
        where !adjustment.removed.contains(entity.number) {
            for relationship in entity.relationships where isLost(relationship) {
                if relationship.kind == .toOne {
                    guard let column = lostColumn(of: relationship, of: position) else { continue }
                    lostReferences.append(PreparedStep.Place(entity: position, column: column))
                } else if let links = linkNumber(relationship.name, of: entity.name) {
                    adjustment.removed.insert(stored.entities[links].number)
                }
            }
        }
    }

    /// The column of a reference that the new version has too; nil if it has none of it.
    private func lostColumn(of relationship: StoredSchema.Relationship, of position: Int) -> Int? {
        let old = stored.entities[position]
        let name = adjustment.targetNames[UTF8Key(old.name)] ?? old.name
        guard let number = targetNumber(name),
            let column = old.attributes.firstIndex(where: { UTF8Text.areEqual($0.name, relationship.name) })
        else { return nil }
        let entity = target.entities[number]
        let names = adjustment.attributeNames[UTF8Key(entity.name)]
        let positions = old.positions(of: entity.attributes, renamed: names ?? [:])
        let stays = target.relationships[number].contains { other in
            guard case .reference(let place) = other.form else { return false }
            return takenNames.contains(UTF8Key(other.targetSchema.name)) && positions[place] == column
        }
        return stays ? column : nil
    }
}

extension StoredSchema.Entity {
    /// True if an attribute is a reference of which a test is true.
    func isLost(_ column: Int, where isLost: (StoredSchema.Relationship) -> Bool) -> Bool {
        relationships.contains { relationship in
            relationship.kind == .toOne && UTF8Text.areEqual(relationship.name, attributes[column].name)
                && isLost(relationship)
        }
    }
}
