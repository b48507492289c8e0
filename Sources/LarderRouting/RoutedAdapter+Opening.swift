import LarderEngine
import LarderKernel
import LarderVersions

import struct Foundation.UUID

// The first part is opened first, and made known to the others before they have a record: a part with a record has had a
// first part, so it is missing and not new.

extension RoutedAdapter {
    /// Opens every part.
    ///
    /// - Returns: The rows of all parts; nil if the opening has changed them, and checked what it has changed.
    /// - Throws: `.partMissing`, `.schemaMismatch`, with nothing changed; the errors of the parts. All parts are closed
    ///   then.
    func openParts(
        _ schema: RoutedSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) -> StoredSchema? {
        var stored: [StoredSchema?] = []
        for part in parts { stored.append(try part.adapter.storedSchema()) }
        let belong = stored.map { $0?.entity(named: PartRecord.entity.name) != nil }
        // A part without a record was made inside an opening that failed in the first part.
        for part in parts.indices where belong[part] && !belong[0] {
            if try records(of: part, stored[part] ?? .empty).isEmpty { continue }
            if try belongsNow(0) { return try openParts(schema, by: plan) }
            throw missing(parts[0], besides: parts[part])
        }
        if let plan, plan.hasSteps, let upgrade = try self.upgrade(stored, to: schema, by: plan) {
            try requireNoItemsElsewhere(stored, schema, onlyLinks: true)
            try prepare(upgrade, of: stored, to: schema, belong: belong)
            try upgrade.run()
            return nil
        }
        let plan = plan?.withoutSteps()
        try requireNoItemsElsewhere(stored, schema)
        // A part that does not fit is refused before another one changes.
        var evolutions: [SchemaEvolution] = []
        for part in parts.indices {
            let known = stored[part] ?? .empty
            do throws(DataStoreError) {
                evolutions.append(try SchemaEvolution(from: known, to: schema.parts[part]))
            } catch {
                // Its own error knows more of the version that the part has.
                _ = try SchemaMigration(from: known, to: schema.parts[part])
                throw error
            }
        }
        let merged = StoredSchema(merging: stored, naming: typeNames) ?? .empty
        let before = merged.withFormerNames(in: schema.whole)
        _ = try SchemaEvolution(from: before, to: schema.whole)
        let own = parts.indices.map { schema.part($0, keepingVersionOf: stored[$0], evolutions[$0]) }
        let isChanged = parts.indices.contains {
            evolutions[$0].isNeeded && stored[$0]?.entities.isEmpty == false
        }
        if isChanged, !isReadOnly {
            let upgrade = try PartUpgrade(of: self, stored, to: schema, own, since: before, by: plan)
            try prepare(upgrade, of: stored, to: schema, belong: belong)
            try upgrade.run()
            return nil
        }
        // The commit of a killed process may change types that this one does not name.
        let hiding = parts.indices.dropFirst().filter { part in
            let entities = stored[part]?.entities.filter { !$0.isOfRouting } ?? []
            return !entities.allSatisfy { schema.parts[part].number(named: $0.name) != nil }
        }
        if !hiding.isEmpty { try finishAsStored(hiding, stored, schema, belong: belong) }
        var opened = 0
        do throws(DataStoreError) {
            for part in parts.indices {
                try parts[part].adapter.open(own[part], by: plan)
                opened = part + 1
                if part > 0 { continue }
                try readingFirstPart(schema) { first throws(DataStoreError) in
                    try requireKnownParts(first, belong: belong)
                }
            }
        } catch {
            for part in parts[..<opened] { try? part.adapter.close() }
            throw error
        }
        return before
    }

