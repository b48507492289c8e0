import LarderKernel
import LarderVersions

/// The steps of a way, and the parts that take them: each runs the mappings of its own types, by itself.
///
/// So a part that has taken them needs nothing of the others, and after a kill the others take them alone. A step that
/// would need rows of two parts at once is refused.
struct PartSteps {
    /// The name of the version that the parts have; nil if they keep none.
    let version: String?
    let parts: [Int]
    let stages: [MigrationPlan.Stage]
    private let schema: RoutedSchema
    /// For each step the references that new rows do not begin with.
    private let lost: [[LostReference]]
    /// The parts of other versions: a process has changed them before it was killed, or while these parts were left out.
    private let others: Set<Int>
    /// The number of steps that were taken while these parts were left out: the first part of the store, which commits last,
    /// has taken them.
    private let missed: Int
    /// The current types of which a part that is left out may have items.
    private let elsewhere: Set<Int>
    /// The parts that do not exist yet.
    private let newParts: Set<Int>
    /// For each version on the way, the stored one first, the parts of each item type.
    private var places: [[UTF8Key: Set<Int>]]
    /// For each step whether its closures before and after the mappings have run, if they name no type.
    private let haveRun: [[Locked<Bool>]]

    /// - Parameters:
    ///   - lost: For each step the references that it would not copy in one store.
    ///   - caches: The parts that may be lost.
    ///   - elsewhere: The types of which a part that is left out may have items.
    ///   - isEmpty: True if a part has no rows of a stored type.
    /// - Throws: `.unsupported` when a mapping is about types of several parts, would move one to another part, or would let a
    ///   reference lead to another type than before.
    init(
        _ stages: [MigrationPlan.Stage], losing lost: [[LostReference]], from version: String?,
        of parts: [Int], _ stored: [StoredSchema?], to schema: RoutedSchema, caches: Set<Int>,
        elsewhere: Set<Int>, isEmpty: (_ type: String, _ part: Int) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) {
        (self.version, self.parts, self.stages, self.schema) = (version, parts, stages, schema)
        self.lost = lost
        self.elsewhere = elsewhere
        haveRun = stages.map { _ in [Locked(false), Locked(false)] }
        let existing = stored.indices.filter { stored[$0]?.entities.isEmpty == false }
        others = Set(existing).subtracting(parts)
        let reached = stored[0]?.version.map { UTF8Key($0) }
        let last = stages.lastIndex { UTF8Key($0.step.to) == reached }
        missed = last.map { $0 + 1 } ?? 0
        // A cache that is gone begins empty, whatever the steps would have made in it.
        newParts = Set(stored.indices).subtracting(existing).subtracting(caches)
        var first: [UTF8Key: Set<Int>] = [:]
        for part in parts {
            for entity in stored[part]?.entities ?? [] where !entity.isLink && !entity.isOfRouting {
                first[UTF8Key(entity.name), default: []].insert(part)
            }
        }
        places = [first]
        // A part keeps the empty table of a type that was moved to another one.
        for (type, parts) in first {
            let owners = owners(of: type.text, after: 0)
            if owners.isEmpty { continue }
            for part in parts.subtracting(owners) where try isEmpty(type.text, part) {
                places[0][type]?.remove(part)
            }
            if places[0][type]?.isEmpty == true { places[0][type] = nil }
        }
        for number in stages.indices {
            places.append(places(after: number))
            try requireOneSide(number)
            try requireNoLostReference(number)
        }
        for (type, parts) in places[stages.count] {
            guard let number = schema.whole.number(named: type.text) else { continue }
            let owners = Set(schema.places[number].map(\.part))
            guard let part = parts.subtracting(owners).min() else { continue }
            throw DataStoreError(
                .unsupported,
                """
                The steps would have items of \(type.text) in the part "\(schema.names[part])", which does not \
                keep the type.
                """,
                advice: "Keep the type in that part; steps do not move items to another one.",
                itemType: type.text)
        }
    }

    /// The steps of one part.
    func stages(of part: Int) throws(DataStoreError) -> [MigrationPlan.Stage] {
        var own: [MigrationPlan.Stage] = []
        for (number, stage) in stages.enumerated() {
            let start = try stage.start.map { start throws(DataStoreError) in
                try only(part, of: start, at: number)
            }
            let target = try only(part, of: stage.target, at: number + 1)
            var made = MigrationPlan.Stage(
                step(number, of: part), from: start, to: target, isDescribed: stage.isDescribed)
            if number == 0 { made.storedRelationships = start }
            for relationship in crossing(stage.target, at: number + 1) {
                made.fixedIdentifiers.insert(UTF8Key(relationship.targetSchema.name))
                if relationship.linkEntity == nil { continue }
                made.fixedIdentifiers.insert(UTF8Key(stage.target.entities[relationship.owner].name))
            }
            own.append(made)
        }
        return own
    }

