import struct Foundation.UUID
import LarderKernel

/// Some hundred sources on their way into rows, named by their numbers among all sources of the call.
struct ImportBatch {
    private let run: ImportRun
    private let core: ImportCore<Int>
    /// The attributes by which items are found.
    private let keys: ColumnSet
    private let owners: ImportRun.Owners?
    private let arena: RowArena
    private let entity: Int
    private var rows: KeyedBatch
    private var sources: [Taken] = []
    /// One for each field; nil for a value.
    private var nested: [NestedField?] = []
    private(set) var counts = ImportCounts()

    /// A source and its result.
    private struct Taken {
        let source: Int
        let position: Int
        let key: Key?
        var isSkipped = true
        /// The row of one that is not skipped; whether the source has brought it, and whether it has changed its values.
        var row = -1
        var isNew = false
        var isChanged = false
        /// The item that `shouldUpdate` leaves unchanged.
        var kept: AnyItemID?
    }

    /// The key of a source.
    private struct Key {
        /// The values as the unique index compares them.
        let found: UniqueKey
        /// The values for a new row, which differ in texts without case or diacritics.
        let given: [Constant]
    }

    /// The nested objects of a field.
    private struct NestedField {
        let objects: NestedSources
        /// For each source the places of its objects; nil if it leaves the attribute unchanged.
        var places: [Range<Int>?] = []
        /// If the field is a reference, one for each object.
        var identifiers: [AnyItemID?] = []
    }

    init(
        _ run: ImportRun, _ core: ImportCore<Int>, entity: Int, arena: RowArena,
        owners: ImportRun.Owners?
    ) {
        self.run = run
        self.core = core
        self.entity = entity
        self.arena = arena
        self.owners = owners
        keys = ColumnSet(core.keys.map(\.column))
        rows = KeyedBatch(run.call, entity: entity, keyColumns: core.keyColumns, arena: arena)
    }
}

// MARK: Taking

extension ImportBatch {
    /// Takes sources of a range: all of them, or those before the second source of an item, if that depends on what
    /// the first has done.
    mutating func take(_ range: Range<Int>, at positions: [Int]) throws {
        let isEachOnce = core.shouldUpdate != nil || givesOneToOnes
        var seen: Set<UniqueKey> = []
        try run.asking {
            for source in range {
                let key = try key(of: source, at: positions[source])
                if isEachOnce, let key, !seen.insert(key.found).inserted { break }
                sources.append(Taken(source: source, position: positions[source], key: key))
            }
        }
        if !core.keys.isEmpty { try rows.find(sources.map(\.key?.found)) }
        try run.asking { try decide() }
        try takeNested()
        try run.asking {
            for number in sources.indices where !sources[number].isSkipped { try take(number) }
        }
    }

    /// True if sources give values that no two items share: each frees its holder, even if a later source replaces it.
    private var givesOneToOnes: Bool {
        rows.oneToOneColumns.contains { column in
            owners?.column == column || core.fields.contains { $0.column == column }
        }
    }

    /// The values by which the item of a source is found; nil if it has none.
    private func key(of source: Int, at position: Int) throws -> Key? {
        if core.keys.isEmpty { return nil }
        var values: [Constant] = []
        for key in core.keys {
            let cell: Cell
            if let value = key.value {
                cell = try placing(position, core.keyName, key.column) { try value(source, arena) }
            } else if let owners, owners.column == key.column {
                cell = try owners.identifiers[source].encode(in: arena)
            } else {
                throw DataStoreError(
                    .invalidRequest, "A map that finds items within their owner was used without an owner.",
                    advice: "Use it for the relationship whose other side it names.",
                    itemType: core.schema.name, attribute: core.schema.attributes[key.column].propertyName)
            }
            if cell.isNull { return nil }
            values.append(Constant(cell, storage: core.schema.storage(ofColumn: key.column)))
        }
        let foldsKeys = core.foldsKeys
        let found = UniqueKey(count: values.count) {
            foldsKeys ? core.schema.constant(values[$0], at: core.keyColumns[$0]) : values[$0]
        }
        return found.map { Key(found: $0, given: values) }
    }

