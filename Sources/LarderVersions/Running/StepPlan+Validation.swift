import LarderEngine
import LarderKernel

// MARK: The mappings fit the two versions

extension StepPlan {
    /// Checks that the mappings fit the two versions, before anything runs.
    ///
    /// - Throws: `.invalidSchema`, with the mapping and a mark below the name that is wrong.
    func validate() throws(DataStoreError) {
        var seen: [UTF8Key: EntityMapping] = [:]
        for mapping in step.mappings {
            for name in mapping.sources {
                if sourceNumber(name) == nil {
                    let known = stored.entities.filter { !$0.isLink }.map(\.name)
                    throw unknown(name, in: mapping, of: step.from, known: known)
                }
                if let other = seen.updateValue(mapping, forKey: UTF8Key(name)) {
                    throw fault(
                        "names \"\(name)\" in two mappings", at: name, in: mapping, besides: other,
                        advice: "Put what happens to its rows into one mapping.", itemType: name)
                }
            }
            for name in mapping.destinations where targetNumber(name) == nil {
                let known = target.entities.filter { !$0.isLink }.map(\.name)
                throw unknown(name, in: mapping, of: step.to, known: known)
            }
            try requireDistinctDestinations(mapping)
            try requireAttributes(mapping)
            try requireReference(mapping)
        }
        try requireFreeNames()
    }

    private func requireDistinctDestinations(_ mapping: EntityMapping) throws(DataStoreError) {
        for (position, name) in mapping.destinations.enumerated() {
            if mapping.destinations[..<position].contains(where: { UTF8Text.areEqual($0, name) }) {
                throw fault(
                    "makes rows of \"\(name)\" twice in one mapping", at: name, in: mapping,
                    advice: "Name each new type once.", itemType: name)
            }
        }
    }

    private func requireAttributes(_ mapping: EntityMapping) throws(DataStoreError) {
        let old = mapping.sources.first.flatMap(sourceNumber).map { stored.entities[$0] }
        let new = mapping.destinations.first.flatMap(targetNumber).map { target.entities[$0] }
        for fill in mapping.fills {
            guard let new, old != nil else {
                throw fault(
                    "fills \"\(fill.attribute)\" in a mapping that has no old and new rows",
                    at: mapping.sources.first ?? "", in: mapping, advice: "Remove the fill.", itemType: nil)
            }
            guard let column = new.column(named: fill.attribute), column > 0 else {
                throw unknownAttribute(
                    fill.attribute, of: new.name, step.to, known: new.declaredAttributes.map(\.name),
                    in: mapping)
            }
            let type = new.attributes[column].type
            guard fill.type.widens(to: type) else {
                throw fault(
                    """
                    fills \(new.name).\(fill.attribute), which version \(step.to) stores as \(type.rawValue), \
                    with values stored as \(fill.type.rawValue)
                    """, at: new.name, in: mapping, advice: "Return a value of the attribute's type.",
                    itemType: new.name, attribute: fill.attribute)
            }
        }
        for renamed in mapping.renamedAttributes {
            guard let old, let new else {
                throw fault(
                    "renames \"\(renamed.old)\" in a mapping that has no old and new rows",
                    at: mapping.sources.first ?? "", in: mapping, advice: "Remove the renaming.",
                    itemType: nil)
            }
            if !old.attributes.contains(where: { UTF8Text.areEqual($0.name, renamed.old) }) {
                throw unknownAttribute(
                    renamed.old, of: old.name, step.from, known: old.attributes.map(\.name), in: mapping)
            }
            let others = mapping.renamedAttributes.filter { other in
                UTF8Text.areEqual(other.old, renamed.old) && !UTF8Text.areEqual(other.new, renamed.new)
            }
            if !others.isEmpty {
                throw fault(
                    "gives \(old.name).\(renamed.old) two names", at: old.name, in: mapping,
                    advice: "Rename it once, and assign the other attribute in a Transform.",
                    itemType: old.name, attribute: renamed.old)
            }
            if new.column(named: renamed.new) == nil {
                throw unknownAttribute(
                    renamed.new, of: new.name, step.to, known: new.declaredAttributes.map(\.name), in: mapping
                )
            }
        }
    }

