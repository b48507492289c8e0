public import LarderPattern

/// A column that the library keeps beside a text: the text without case, diacritics or both, for an index.
///
/// It comes after the attributes of the app. *Rule:* it has a value in rows that an engine returns, and in mutations on
/// their way into an engine, to which ``StoreSchema/withFolded(_:_:)`` adds it; never in a row that an item encodes.
public struct FoldedColumn: Sendable, Hashable {
    /// The column of the text.
    public let source: Int
    /// The folding of the text.
    public let matching: TextMatching
}

extension AttributeSchema {
    /// The attribute for the folded text of another one; no property can have its name, such as `name[c]`.
    ///
    /// - Parameter tables: The number of the Unicode tables that have folded the stored texts; empty for this process's.
    init(folding text: AttributeSchema, at column: Int, _ matching: TextMatching, by tables: String = "") {
        let name = Self.name(folding: text.name, matching)
        self.init(
            StoredSchema.Attribute(
                name: name, storageName: name, type: text.type, isOptional: text.isOptional))
        folded = FoldedColumn(source: column, matching: matching)
        foldingTables = tables
    }

    /// The name of the attribute for a folded text.
    package static func name(folding text: String, _ matching: TextMatching) -> String {
        text + matching.flags
    }
}

extension EntitySchema {
    /// The attributes that the app declares: all but the folded texts that the library keeps.
    public var declaredAttributes: ArraySlice<AttributeSchema> { attributes.prefix(declaredCount) }

    /// The number of the attributes that the app declares, which come first.
    package var declaredCount: Int { attributes.count - foldedCount }

    /// The columns of folded texts.
    package var foldedColumns: Range<Int> { declaredCount..<attributes.count }

    /// The column of the folded text of another column; nil if the store keeps none.
    package func column(folding source: Int, _ matching: TextMatching) -> Int? {
        let folded = FoldedColumn(source: source, matching: matching)
        return foldedColumns.first { attributes[$0].folded == folded }
    }

    /// The column that the app declares: itself, or the text that it folds.
    package func declaredColumn(of column: Int) -> Int { attributes[column].folded?.source ?? column }

    /// The names of columns for people: a folded text has the name of its text.
    package func declaredNames(of columns: [Int]) -> String {
        columns.map { attributes[declaredColumn(of: $0)].propertyName }.joined(separator: ", ")
    }

    /// The columns and the folded texts that change with them.
    package func addingFolded(to columns: ColumnSet) -> ColumnSet {
        var all = columns
        for column in foldedColumns where columns.contains(declaredColumn(of: column)) { all.insert(column) }
        return all
    }

    /// The value of a column in any row: a folded text is folded again.
    package func constant(at column: Int, of row: UnsafePointer<Cell>) -> Constant {
        let source = declaredColumn(of: column)
        return constant(Constant(row[source], storage: storage(ofColumn: source)), at: column)
    }

    /// A value of an attribute of the app as a column keeps it: folded for the column of a folded text.
    package func constant(_ value: Constant, at column: Int) -> Constant {
        guard let folded = attributes[column].folded, case .text(let text) = value else { return value }
        return .text(folded.matching.folding.folded(text))
    }

    /// Gives the columns of folded texts, or some of them, their values in memory of an arena.
    ///
    /// - Throws: `.valueTooLarge`.
    package func fold(
        _ cells: UnsafeMutablePointer<Cell>, _ columns: ColumnSet? = nil, in arena: RowArena
    ) throws(DataStoreError) {
        for column in foldedColumns where columns?.contains(column) ?? true {
            guard let folded = attributes[column].folded else { continue }
            cells[column] = try arena.folded(cells[folded.source], folded.matching)
        }
    }
}

extension RowArena {
    /// The folded text of a cell that holds a text; nil for any other.
    package func folded(_ cell: Cell, _ matching: TextMatching) throws(DataStoreError) -> Cell {
        guard cell.kind == .text else { return .null }
        var result = Result<Cell, DataStoreError>.success(.null)
        _ = matching.folding.withFolded(cell.bytes) { folded in
            result = Result { () throws(DataStoreError) in .text(try copy(folded)) }
            return true
        }
        return try result.get()
    }
}

extension StoreSchema {
    /// Calls the body with mutations whose rows have their folded texts, which are there only during the call.
    ///
    /// All rows pass here before rules judge them. *Cost:* nothing for types without such columns; otherwise one folding of
    /// each text that is given.
    ///
    /// - Throws: `.valueTooLarge`; rethrows errors of the body.
    package func withFolded<Value>(
        _ mutations: UnsafeBufferPointer<RowMutation>,
        _ body: (UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        guard hasFoldedColumns, mutations.contains(where: givesText) else { return try body(mutations) }
        let arena = RowArena(chunkBytes: 4096)
        var folded = Array(mutations)
        defer {
            // Nothing may point into the arena after it is gone.
            for mutation in folded where givesText(mutation) {
                for column in entities[mutation.entity].foldedColumns { mutation.row[column] = .null }
            }
            withExtendedLifetime(arena) {}
        }
        for position in folded.indices where givesText(folded[position]) {
            let (mutation, entity) = (folded[position], entities[folded[position].entity])
            let columns = mutation.kind == .insert ? nil : entity.addingFolded(to: mutation.columns)
            try entity.fold(mutation.row, columns, in: arena)
            folded[position] = RowMutation(
                mutation.kind, entity: mutation.entity, cells: mutation.cells,
                columns: columns ?? mutation.columns)
        }
        return try folded.withUnsafeBufferPointer { folded throws(DataStoreError) in try body(folded) }
    }

    private func givesText(_ mutation: RowMutation) -> Bool {
        let entity = entities[mutation.entity]
        switch mutation.kind {
        case .insert: return entity.foldedCount > 0
        case .update:
            return entity.foldedColumns.contains { mutation.columns.contains(entity.declaredColumn(of: $0)) }
        case .delete, .deleteAll: return false
        }
    }
}

extension RowMutation {
    // reason: rows of insertions and updates are in arenas and buffers, which are mutable, and have a cell for each column.
    fileprivate var row: UnsafeMutablePointer<Cell> { UnsafeMutablePointer(mutating: cells) }
}