    /// Refuses a schema that moves a type to another part: items stay in theirs, so the type would look empty.
    ///
    /// - Parameter onlyLinks: True for links alone, as steps refuse types themselves: a part that has a type, and is not to
    ///   keep its links any more, would remove them.
    private func requireNoItemsElsewhere(
        _ stored: [StoredSchema?], _ schema: RoutedSchema, onlyLinks: Bool = false
    ) throws(DataStoreError) {
        for part in parts.indices {
            guard let known = stored[part] else { continue }
            let left = known.entities.compactMap { entity -> (name: String, place: Int)? in
                guard !entity.isOfRouting, let number = schema.number(ofStored: entity) else { return nil }
                let owner = entity.linkOwner ?? ""
                if onlyLinks, schema.parts[part].number(named: owner) == nil { return nil }
                let places = schema.places[number].map(\.part)
                return places.contains(part) ? nil : (entity.name, places[0])
            }
            if left.isEmpty { continue }
            guard let name = try firstWithRows(left.map { $0.name }, in: part, known),
                let place = left.first(where: { UTF8Text.areEqual($0.name, name) })?.place
            else { continue }
            throw DataStoreError(
                .schemaMismatch,
                """
                The part "\(parts[part].name)" has rows of \(name), which the part \
                "\(parts[place].name)" is to keep now.
                """,
                advice: """
                    Keep the type in its part. Or open the store with the earlier parts, export the items and \
                    delete them; then import them with the new parts. Nothing was changed.
                    """, itemType: name, path: parts[part].adapter.location)
        }
    }

    /// The first of some stored types of a part that has rows; nil if none has.
    func firstWithRows(
        _ types: [String], in part: Int, _ stored: StoredSchema
    ) throws(DataStoreError) -> String? {
        try readingAsStored(part, stored) { reading, own throws(DataStoreError) -> String? in
            for type in types {
                guard let number = own.number(named: type) else { continue }
                let first = RequestPlan(entity: number, schema: own.entities[number], limit: 1)
                if try reading.count(for: first) > 0 { return type }
            }
            return nil
        }
    }

    /// Refuses to open the store without a part that the first part knows.
    private func requireKnownParts(_ first: FirstPart, belong: [Bool]) throws(DataStoreError) {
        for part in parts.indices.dropFirst() where !belong[part] && !parts[part].mayBeLost {
            if try first.record(of: parts[part].name) == nil { continue }
            if try !belongsNow(part) { throw missing(parts[part], besides: parts[0]) }
        }
    }

    /// True if a part that is not open belongs to the store: another process may have made it since the opening began.
    private func belongsNow(_ part: Int) throws(DataStoreError) -> Bool {
        try parts[part].adapter.storedSchema()?.entity(named: PartRecord.entity.name) != nil
    }

    /// Finishes the last commit over several parts in some of them while they have all types that it was made with.
    func finishAsStored(
        _ numbers: [Int], _ stored: [StoredSchema?], _ schema: RoutedSchema, belong: [Bool]
    ) throws(DataStoreError) {
        guard !isReadOnly, belong[0], let first = stored[0] else { return }
        let records = RoutedSchema(recordsBeside: schema)
        try whileOpen(0, records.parts[0].named(first.version)) { () throws(DataStoreError) in
            try readingFirstPart(records) { first throws(DataStoreError) in
                try requireKnownParts(first, belong: belong)
                try requireFinished(first)
            }
            for part in numbers where belong[part] {
                if let own = stored[part] { try finishAsStored(part, own, records) }
            }
        }
    }

    /// Finishes a commit in a part, while it has the schema of the journal.
    private func finishAsStored(
        _ part: Int, _ stored: StoredSchema, _ schema: RoutedSchema
    ) throws(DataStoreError) {
        // The changes have folded texts, by the same Unicode tables as the part; these are folded again with the others.
        let own = try StoreSchema(of: stored).opened(for: .inspection)
        try whileOpen(part, own) { () throws(DataStoreError) in
            let isFinished = try readingFirstPart(schema) { first throws(DataStoreError) -> Bool in
                guard let known = try first.record(of: parts[part].name) else { return true }
                return try hasCommit(known, parts[part], own)
            }
            if isFinished { return }
            try withFirstPart(schema) { first, _ throws(DataStoreError) in
                guard let known = try first.record(of: parts[part].name) else { return }
                try finish(parts[part], known, own, by: first, isWhole: true)
            }
        }
    }

