import struct Foundation.UUID
public import LarderKernel

/// Makes the rows of the new version in a ``SchemaStep``.
///
///     let recipe = try new.make()
///     let author = try new.make("Author", id: new.newIdentifier(of: "Author"))
///     try recipe.set("author", to: author.id)
///
/// *Rule:* used inside the call it was given to, on its thread.
public final class Destination {
    private let entities: [DestinationEntity]
    private let writing: any StorageWriting
    private let state: DestinationState
    // reason for unchecked: used by one thread at a time, with every row.
    /// The rows that are not stored yet, and after them stored ones, for reuse.
    @exclusivity(unchecked) private var rows: [DestinationRow] = []
    /// The number of rows that are not stored yet.
    @exclusivity(unchecked) private var pendingCount = 0
    /// The number of rows at which all rows that no closure holds are stored.
    @exclusivity(unchecked) private var flushCount = Destination.maximumRows
    /// The keys of the rows that are not stored yet, by their entities' numbers; nil until one is asked for.
    @exclusivity(unchecked) private var pendingKeys: Set<NewRow>?
    /// The mapping that runs, and the row that it is given.
    @exclusivity(unchecked) private var mapping: DestinationMapping?
    @exclusivity(unchecked) private var source: SourceRow?
    @exclusivity(unchecked) private var mutations: [RowMutation] = []
    /// The new identifier of the present row, whose old identifier no new row has.
    @exclusivity(unchecked) private var moved: Cell?
    @exclusivity(unchecked) private var isKept = false
    /// The row that continues the old one of the present call, until it is stored.
    ///
    /// It is the one with its identifier, or else the first of the first destination. References and links of
    /// the old row become its own.
    @exclusivity(unchecked) private var continued: DestinationRow?
    /// The numbers of the links that ``continued`` was given.
    @exclusivity(unchecked) private var continuedLinks: [Int] = []
    /// The numbers of the later destinations of which the last call has made rows, and of the links that it has given rows.
    @exclusivity(unchecked) private var laterTypes: Set<Int> = []
    @exclusivity(unchecked) private var givenLinks: Set<Int> = []
    /// Rows of the lists of the step: other identifiers, and references that stay.
    @exclusivity(unchecked) private var pendingNotes: [RowMutation] = []
    private let noteArena = RowArena(chunkBytes: 4096)
    /// The bytes of the arena when the rows that closures hold were moved to it.
    @exclusivity(unchecked) private var movedBytes = 0
    /// The number of old rows with a new row of the first destination, under the same identifier or another.
    @exclusivity(unchecked) private(set) var keptIdentifiers = 0
    /// True if the last call has made a row of the first destination, which continues the old one.
    @exclusivity(unchecked) private var hasMadeRow = false

    private static let maximumRows = 256
    private static let maximumBytes = 4 << 20

    init(_ entities: [DestinationEntity], version: String, in writing: any StorageWriting) {
        self.entities = entities
        self.writing = writing
        state = DestinationState(version: version)
    }

    /// The name of the version.
    public var version: String { state.version }

    var arena: RowArena { state.arena }

    /// Makes a row, which is stored when the call ends.
    ///
    /// It begins with the old row's values of the attributes that have the same name, or are renamed, and
    /// whose type is the same or wider; then with the defaults of the app's type and of the mapping. A reference to
    /// items of a type that is another one in the new version is not taken over, and must be assigned.
    ///
    /// - Parameters:
    ///   - type: One of the mapping's destinations; nil for the first.
    ///   - id: Nil for the identifier of the old row. References and links to the old row follow the row of
    ///     the first destination to its new identifier; so the rest of the step still refers to a row by the
    ///     identifier that it had. An identifier that belongs to a row which the same call has made, or has
    ///     found by ``contains(_:id:)``, stands for that new row, so make a row before you refer to it. An
    ///     old row's value that is assigned unchanged (`row["author"] = old["author"]`) never does; an
    ///     identifier that was taken out of it, as by `identifiers(_:)`, does.
    /// - Throws: `.unknownItemType`; `.wrongType` for an identifier of another type than the new version's;
    ///   `.identifierTooLong`; what a closure of `fill` throws. A second row with an identifier is
    ///   `.duplicateIdentifier` when the call ends.
    public func make(_ type: String? = nil, id: AnyItemID? = nil) throws -> DestinationRow {
        let mapping = try runningMapping()
        if pendingCount >= flushCount || state.bytes >= Self.maximumBytes { try flush(all: false) }
        let output = try output(of: type, in: mapping)
        let entity = output.entity
        let cells = try arena.makeCells(entity.types.count)
        cells[0] = try identifierCell(id, of: output)
        let row = nextRow(of: entity, cells)
        if let source {
            for (column, number) in output.stored { cells[column] = source.cells[number] }
            for (column, constant) in output.constants { cells[column] = try arena.cell(of: constant) }
            for (column, number) in output.lost where !source.cells[number].isNull { row.lose(column) }
            if output.isFirst {
                for fill in mapping.fills {
                    let cell = try fill.fill.encode(source, arena)
                    if let column = fill.column {
                        row.put(cell, at: column)
                    } else {
                        try row.put(cell, of: fill.fill.type, for: fill.fill.attribute)
                    }
                }
            }
        }
        if output.isFirst {
            note(row, mapping, isGiven: id != nil)
        } else {
            laterTypes.insert(entity.number)
        }
        if id != nil { noteNewRow(cells[0], of: entity) }
        if pendingKeys != nil, let key = key(of: cells[0], entity) { pendingKeys?.insert(key) }
        pendingCount += 1
        return row
    }