    /// Decides which sources are skipped, as if each were imported before the next one.
    private mutating func decide() throws {
        var inserted: Set<UniqueKey> = []
        for number in sources.indices {
            let (source, key) = (sources[number].source, sources[number].key?.found)
            if !core.keys.isEmpty && key == nil { continue }
            if let key, let row = rows.position(of: key) {
                if let shouldUpdate = core.shouldUpdate, try !shouldUpdate(rows.rows[row].cells, source) {
                    sources[number].kept = rows.identifier(of: row)
                    continue
                }
            } else if key.map({ !inserted.contains($0) }) ?? true {
                if let shouldInsert = core.shouldInsert, try !shouldInsert(source) { continue }
                if let key { inserted.insert(key) }
            }
            sources[number].isSkipped = false
        }
    }

    /// Imports the nested objects that the sources refer to, as they must be stored first.
    private mutating func takeNested() throws {
        for field in core.fields {
            var one: NestedField
            switch field.target {
            case .column:
                nested.append(nil)
                continue
            case .reference(_, let make), .items(_, _, let make):
                one = NestedField(objects: make { $0 })
            }
            try run.asking {
                for taken in sources {
                    let places =
                        taken.isSkipped
                        ? nil
                        : try placing(taken.position, field.name, nil) {
                            try one.objects.add(taken.source, at: taken.position)
                        }
                    one.places.append(places)
                }
            }
            if case .reference = field.target {
                one.identifiers = try one.objects.resolve(in: run, owners: nil)
            }
            nested.append(one)
        }
        // Nested objects may have changed or inserted the rows that were just read.
        if core.reachesItself, !core.keys.isEmpty {
            rows = KeyedBatch(run.call, entity: entity, keyColumns: core.keyColumns, arena: arena)
            try rows.find(sources.map(\.key?.found))
        }
    }

    /// Puts the values of a source into its row.
    private mutating func take(_ number: Int) throws {
        let taken = sources[number]
        let row: Int
        var isChanged = false
        let isNew: Bool
        if let key = taken.key?.found, let known = rows.position(of: key) {
            (row, isNew) = (known, false)
        } else {
            row = rows.insert(try makeRow(for: taken), key: taken.key?.found)
            isNew = true
        }
        sources[number].row = row
        var given = keys
        if let owners {
            given.insert(owners.column)
            let cell = try owners.identifiers[taken.source].encode(in: arena)
            if try rows.set(cell, at: owners.column, of: row) { isChanged = true }
        }
        for (field, nested) in zip(core.fields, nested) {
            // An item that is stored keeps its identifier, and a key is what it was found by.
            guard let column = field.column, !keys.contains(column), isNew || column != 0 else { continue }
            let cell: Cell?
            switch field.target {
            case .column(_, let value):
                cell = try placing(taken.position, field.name, column) { try value(taken.source, arena) }
            case .reference: cell = try reference(nested, of: number)
            case .items: continue
            }
            guard let cell else { continue }
            given.insert(column)
            if try rows.set(cell, at: column, of: row) { isChanged = true }
            if cell.isNull, !core.schema.attributes[column].isOptional {
                throw missing(column, field.name, "The source has none, or null").inSource(
                    taken.position, key: field.name)
            }
        }
        if isNew { try complete(row, given, taken) }
        (sources[number].isNew, sources[number].isChanged) = (isNew, isChanged)
    }

    private func reference(_ nested: NestedField?, of number: Int) throws -> Cell? {
        guard let nested, let places = nested.places[number] else { return nil }
        let identifier = places.first.flatMap { nested.identifiers[$0] }
        return try identifier?.encode(in: arena) ?? .null
    }
}

// MARK: New rows

extension ImportBatch {
    private func makeRow(for taken: Taken) throws -> UnsafeMutablePointer<Cell> {
        let row: UnsafeMutablePointer<Cell>
        if let make = core.make {
            let cells = try placing(taken.position, nil, nil) { try make(taken.source, arena) }
            row = UnsafeMutablePointer(mutating: cells)
        } else {
            row = try arena.makeCells(core.schema.attributes.count)
            switch core.schema.attributes[0].type {
            case .itemID: row[0] = .integer(ItemIDGenerator.shared.next())
            case .uuid: row[0] = try UUID().encode(in: arena)
            default: break
            }
        }
        for (part, value) in zip(core.keys, taken.key?.given ?? []) {
            row[part.column] = try arena.cell(of: value)
        }
        return row
    }