    private func only(
        _ part: Int, of version: StoreSchema, at number: Int
    ) throws(DataStoreError) -> StoreSchema {
        let here = places[number].filter { $0.value.contains(part) }
        let whole = here.filter { $0.value.count == 1 && !hasItemsElsewhere($0.key.text, at: number) }
        return try version.only(Set(here.keys), relating: Set(whole.keys))
    }

    /// The stored relationships whose ends are not in one and the same part.
    private func crossing(_ version: StoreSchema, at number: Int) -> [StoreRelationship] {
        version.relationships.joined().filter { relationship in
            !relationship.isDerived && isCrossing(relationship, of: version, at: number)
        }
    }

    private func isCrossing(
        _ relationship: StoreRelationship, of version: StoreSchema, at number: Int
    ) -> Bool {
        isCrossing(
            from: version.entities[relationship.owner].name, to: relationship.targetSchema.name, at: number)
    }

    private func isCrossing(from owner: String, to target: String, at number: Int) -> Bool {
        let ends = [owner, target]
        let parts = ends.map { places[number][UTF8Key($0)] }
        let isInside = parts[0] == parts[1] && parts[0]?.count == 1
        return !isInside || ends.contains { hasItemsElsewhere($0, at: number) }
    }

    /// True if a part of another version, or one that is left out, may have items of a type, too.
    private func hasItemsElsewhere(_ type: String, at number: Int) -> Bool {
        !owners(of: type, after: number).isDisjoint(with: others)
            || !elsewhere.isDisjoint(with: current(of: type, after: number))
    }
}

// MARK: Places

extension PartSteps {
    /// The types that a type becomes in a step; the type itself if the step leaves its rows where they are.
    private func successors(of name: String, in stage: MigrationPlan.Stage) -> [String] {
        func isDeclared(_ name: String) -> Bool { stage.target.number(named: name) != nil }
        for mapping in stage.step.mappings {
            guard let place = mapping.sources.firstIndex(where: { UTF8Text.areEqual($0, name) }) else {
                continue
            }
            // The rows of a join's second type stay if the next version has it.
            return place == 0 ? mapping.destinations : [name].filter(isDeclared)
        }
        if isDeclared(name) { return [name] }
        let renamed = stage.target.entities.first { entity in
            !entity.isLink && entity.originalName.map { UTF8Text.areEqual($0, name) } ?? false
        }
        return [renamed?.name ?? name]
    }

    private func places(after number: Int) -> [UTF8Key: Set<Int>] {
        let stage = stages[number]
        var next: [UTF8Key: Set<Int>] = [:]
        for (type, parts) in places[number] {
            for name in successors(of: type.text, in: stage) {
                next[UTF8Key(name), default: []].formUnion(parts)
            }
        }
        for entity in stage.target.entities where !entity.isLink && next[UTF8Key(entity.name)] == nil {
            // A new type is in the part that keeps it in the end, or keeps the type that it becomes.
            let owners = owners(of: entity.name, after: number + 1)
            let own = owners.isEmpty ? Set(parts.prefix(1)) : owners.intersection(parts)
            if !own.isEmpty { next[UTF8Key(entity.name)] = own }
        }
        return next
    }

    /// The current types that a type of a version becomes.
    private func current(of name: String, after number: Int) -> [Int] {
        if number == stages.count { return schema.whole.number(named: name).map { [$0] } ?? [] }
        return successors(of: name, in: stages[number]).flatMap { current(of: $0, after: number + 1) }
    }

    /// The parts that keep the current types that a type of a version becomes.
    private func owners(of name: String, after number: Int) -> Set<Int> {
        Set(current(of: name, after: number).flatMap { schema.places[$0].map(\.part) })
    }

    /// True if all parts of a type are new, so that none of them takes steps.
    private func isInNewParts(_ type: String, at number: Int) -> Bool {
        let owners = owners(of: type, after: number)
        return !owners.isEmpty && owners.isSubset(of: newParts)
    }

    private func runs(_ mapping: EntityMapping, in part: Int, at number: Int) -> Bool {
        guard let source = mapping.sources.first else {
            // Rows that come from none are made once, by the first part that keeps the type. If it was left out, another part
            // has made them; if a kill came before its commit, none has.
            let type = mapping.destinations[0]
            let others = owners(of: type, after: number + 1).intersection(self.others)
            if number < missed, !others.isEmpty { return false }
            return places[number + 1][UTF8Key(type)]?.min() == part && others.allSatisfy { $0 > part }
        }
        return places[number][UTF8Key(source)]?.contains(part) ?? false
    }