    /// A row for the place after those that are not stored yet.
    private func nextRow(of entity: DestinationEntity, _ cells: UnsafeMutablePointer<Cell>) -> DestinationRow
    {
        if pendingCount == rows.count {
            rows.append(DestinationRow(of: entity, cells: cells, in: state))
        } else if isKnownUniquelyReferenced(&rows[pendingCount]), rows[pendingCount].entity === entity {
            rows[pendingCount].restart(with: cells)
        } else {
            rows[pendingCount] = DestinationRow(of: entity, cells: cells, in: state)
        }
        return rows[pendingCount]
    }

    /// True if the step has made a row of this type with this identifier so far.
    ///
    /// - Throws: `.unknownItemType`, `.wrongType`; errors of the engine.
    public func contains(_ type: String, id: AnyItemID) throws -> Bool {
        _ = try runningMapping()
        guard let entity = entities.first(where: { UTF8Text.areEqual($0.name, type) }) else {
            throw unknown(type, entities)
        }
        let cell = try givenIdentifier(id, of: entity)
        if let key = key(of: cell, entity), keysOfPendingRows().contains(key) {
            noteNewRow(cell, of: entity)
            return true
        }
        let row = CellBuffer(count: entity.types.count)
        defer { withExtendedLifetime(row) {} }
        let isStored = try writing.row(at: cell, of: entity.number, into: row.start)
        if isStored { noteNewRow(cell, of: entity) }
        return isStored
    }

    /// The keys of the rows that are not stored yet.
    private func keysOfPendingRows() -> Set<NewRow> {
        if let pendingKeys { return pendingKeys }
        let keys = Set(rows.prefix(pendingCount).compactMap { key(of: $0.cells[0], $0.entity) })
        pendingKeys = keys
        return keys
    }

    private func key(of identifier: Cell, _ entity: DestinationEntity) -> NewRow? {
        AnyItemID(identifier, type: entity.types[0]).map { NewRow(type: entity.number, id: $0) }
    }

    /// An identifier that no row has, for a type that is identified by an ``ItemID`` or a `UUID`.
    ///
    /// - Throws: `.unknownItemType`; `.unsupported` for a type that is identified by other values.
    public func newIdentifier(of type: String) throws(DataStoreError) -> AnyItemID {
        guard let entity = entities.first(where: { UTF8Text.areEqual($0.name, type) }) else {
            throw unknown(type, entities)
        }
        switch entity.types[0] {
        case .itemID: return ItemID<Never>().anyItemID
        case .uuid: return .uuid(UUID())
        default:
            throw DataStoreError(
                .unsupported,
                "\(type) is identified by a \(entity.types[0].rawValue), which the app chooses.",
                advice: "Give make(id:) an identifier that no other row has.", itemType: type)
        }
    }

    private func runningMapping() throws(DataStoreError) -> DestinationMapping {
        if let mapping { return mapping }
        throw DataStoreError(
            .accessorExpired, "A destination of a schema step was used after the call it was given to.")
    }

    private func output(
        of type: String?, in mapping: DestinationMapping
    ) throws(DataStoreError) -> DestinationMapping.Output {
        guard let type else { return mapping.destinations[0] }
        let output = mapping.destinations.first { UTF8Text.areEqual($0.entity.name, type) }
        if let output { return output }
        throw unknown(type, mapping.destinations.map(\.entity))
    }