    /// The records of a part that is not open, by their names; none if it does not belong to a store.
    func records(
        of part: Int, _ stored: StoredSchema
    ) throws(DataStoreError) -> [UTF8Key: PartRecord] {
        if stored.entity(named: PartRecord.entity.name) == nil { return [:] }
        return try readingAsStored(part, stored) {
            reading, own throws(DataStoreError) -> [UTF8Key: PartRecord] in
            guard let entity = own.number(named: PartRecord.entity.name) else { return [:] }
            return try PartRecord.all(in: reading, entity)
        }
    }

    /// Runs a body with a snapshot of a part that is not open, with the schema that it has.
    private func readingAsStored<Value>(
        _ part: Int, _ stored: StoredSchema,
        _ body: (any StorageReading, StoreSchema) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        let own = try StoreSchema(of: stored).opened(for: .inspection)
        return try whileOpen(part, own) { () throws(DataStoreError) -> Value in
            let reading = try parts[part].adapter.beginReading()
            defer { reading.end() }
            return try body(reading, own)
        }
    }

    /// Opens a part for the time of a body.
    func whileOpen<Value>(
        _ part: Int, _ schema: StoreSchema, _ body: () throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        try parts[part].adapter.open(schema)
        let value: Value
        do throws(DataStoreError) {
            value = try body()
        } catch {
            try? parts[part].adapter.close()
            throw error
        }
        try parts[part].adapter.close()
        return value
    }

    /// Gives each part its record, and finishes the last commit over several parts.
    ///
    /// - Parameter stored: The rows of all parts, if the opening has not changed them.
    func identify(
        _ schema: RoutedSchema, since stored: StoredSchema?
    ) throws(DataStoreError) -> String {
        // No part is locked then: another process may be in a long block.
        if let identity = try identityOfComplete(schema, since: stored) { return identity }
        let identity = try makeIdentity(schema)
        try withFirstPart(schema) { first, writing throws(DataStoreError) in
            try requireFinished(first)
            var isChanged = false
            for part in parts.indices.dropFirst() {
                let name = parts[part].name
                let known = try first.record(of: name)
                let record = known ?? PartRecord(identity: identity)
                try finish(parts[part], record, schema.parts[part], by: first)
                guard known == nil else { continue }
                try record.write(as: name, in: writing, schema.record(of: 0))
                isChanged = true
            }
            if try !first.isFinished() {
                try first.storeFinished(in: writing)
                isChanged = true
            }
            if try storeRelationships(schema, since: stored, in: writing) || isChanged {
                try writing.commit()
            }
            noteFinished(first.lastCommit, isStored: true)
        }
        return identity
    }

    /// The identity of a store in which an opening has nothing to write, or may not write; nil if it may have.
    ///
    /// The records tell that a commit is finished, if the first part was not told: the process that made it may still have
    /// the store open.
    ///
    /// - Throws: `.partMismatch` for a part of another store; `.schemaMismatch` if a type is left out that may not be.
    private func identityOfComplete(
        _ schema: RoutedSchema, since stored: StoredSchema?
    ) throws(DataStoreError) -> String? {
        try readingFirstPart(schema) { first throws(DataStoreError) -> String? in
            guard let own = try first.record(of: parts[0].name) else { return isReadOnly ? "" : nil }
            var isFinished = true
            for (part, rows) in zip(parts, schema.parts).dropFirst() {
                let known = try first.record(of: part.name)
                let record = known ?? PartRecord(identity: own.identity)
                if try !hasCommit(record, part, rows) || known == nil { isFinished = false }
            }
            if isReadOnly { return own.identity }
            guard isFinished, try partBehind(first) == nil,
                try hasRelationships(schema, since: stored, in: first.reading)
            else { return nil }
            noteFinished(own.commit, isStored: try first.isFinished())
            return own.identity
        }
    }