    /// Refuses new names of links that lead to another part, which only the last step gives.
    private func requireNamedLinks(_ across: [StoreRelationship], at number: Int) throws(DataStoreError) {
        let stage = stages[number]
        for relationship in across where relationship.linkEntity != nil {
            guard let owner = stage.start?.entities[relationship.owner].name else { continue }
            let isMapped = stage.step.mappings.contains { mapping in
                mapping.sources.contains { UTF8Text.areEqual($0, owner) }
            }
            let isRenamed =
                !isMapped && !successors(of: owner, in: stage).elementsEqual([owner], by: UTF8Text.areEqual)
            let declared =
                stage.target.number(named: owner).map { stage.target.entities[$0].relationships } ?? []
            let isKept = declared.contains { UTF8Text.areEqual($0.name, relationship.name) }
            let isCalledOtherwise = declared.contains { other in
                other.originalName.map { UTF8Text.areEqual($0, relationship.name) } ?? false
            }
            guard isRenamed || (!isKept && isCalledOtherwise && number < stages.count - 1) else { continue }
            throw DataStoreError(
                .unsupported,
                """
                The step \(stage.step) gives \(owner) or its relationship \(relationship.name) another name, and the \
                links lead to another part.
                """,
                advice: "Keep the names.", itemType: owner, attribute: relationship.name)
        }
    }

    /// Refuses a mapping that would need rows, or links, of two parts.
    private func requireOneSide(_ number: Int) throws(DataStoreError) {
        let stage = stages[number]
        let across = stage.start.map { crossing($0, at: number) } ?? []
        try requireNamedLinks(across, at: number)
        func refusal(_ mapping: EntityMapping, _ reason: String, _ advice: String) -> DataStoreError {
            DataStoreError(
                .unsupported, "The step \(stage.step) has \(mapping), and \(reason).", advice: advice,
                itemType: (mapping.sources + mapping.destinations).first)
        }
        for mapping in stage.step.mappings {
            if mapping.sources.isEmpty, isInNewParts(mapping.destinations[0], at: number + 1) {
                throw refusal(
                    mapping, "the part of these items is new",
                    "Insert them in a block of the app, once the store is open.")
            }
            guard let source = mapping.sources.first, let own = places[number][UTF8Key(source)] else {
                continue
            }
            if mapping.sources.count > 1,
                places[number][UTF8Key(mapping.sources[1])] != own || own.count > 1
            {
                throw refusal(
                    mapping, "the items of these types are not in one part",
                    "Read the other items in a block of the app, once the store is open.")
            }
            if let name = changedLinks(of: mapping, at: number) {
                throw refusal(
                    mapping, "the links of \(source).\(name) would lead to another part than before",
                    "Give the new relationship another name, and make its links once the store is open.")
            }
            if mapping.destinations.count == 1, UTF8Text.areEqual(mapping.destinations[0], source) {
                continue
            }
            for relationship in across {
                let owner = stage.start?.entities[relationship.owner].name ?? ""
                if relationship.linkEntity != nil, UTF8Text.areEqual(owner, source) {
                    throw refusal(
                        mapping, "the links of \(owner).\(relationship.name) lead to another part",
                        "Keep the type, or give up the relationship in a version before.")
                }
                let target = relationship.targetSchema.name
                if mapping.kind == .delete, UTF8Text.areEqual(target, source),
                    stage.target.number(named: source) != nil
                {
                    throw refusal(
                        mapping, "items of another part refer to them by \(owner).\(relationship.name)",
                        "Give the next version's type another name.")
                }
            }
        }
    }
}

extension PartSteps {
    /// The name of a relationship whose links lead to another part from now on, or did so before.
    private func changedLinks(of mapping: EntityMapping, at number: Int) -> String? {
        let stage = stages[number]
        guard mapping.readsRows, let start = stage.start, let name = mapping.destinations.first else {
            return nil
        }
        let (old, new) = (crossing(start, at: number), crossing(stage.target, at: number + 1))
        let known = links(of: mapping.sources[0], in: start)
        return links(of: name, in: stage.target).first { relationship in
            let declared = stage.target.entities[relationship.owner].relationships[relationship.number]
            let names = [declared.name] + [declared.originalName].compactMap { $0 }
            let before = known.first { other in names.contains { UTF8Text.areEqual($0, other.name) } }
            return before.map { old.contains($0) != new.contains(relationship) } ?? false
        }?.name
    }