    private func unknown(_ type: String, _ known: [DestinationEntity]) -> DataStoreError {
        DataStoreError(
            .unknownItemType, "The mapping makes no rows of \"\(type)\".",
            advice: "It makes rows of these: \(known.map(\.name).joined(separator: ", ")).", itemType: type)
    }

    private func identifierCell(
        _ id: AnyItemID?, of output: DestinationMapping.Output
    ) throws(DataStoreError) -> Cell {
        if let id { return try givenIdentifier(id, of: output.entity) }
        guard let source else {
            throw DataStoreError(
                .unsupported,
                "A row of \(output.entity.name) was made of no old row, and without an identifier.",
                advice: "Write make(id:).", itemType: output.entity.name)
        }
        guard output.keepsIdentifiers else { throw wrongIdentifier(of: output.entity) }
        try DataStoreLimits.check(identifier: source.cells[0])
        return source.cells[0]
    }

    private func givenIdentifier(
        _ id: AnyItemID, of entity: DestinationEntity
    ) throws(DataStoreError) -> Cell {
        guard id.fits(entity.types[0]) else { throw wrongIdentifier(of: entity) }
        let cell = try id.encode(in: arena)
        try DataStoreLimits.check(identifier: cell)
        return cell
    }

    private func wrongIdentifier(of entity: DestinationEntity) -> DataStoreError {
        DataStoreError(
            .wrongType, "Version \(version) identifies \(entity.name) by a \(entity.types[0].rawValue).",
            advice: "Write make(id:) with an identifier of this type.", itemType: entity.name, attribute: "id"
        )
    }
}

// MARK: Running

extension Destination {
    /// Runs a call of a mapping, whose rows are stored some time after it.
    func run(
        _ mapping: DestinationMapping, for source: SourceRow?, _ body: (Destination) throws -> Void
    ) throws {
        self.mapping = mapping
        self.source = source
        defer {
            self.mapping = nil
            self.source = nil
            moved = nil
            continued = nil
            if !state.newRows.isEmpty { state.newRows.removeAll(keepingCapacity: true) }
            state.epoch += 1
        }
        isKept = false
        if !continuedLinks.isEmpty { continuedLinks.removeAll(keepingCapacity: true) }
        if !laterTypes.isEmpty {
            laterTypes.removeAll(keepingCapacity: true)
            givenLinks.removeAll(keepingCapacity: true)
        }
        hasMadeRow = false
        try body(self)
        if let failure = state.failure { throw failure }
        if !state.newRows.isEmpty || !laterTypes.isEmpty {
            // The rows of the call are the last ones.
            for row in rows.prefix(pendingCount).reversed() {
                if !row.isOfRunningCall { break }
                if !state.newRows.isEmpty { try noteReferences(of: row) }
                if !laterTypes.isEmpty { givenLinks.formUnion(row.linkNumbers) }
            }
        }
        if hasMadeRow {
            keptIdentifiers += 1
            if let continued { continuedLinks += continued.linkNumbers }
        }
        guard let moved, !isKept, let source, let lists = mapping.moves else { return }
        let cells = try noteArena.makeCells(2)
        cells[0] = try noteArena.copy(source.cells[0])
        cells[1] = try noteArena.copy(moved)
        pendingNotes.append(RowMutation(.insert, entity: lists.identifiers, cells: cells))
        pendingNotes.append(RowMutation(.insert, entity: lists.taken, cells: cells + 1))
    }

    /// True if the last call has made rows of a later destination, and has given them no links of this number; nil for the
    /// first destination, of which the row that continues the old one counts.
    ///
    /// - Parameter haveStayed: True if the old links stay with a row of the first destination, so that none go.
    func lacksLinks(_ links: Int, ofLater type: Int?, haveStayed: Bool) -> Bool {
        guard let type else { return hasMadeRow && !continuedLinks.contains(links) }
        if haveStayed && hasMadeRow { return false }
        return laterTypes.contains(type) && !givenLinks.contains(links)
    }

    /// Notes a row that an identifier may stand for.
    private func noteNewRow(_ identifier: Cell, of entity: DestinationEntity) {
        guard let type = entity.movingType, let id = AnyItemID(identifier, type: entity.types[0]) else {
            return
        }
        state.newRows.insert(NewRow(type: type, id: id))
    }

    /// Notes the references of a row to new rows, which stay unchanged.
    private func noteReferences(of row: DestinationRow) throws(DataStoreError) {
        for reference in row.findReferencesToNewRows() {
            let cells = try noteArena.makeCells(1)
            cells[0] = try noteArena.copy(row.cells[0])
            pendingNotes.append(RowMutation(.insert, entity: reference.list, cells: cells))
        }
    }