    /// The identity in the first part, which gets one before any other part has it.
    private func makeIdentity(_ schema: RoutedSchema) throws(DataStoreError) -> String {
        try withFirstPart(schema) { first, writing throws(DataStoreError) -> String in
            if let known = try first.record(of: parts[0].name) { return known.identity }
            let record = PartRecord(identity: UUID().uuidString)
            try record.write(as: parts[0].name, in: writing, schema.record(of: 0))
            try writing.commit()
            return record.identity
        }
    }

    private func missing(_ part: Part, besides other: Part) -> DataStoreError {
        DataStoreError(
            .partMissing,
            "The part \"\(part.name)\" does not exist, and the part \"\(other.name)\" belongs to the same store.",
            advice: """
                Put it back, or restore all parts from one backup. If destroy() was interrupted, call it again. Nothing was \
                changed.
                """,
            path: part.adapter.location)
    }
}

extension RoutedSchema {
    /// The number of the entity that a stored one is, by its name or else by its earlier one; nil if the app has none.
    fileprivate func number(ofStored stored: StoredSchema.Entity) -> Int? {
        if let number = whole.number(named: stored.name) { return number }
        return whole.entities.firstIndex { entity in
            entity.originalName.map { UTF8Text.areEqual($0, stored.name) } ?? false
        }
    }

    /// The schema of a part, as the stored version of a history if none of the app's types changes.
    fileprivate func part(
        _ part: Int, keepingVersionOf stored: StoredSchema?, _ evolution: SchemaEvolution
    ) -> StoreSchema {
        let changes = evolution.entities.contains { entity in
            var rows = entity.old
            rows?.relationships = []
            return entity.entity < record(of: part) && rows != entity.new
        }
        guard parts[part].version == nil, let version = stored?.version, !changes, evolution.removed.isEmpty
        else { return parts[part] }
        return parts[part].named(version)
    }
}

extension StoredSchema {
    /// The entities of parts, each once, without the library's own; nil if no part exists.
    ///
    /// A type that was moved is as its new part has it: the old one keeps an empty table, in the shape of that time.
    ///
    /// - Parameter names: For each part the names of its item types.
    init?(merging parts: [StoredSchema?], naming names: [Set<UTF8Key>]) {
        self = .empty
        if parts.allSatisfy({ $0 == nil }) { return nil }
        for (number, part) in parts.enumerated() {
            guard let part else { continue }
            generation += part.generation
            identity = identity ?? part.identity
            version = version ?? part.version
            for var entity in part.entities where !entity.isOfRouting {
                // A type in several parts.
                if self.entity(named: entity.name) != nil { continue }
                let type = UTF8Key(entity.linkOwner ?? entity.name)
                let isElsewhere = parts.indices.contains { other in
                    names[other].contains(type) && parts[other]?.entity(named: entity.name) != nil
                }
                if isElsewhere, !names[number].contains(type) { continue }
                entity.number = nextEntityNumber
                nextEntityNumber += 1
                entities.append(entity)
            }
        }
    }

    /// The same entities, each once: a process was killed when some parts had given a type its new name.
    fileprivate func withFormerNames(in schema: StoreSchema) -> StoredSchema {
        let renamed = schema.entities.filter { entity in
            guard !entity.isLink, let former = entity.originalName else { return false }
            return schema.number(named: former) == nil && self.entity(named: former) != nil
        }
        var copy = self
        copy.entities.removeAll { stored in renamed.contains { UTF8Text.areEqual($0.name, stored.name) } }
        return copy
    }
}

extension StoredSchema.Entity {
    /// True if it is not the app's.
    var isOfRouting: Bool {
        UTF8Text.areEqual(name, PartRecord.entity.name) || UTF8Text.areEqual(name, CommitJournal.entity.name)
    }
}