    /// Refuses new rows that would begin with a reference to another type than before: a part would copy it, as it does not know
    /// the references that lead to or from another one.
    private func requireNoLostReference(_ number: Int) throws(DataStoreError) {
        let found = lost[number].first { reference in
            places[number][UTF8Key(reference.owner)] != nil
                && (isCrossing(from: reference.owner, to: reference.target, at: number)
                    || isCrossing(from: reference.newOwner, to: reference.newTarget, at: number + 1))
        }
        guard let found else { return }
        throw DataStoreError(
            .unsupported,
            """
            The step \(stages[number].step) makes rows of \(found.newOwner), and \(found.owner).\(found.name) would lead \
            to another type, and one of the two is in another part.
            """,
            advice: """
                Let it refer to the type that its items become. Or give the new relationship another name, and set it once \
                the store is open.
                """, itemType: found.owner, attribute: found.name)
    }

    private func links(of type: String, in version: StoreSchema) -> [StoreRelationship] {
        let own = version.number(named: type).map { version.relationships[$0] } ?? []
        return own.filter { !$0.isDerived && $0.linkEntity != nil }
    }
}

// MARK: Closures

extension PartSteps {
    private func step(_ number: Int, of part: Int) -> SchemaStep {
        let stage = stages[number]
        let mappings = stage.step.mappings.filter { runs($0, in: part, at: number) }
        var step = SchemaStep(from: stage.step.from, to: stage.step.to) {
            for mapping in mappings { mapping }
        }
        if let body = stage.step.before {
            step = step.before(confine(body, of: number, to: part, at: number, haveRun[number][0]))
        }
        if let body = stage.step.after {
            step = step.after(confine(body, of: number, to: part, at: number + 1, haveRun[number][1]))
        }
        return step
    }

    /// A closure that each part calls, and that ends at once in a part without its first type.
    private func confine(
        _ body: @escaping @Sendable (StepAccessor) throws -> Void, of number: Int, to part: Int,
        at version: Int, _ hasRun: Locked<Bool>
    ) -> @Sendable (StepAccessor) throws -> Void {
        let (stage, name) = (stages[number], schema.names[part])
        let declared = (version == number ? stage.start : stage.target)?.entities.map { UTF8Key($0.name) }
        let here = places[version].filter { $0.value.contains(part) }
        let elsewhere = Set(declared ?? []).union(places[version].keys).subtracting(here.keys)
        let inNewParts = elsewhere.filter { isInNewParts($0.text, at: version) }
        return { accessor in
            if hasRun.withLock({ $0 }) { return }
            let result = Result { try body(accessor) }
            if let type = accessor.unknownType, elsewhere.contains(UTF8Key(type)) {
                if inNewParts.contains(UTF8Key(type)) {
                    throw DataStoreError(
                        .unsupported,
                        "A closure of the step \(stage.step) uses \(type), and the part of these items is new.",
                        advice: "Insert them in a block of the app, once the store is open.", itemType: type)
                }
                // Its own part calls it too.
                guard accessor.hasNamedType else { return }
                throw DataStoreError(
                    .unsupported,
                    """
                    A closure of the step \(stage.step) uses \(type) besides types of the part "\(name)", which does \
                    not keep \(type).
                    """,
                    advice: "Use the types of one part in a closure; another step may have another closure.",
                    itemType: type)
            }
            if !accessor.hasNamedType { hasRun.withLock { $0 = true } }
            try result.get()
        }
    }

    /// The error of a mapping that has asked for rows of another part; nil for any other error.
    func refusal(for error: DataStoreError, in part: Int) -> DataStoreError? {
        guard let type = error.itemType else { return nil }
        let versions = stages.enumerated().flatMap { number, stage in
            [(number, stage.start), (number + 1, stage.target)]
        }
        let isCrossing: Bool
        switch error.code {
        case .unknownItemType:
            let isHere = places.contains { $0[UTF8Key(type)]?.contains(part) ?? false }
            isCrossing = !isHere && versions.contains { $0.1?.number(named: type) != nil }
        case .unknownAttribute:
            isCrossing = versions.contains { number, version in
                guard let version, let attribute = error.attribute else { return false }
                return version.relationships.joined().contains { relationship in
                    UTF8Text.areEqual(relationship.name, attribute)
                        && UTF8Text.areEqual(version.entities[relationship.owner].name, type)
                        && self.isCrossing(relationship, of: version, at: number)
                }
            }
        default: isCrossing = false
        }
        if !isCrossing { return nil }
        let subject = error.attribute.map { "\(type).\($0), which leads" } ?? "\(type), which belongs"
        return DataStoreError(
            .unsupported, "A step over the part \"\(schema.names[part])\" uses \(subject) to another part.",
            advice: "Use the rows of one part in a mapping; relate items in a block, once the store is open.",
            itemType: type, attribute: error.attribute)
    }
}