    /// Notes a row of the first destination.
    ///
    /// - Parameter isGiven: False for a row that takes the identifier of the old one.
    private func note(_ row: DestinationRow, _ mapping: DestinationMapping, isGiven: Bool) {
        guard let source else { return }
        let identifier = row.cells[0]
        let isSame =
            mapping.destinations[0].keepsOwnIdentifiers
            && (!isGiven || identifier.hasSameBytes(as: source.cells[0]))
        if isSame {
            isKept = true
            continued = row
            continuedLinks.removeAll()
        } else if moved == nil {
            moved = identifier
            if !isKept { continued = row }
        }
        hasMadeRow = true
    }

    /// Stores what was made so far.
    ///
    /// - Parameter all: False to leave the rows that the running call may still change.
    func flush(all: Bool = true) throws(DataStoreError) {
        var kept: [Int] = []
        var isHeld = [Bool](repeating: false, count: pendingCount)
        mutations.removeAll(keepingCapacity: true)
        let continuedPosition = continued.flatMap { row in
            rows.prefix(pendingCount).firstIndex { $0 === row }
        }
        // Released, so that it is stored unless the closure holds it.
        continued = nil
        for position in 0..<pendingCount {
            if !all, !isKnownUniquelyReferenced(&rows[position]) {
                kept.append(position)
                isHeld[position] = true
                if position == continuedPosition { continued = rows[position] }
                continue
            }
            let row = rows[position]
            if position == continuedPosition { continuedLinks += row.linkNumbers }
            if !laterTypes.isEmpty, row.isOfRunningCall { givenLinks.formUnion(row.linkNumbers) }
            try row.requireComplete()
            if !state.newRows.isEmpty, row.isOfRunningCall { try noteReferences(of: row) }
            try row.entity.schema.fold(row.cells, in: arena)
            mutations.append(RowMutation(.insert, entity: row.entity.number, cells: row.cells))
        }
        // Rows of one type one after the other are written together.
        if entities.count > 1 { mutations.sort { $0.entity < $1.entity } }
        try apply(mutations)
        var links: [RowMutation] = []
        for position in 0..<pendingCount where !rows[position].links.isEmpty {
            if !all, isHeld[position] { continue }
            links += try rows[position].linkRows(in: arena)
            if links.count >= WriteBlock.batchSize { try storeLinks(&links) }
        }
        try storeLinks(&links)
        if all {
            try apply(pendingNotes)
            pendingNotes.removeAll(keepingCapacity: true)
            noteArena.reset()
        }
        for (index, position) in kept.enumerated() { rows.swapAt(index, position) }
        pendingCount = kept.count
        // A closure may hold many rows to its end; each of them is visited a few times at most.
        flushCount = max(Self.maximumRows, 2 * kept.count)
        pendingKeys = nil
        state.bytes = 0
        if kept.isEmpty && moved == nil {
            arena.reset()
            movedBytes = 0
        } else if arena.byteCount > max(Self.maximumBytes, 2 * movedBytes) {
            try moveKeptRows()
        }
    }

    /// Stores the links of some rows, and empties their list.
    private func storeLinks(_ links: inout [RowMutation]) throws(DataStoreError) {
        links.sort { $0.entity < $1.entity }
        try apply(links)
        links.removeAll(keepingCapacity: true)
    }

    /// Moves the rows that closures hold to fresh memory, as an arena is only emptied whole.
    private func moveKeptRows() throws(DataStoreError) {
        let fresh = RowArena()
        for row in rows.prefix(pendingCount) {
            row.cells = try fresh.copy(row: row.cells, row.entity.types.count)
        }
        if let cell = moved { moved = try fresh.copy(cell) }
        state.arena = fresh
        movedBytes = fresh.byteCount
    }

    /// Writes a row over the one that is stored.
    ///
    /// *Rule:* the row is the only one of this destination, which is not used any more.
    func update(_ row: DestinationRow) throws(DataStoreError) {
        if let failure = state.failure { throw failure }
        try row.requireComplete()
        try row.entity.schema.fold(row.cells, in: arena)
        let columns = ColumnSet(row.entity.types.indices.dropFirst())
        try writing.apply(
            RowMutation(.update, entity: row.entity.number, cells: row.cells, columns: columns))
    }

    private func apply(_ mutations: [RowMutation]) throws(DataStoreError) {
        if mutations.isEmpty { return }
        do {
            try writing.apply(mutations)
        } catch {
            // The error names the type as it is called while the step runs.
            throw error.naming(entities)
        }
    }
}