    /// Refuses a join by an attribute that cannot hold the other rows' identifiers.
    private func requireReference(_ mapping: EntityMapping) throws(DataStoreError) {
        guard case .joined(let reference, _) = mapping.body,
            let old = stored.entity(named: mapping.sources[0]),
            let other = stored.entity(named: mapping.sources[1])
        else { return }
        let name = reference ?? "id"
        guard let attribute = old.attributes.first(where: { UTF8Text.areEqual($0.name, name) }) else {
            throw unknownAttribute(
                name, of: old.name, step.from, known: old.attributes.map(\.name), in: mapping)
        }
        if attribute.type.storage != other.attributes[0].type.storage {
            throw fault(
                """
                joins by \(old.name).\(name), which version \(step.from) stores as \(attribute.type.rawValue), \
                rows that are identified by a \(other.attributes[0].type.rawValue)
                """, at: old.name, in: mapping, advice: "Join by an attribute that refers to the other type.",
                itemType: old.name, attribute: name)
        }
    }

    /// Refuses a new name that an old type has and keeps.
    private func requireFreeNames() throws(DataStoreError) {
        // The second type of a join goes only if the new version does not have its name.
        let consumed = Set(
            step.mappings.filter { $0.kind != .keep }
                .flatMap { $0.kind == .join ? $0.sources.prefix(1) : $0.sources[...] }.map { UTF8Key($0) })
        let renames = step.mappings.filter { $0.kind == .rename && !$0.readsRows }
        for mapping in renames {
            guard let name = mapping.destinations.first else { continue }
            let isTaken = sourceNumber(name) != nil && !consumed.contains(UTF8Key(name))
            let others = renames.filter { $0.destinations.contains { UTF8Text.areEqual($0, name) } }
            if isTaken || others.count > 1 {
                throw fault(
                    "gives a type the name \"\(name)\", which another one has", at: name, in: mapping,
                    besides: others.last { $0.sources != mapping.sources },
                    advice: "To put the rows of two types into one, write a Transform for each.",
                    itemType: name)
            }
        }
    }

    /// Refuses a type that stays, and is made row by row for another mapping's sake, if its attributes do
    /// not follow by themselves.
    func requireInferable(_ mapping: EntityMapping) throws(DataStoreError) {
        guard let old = mapping.sources.first.flatMap(sourceNumber).map({ stored.entities[$0] }),
            let new = targetNumber(mapping.destinations[0]).map({ target.entities[$0] })
        else { return }
        var differences: [SchemaDifference] = []
        let positions = old.positions(of: new.attributes, renamed: mapping.originalNames)
        for (column, attribute) in new.declaredAttributes.enumerated() {
            if mapping.fills.contains(where: { UTF8Text.areEqual($0.attribute, attribute.name) }) { continue }
            if let position = positions[column] {
                differences += [
                    SchemaDifference(attribute, of: new.name, storedAs: old.attributes[position])
                ].compactMap(\.self)
            } else if try attribute.defaultValue() == nil, !attribute.isOptional {
                differences.append(SchemaDifference(new: attribute, of: new, in: old))
            }
        }
        if !differences.isEmpty { throw .mismatch(differences) }
    }

    private func unknown(
        _ name: String, in mapping: EntityMapping, of version: String, known: [String]
    ) -> DataStoreError {
        fault(
            "names \"\(name)\", and version \(version) has no type of this name", at: name, in: mapping,
            advice: "Version \(version) has these: \(known.joined(separator: ", ")).", itemType: name)
    }

    private func unknownAttribute(
        _ name: String, of type: String, _ version: String, known: [String], in mapping: EntityMapping
    ) -> DataStoreError {
        fault(
            "names \(type).\(name), and version \(version) has no attribute of this name", at: type,
            in: mapping, advice: "It has these: \(known.joined(separator: ", ")).", itemType: type,
            attribute: name)
    }

    /// The error, with the mappings as they are written and a mark below the name.
    private func fault(
        _ what: String, at name: String, in mapping: EntityMapping, besides other: EntityMapping? = nil,
        advice: String, itemType: String?, attribute: String? = nil
    ) -> DataStoreError {
        var excerpt: [String] = []
        for line in [other, mapping].compactMap({ $0?.description }) {
            excerpt.append("    " + line)
            if let place = line.firstRange(of: "\"\(name)\"") {
                let before = line.distance(from: line.startIndex, to: place.lowerBound)
                excerpt.append(
                    String(repeating: " ", count: before + 4) + String(repeating: "^", count: name.count + 2))
            }
        }
        return DataStoreError(
            .invalidSchema, "The step \(step) \(what):", excerpt: excerpt, advice: advice,
            itemType: itemType, attribute: attribute)
    }
}
