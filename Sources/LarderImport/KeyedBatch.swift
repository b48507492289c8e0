import LarderKernel

/// Rows of one item type, found by one look-up plan or new, on their way into a store.
///
/// The rows are named by their positions: the order in which they came up. *Rule:* begins with ``find(_:)``,
/// ends with ``write()``; the cells are valid between the two.
struct KeyedBatch {
    private let call: KeyedCall
    let entity: Int
    let schema: EntitySchema
    private let keyColumns: [Int]
    /// The same columns as the app declares them.
    private let declaredKeys: ColumnSet
    private let arena: RowArena
    private(set) var rows: [Row] = []
    private var positions: [UniqueKey: Int] = [:]
    /// The items that rows were given, until their links are written.
    private var given: [GivenItems] = []
    /// The columns that no two rows share.
    let oneToOneColumns: [Int]
    /// The row that was given each value of such a column last.
    private var holders: [KeyedCall.Holding: Int] = [:]
    /// True if several rows were given one of these values: the last one has to be written last.
    private var isContested = false
    /// Counts the values that rows were given.
    private var turn = 0
    /// False if a new row may have values in the columns of the key that another row of the store or of the batch has.
    private var areKeysFree = true

    struct Row {
        let cells: UnsafeMutablePointer<Cell>
        let key: UniqueKey?
        /// True if the batch has brought it.
        let isNew: Bool
        /// The columns of a stored row that have changed.
        var columns = ColumnSet()
        /// Its position among the rows that wait for the end of the call.
        fileprivate(set) var held: Int?
        /// The number of the last value that was given to a column that no two rows share.
        fileprivate var turn = 0
    }

    /// - Parameters:
    ///   - keyColumns: The columns of a unique index, in its order.
    ///   - arena: Holds the cells; the batch does not reset it.
    init(_ call: KeyedCall, entity: Int, keyColumns: [Int], arena: RowArena) {
        self.call = call
        self.entity = entity
        self.keyColumns = keyColumns
        self.arena = arena
        schema = call.context.resources.schema.entities[entity]
        declaredKeys = ColumnSet(keyColumns.map(schema.declaredColumn))
        oneToOneColumns = call.context.resources.rules.graph.oneToOnes[entity].map(\.column)
    }
}

// MARK: Finding

extension KeyedBatch {
    /// Reads the rows of some keys, those that wait before those that are stored; nil among the keys finds nothing.
    mutating func find(_ keys: [UniqueKey?]) throws(DataStoreError) {
        var wanted: [UniqueKey] = []
        wanted.reserveCapacity(keys.count)
        rows.reserveCapacity(keys.count)
        positions.reserveCapacity(keys.count)
        for case .some(let key) in keys {
            if let position = call.heldPosition(of: key, in: keyColumns, of: entity) {
                if positions[key] != nil { continue }
                // An earlier batch has found or brought it, so it may have items.
                add(Row(cells: call.held[position].cells, key: key, isNew: false, held: position))
            } else {
                wanted.append(key)
            }
        }
        areKeysFree = try call.forEachStored(wanted, in: keyColumns, of: entity) {
            row throws(DataStoreError) in
            let cells = try arena.copy(row: row, schema.attributes.count)
            add(Row(cells: cells, key: UniqueKey(cells, at: keyColumns, of: schema), isNew: false))
        }
    }

    private mutating func add(_ row: Row) {
        if let key = row.key { positions[key] = rows.count }
        rows.append(row)
    }

    /// The position of the row with a key; nil if there is none yet.
    func position(of key: UniqueKey) -> Int? { positions[key] }

    /// The identifier of a row.
    func identifier(of position: Int) -> AnyItemID? {
        AnyItemID(rows[position].cells[0], type: schema.attributes[0].type)
    }
}

// MARK: Changing

extension KeyedBatch {
    /// Adds a row that is not stored yet.
    ///
    /// - Parameters:
    ///   - cells: One for each attribute, valid until ``write()``.
    ///   - key: The key by which a later row of the batch is the same; nil for none.
    /// - Returns: Its position.
    mutating func insert(_ cells: UnsafeMutablePointer<Cell>, key: UniqueKey?) -> Int {
        add(Row(cells: cells, key: key, isNew: true))
        let position = rows.count - 1
        for column in oneToOneColumns { hold(cells[column], at: column, by: position) }
        if !call.leftOver.isEmpty {
            for column in schema.declaredAttributes.indices.dropFirst() {
                keep(position, referringBy: cells[column], at: column)
            }
        }
        return position
    }

    /// Sets a value of a row; false if it has it already.
    mutating func set(
        _ cell: Cell, at column: Int, of position: Int
    ) throws(DataStoreError) -> Bool {
        if oneToOneColumns.contains(column) { hold(cell, at: column, by: position) }
        if !call.leftOver.isEmpty { keep(position, referringBy: cell, at: column) }
        if schema.isUnchanged(at: column, from: rows[position].cells[column], to: cell) { return false }
        if let held = rows[position].held {
            try call.setHeld(cell, at: column, of: held)
        } else {
            rows[position].cells[column] = cell
            if !rows[position].isNew { rows[position].columns.insert(column) }
            if declaredKeys.contains(column) { areKeysFree = false }
        }
        return true
    }