    /// Gives a new row the defaults of its attributes.
    private mutating func complete(_ row: Int, _ given: ColumnSet, _ taken: Taken) throws {
        let cells = rows.rows[row].cells
        for column in 0..<core.schema.declaredAttributes.count
        where cells[column].isNull && !given.contains(column) {
            let attribute = core.schema.attributes[column]
            if let value = core.defaults[column] {
                cells[column] = try value(arena)
            } else if core.make == nil, let value = try attribute.defaultValue() {
                cells[column] = try arena.cell(of: value)
            }
            if cells[column].isNull, !attribute.isOptional {
                let field = core.fields.first { $0.column == column }
                let place = field.map { $0.name.map { "source has no \"\($0)\"" } ?? "source has none" }
                let why = "The \(place ?? "map does not give it"), and the attribute has no default"
                throw missing(column, field?.name, why).inSource(taken.position, key: field?.name)
            }
        }
        do {
            try DataStoreLimits.check(identifier: cells[0])
        } catch {
            throw error.about(itemType: core.schema.name).inSource(taken.position, key: nil)
        }
    }

    private func missing(_ column: Int, _ name: String?, _ why: String) -> DataStoreError {
        let attribute = core.schema.attributes[column].propertyName
        return DataStoreError(
            .invalidValue, "\(attribute) must have a value. \(why).",
            advice: "Correct the source, give the attribute a default, or make it optional.",
            itemType: core.schema.name, attribute: attribute)
    }

    /// Runs a closure of the map; an error of the library names the source.
    private func placing<Value>(
        _ position: Int, _ name: String?, _ column: Int?, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DataStoreError {
            let attribute = column.map { core.schema.attributes[$0].propertyName }
            throw error.about(itemType: core.schema.name, attribute: attribute).inSource(position, key: name)
        }
    }
}

// MARK: Writing

extension ImportBatch {
    /// Writes the rows, and then the relationships without a column.
    mutating func write() throws {
        try rows.write()
        for (field, nested) in zip(core.fields, nested) {
            guard case .items(let relationship, let items, _) = field.target, let nested else { continue }
            try relate(nested, relationship, items)
        }
        let linked = try rows.writeLinks()
        for (turn, taken) in sources.enumerated() {
            if taken.isSkipped {
                counts.skipped += 1
            } else if taken.isNew {
                counts.inserted += 1
            } else if taken.isChanged || linked.contains(turn) {
                counts.updated += 1
            } else {
                counts.unchanged += 1
            }
        }
    }

    /// Imports the nested objects of a relationship, and gives their items to the rows.
    private mutating func relate(
        _ nested: NestedField, _ relationship: Int, _ items: ImportedItems
    ) throws {
        let related = try run.call.context.resources.schema.relationship(.number(relationship), of: entity)
        var owners: ImportRun.Owners?
        if case .referrers(let column) = related.form {
            var identifiers: [AnyItemID] = []
            var stored: [AnyItemID] = []
            for (taken, places) in zip(sources, nested.places) {
                guard let places, let owner = rows.identifier(of: taken.row) else { continue }
                identifiers.append(contentsOf: repeatElement(owner, count: places.count))
                if !rows.rows[taken.row].isNew { stored.append(owner) }
            }
            owners = ImportRun.Owners(column: column, identifiers: identifiers)
            if related.kind == .toOneInverse, items == .replaceDeleting {
                try run.call.noteLeft(by: stored, of: related)
            }
        }
        let found = try nested.objects.resolve(in: run, owners: owners)
        for (turn, (taken, places)) in zip(sources, nested.places).enumerated() {
            guard let places else { continue }
            let assigned = AssignedItems(
                relationship: relationship, targets: found[places].compactMap { $0 },
                keepsOthers: items == .add)
            rows.give(assigned, to: taken.row, turn: turn, deletingLeftOver: items == .replaceDeleting)
        }
    }
}

// MARK: Results

extension ImportBatch {
    /// The items of the sources that were taken.
    var items: [ImportRun.Item] {
        sources.map { taken in
            ImportRun.Item(
                identifier: taken.isSkipped ? taken.kept : rows.identifier(of: taken.row),
                isSkipped: taken.isSkipped)
        }
    }
}