    /// Keeps an item that refers to an owner now, which may be the one that has left it over.
    private func keep(_ position: Int, referringBy cell: Cell, at column: Int) {
        guard !cell.isNull, let item = identifier(of: position) else { return }
        call.leftOver.forget(item, referringIn: column, of: entity)
    }

    /// Notes which row of several has to keep a value that only one can have.
    ///
    /// A row that has it in the store already is written too, as it takes it back from an earlier one.
    private mutating func hold(_ cell: Cell, at column: Int, by position: Int) {
        if cell.isNull { return }
        let holding = holding(of: cell, at: column)
        call.give(holding, to: rows[position].held)
        turn += 1
        rows[position].turn = turn
        guard let former = holders.updateValue(position, forKey: holding), former != position else { return }
        isContested = true
        if !rows[position].isNew { rows[position].columns.insert(column) }
    }

    private func holding(of cell: Cell, at column: Int) -> KeyedCall.Holding {
        KeyedCall.Holding(
            entity: entity, column: column, value: Constant(cell, storage: schema.storage(ofColumn: column)))
    }

    /// Gives items to a relationship of a row.
    ///
    /// - Parameter turn: The number of their source in the batch.
    mutating func give(
        _ items: AssignedItems, to position: Int, turn: Int, deletingLeftOver: Bool = false
    ) {
        guard let owner = identifier(of: position) else { return }
        given.append(
            GivenItems(
                owner: owner, isOwnerNew: rows[position].isNew, assigned: items,
                deletesLeftOver: deletingLeftOver, turn: turn))
    }
}

// MARK: Writing

extension KeyedBatch {
    /// Writes the rows that are new or have changed; those that take a unique value of another item wait.
    mutating func write() throws(DataStoreError) {
        var mutations: [RowMutation] = []
        var written: [Int] = []
        mutations.reserveCapacity(rows.count)
        written.reserveCapacity(rows.count)
        let order = isContested ? rows.indices.sorted { rows[$0].turn < rows[$1].turn } : Array(rows.indices)
        for position in order where rows[position].held == nil {
            let row = rows[position]
            if row.isNew {
                mutations.append(RowMutation(.insert, entity: entity, cells: row.cells))
            } else if !row.columns.isEmpty {
                mutations.append(
                    RowMutation(.update, entity: entity, cells: row.cells, columns: row.columns))
            } else {
                continue
            }
            written.append(position)
        }
        if !mutations.isEmpty {
            let refused = try call.block.pipeline.applyUnrefused(
                mutations, free: areKeysFree ? keyColumns : [], of: entity, in: call.parts)
            for position in refused.sorted() { try hold(written[position]) }
        }
        if !call.held.isEmpty { try freeHolders() }
        let hasHandles = !call.block.handles.isEmpty
        for position in hasHandles ? written : [] where rows[position].held == nil {
            if let identifier = identifier(of: position) {
                call.block.pipeline.noteUnshown(ItemKey(entity: entity, identifier: identifier))
            }
        }
    }

    /// Writes the links of the items that rows were given, after the rows.
    ///
    /// - Returns: The numbers of the sources that have changed links.
    func writeLinks() throws(DataStoreError) -> Set<Int> { try call.write(given, of: entity) }

    private mutating func hold(_ position: Int) throws(DataStoreError) {
        for column in oneToOneColumns where schema.attributes[column].isOptional {
            // A later row of the batch has it.
            guard let holder = holder(of: rows[position].cells[column], at: column), holder != position
            else { continue }
            rows[position].cells[column] = .null
            if !rows[position].isNew { rows[position].columns.insert(column) }
        }
        let row = rows[position]
        let held = try call.hold(
            KeyedCall.HeldRow(entity: entity, cells: row.cells, isNew: row.isNew, columns: row.columns))
        rows[position].held = held
        for column in oneToOneColumns where !row.cells[column].isNull {
            call.give(holding(of: row.cells[column], at: column), to: held)
        }
    }

    /// The row that was given a value last; nil if none was.
    private func holder(of cell: Cell, at column: Int) -> Int? {
        cell.isNull ? nil : holders[holding(of: cell, at: column)]
    }

    /// Frees the stored holders of the values that rows which wait were given last, as those may lose them again.
    private func freeHolders() throws(DataStoreError) {
        for column in oneToOneColumns where schema.attributes[column].isOptional {
            let given = holders.filter { $0.key.column == column && rows[$0.value].held != nil }
            var freed: [RowMutation] = []
            try call.forEachStored(
                given.keys.map { UniqueKey($0.value) }, in: [column], of: entity, reading: .some([0])
            ) { row throws(DataStoreError) in
                let cells = try arena.makeCells(schema.attributes.count)
                cells[0] = try arena.copy(row[0])
                freed.append(
                    RowMutation(.update, entity: entity, cells: cells, columns: ColumnSet([column])))
            }
            if freed.isEmpty { continue }
            try call.block.pipeline.apply(freed, in: call.parts)
            for mutation in freed {
                if let key = mutation.key(in: call.context.resources) { call.block.pipeline.noteUnshown(key) }
            }
        }
    }
}
