public import LarderKernel
import LarderPattern

/// Two items of one type that hold the same values in the columns of a unique index.
///
/// All engines look for them here whenever stored items are judged as a whole, and report them in the same
/// words:
///
///     if let clash = try UniqueClash.first(in: index, of: 0, entity, transaction) { throw clash.violation }
public struct UniqueClash: Sendable {
    private let entity: EntitySchema
    private let index: IndexSchema
    private let values: [Constant]
    private let first: AnyItemID
    private let second: AnyItemID
    /// The rows of both items, if a column is a folded text.
    private var rows: [RowValues] = []

    /// The clash that comes first by its smaller identifier; nil when all values differ.
    ///
    /// Values that are nil never clash. *Cost:* reads the item type in the order of the index.
    ///
    /// - Parameters:
    ///   - number: The item type's number in the schema of the transaction.
    ///   - work: Begins the sentence of the error if the search ends with the task; nil if it continues.
    /// - Throws: `.cancelled` when the task is cancelled and the search ends with it; errors of the engine.
    public static func first(
        in index: IndexSchema, of number: Int, _ entity: EntitySchema, _ transaction: any StorageReading,
        cancelledAs work: StaticString? = nil
    ) throws(DataStoreError) -> UniqueClash? {
        var search = UniqueClashSearch(index: index, entity: entity)
        let plan = RequestPlan(
            entity: number, schema: entity, columns: .some(index.columns + [0]),
            order: index.columns.map { RequestPlan.SortTerm(column: $0, isAscending: true) })
        try transaction.forEachRow(of: plan) { row throws(DataStoreError) in
            if let work { try Cancellation.check(work) }
            try search.take(row)
        }
        guard var clash = search.clash, index.columns.contains(where: entity.foldedColumns.contains) else {
            return search.clash
        }
        try clash.readRows(of: number, transaction)
        return clash
    }

    /// Reads the texts of both items.
    private mutating func readRows(
        of number: Int, _ transaction: any StorageReading
    ) throws(DataStoreError) {
        let arena = RowArena(chunkBytes: 1024)
        let cells = CellBuffer(count: entity.attributes.count)
        for item in [first, second] {
            let identifier = try item.encode(in: arena)
            if try transaction.row(at: identifier, of: number, into: cells.start) {
                rows.append(RowValues(cells.start, of: entity))
            }
        }
    }

    /// The name and the value of a column; for a folded text the texts of both items.
    private func shown(_ value: Constant, at column: Int) -> String {
        let text = entity.declaredColumn(of: column)
        let (name, type) = (entity.attributes[text].propertyName, entity.attributes[text].type)
        guard let folded = entity.attributes[column].folded, rows.count == 2 else {
            return "\(name) \(value.shown(as: type))"
        }
        let texts = rows.map { $0.values[text].shown(as: type) }
        return "\(name) without regard to \(folded.matching.ignored), \(texts[0]) and \(texts[1])"
    }

    fileprivate init?(
        _ values: [Constant], _ first: Constant, _ second: Constant, index: IndexSchema, entity: EntitySchema
    ) {
        let type = entity.attributes[0].type
        guard let first = first.withCell({ AnyItemID($0, type: type) }),
            let second = second.withCell({ AnyItemID($0, type: type) })
        else { return nil }
        (self.values, self.first, self.second) = (values, first, second)
        (self.index, self.entity) = (index, entity)
    }

    /// The clash as a sentence.
    public var sentence: String {
        let shared = zip(index.columns, values).map { shown($1, at: $0) }
        return "The items \(first) and \(second) of \(entity.name) have the same "
            + shared.joined(separator: " and ") + ", which has to be unique."
    }

    /// The clash as the error of a commit, which the rule of unique values should have refused before.
    package var refusal: DataStoreError {
        error(advice: "Nothing was stored. Please report this, as Larder should have refused it earlier.")
    }

    /// The clash as the error of stored items that were not to share values.
    public var violation: DataStoreError {
        error(
            advice:
                "Change or delete one of the two items with a version of the app in which the value is not unique; then try again."
        )
    }

    private func error(advice: String) -> DataStoreError {
        DataStoreError(
            .uniqueViolation, sentence, advice: advice, itemType: entity.name,
            attribute: entity.declaredNames(of: index.columns),
            identifier: first)
    }
}

/// Compares rows that come in the order of an index with the ones before them.
private struct UniqueClashSearch {
    let index: IndexSchema
    let entity: EntitySchema
    /// The first row with the present values: the columns of the index, and then the identifier.
    private let first: CellBuffer
    private let arena = RowArena(chunkBytes: 4096)
    private var hasFirst = false
    /// True once the clash of the present values has been noted.
    private var isNoted = false
    private var found: (values: [Constant], first: Constant, second: Constant)?

    init(index: IndexSchema, entity: EntitySchema) {
        self.index = index
        self.entity = entity
        first = CellBuffer(count: index.columns.count + 1)
    }

    /// - Parameter cells: The columns of the index, and then the identifier.
    mutating func take(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        let count = index.columns.count
        var isSame = hasFirst
        for position in 0..<count {
            if cells[position].isNull { return }
            isSame = isSame && cells[position].hasSameBytes(as: first.start[position])
        }
        if isSame {
            if !isNoted { noteClash(with: cells[count]) }
            return
        }
        arena.reset()
        for position in 0...count { first.start[position] = try arena.copy(cells[position]) }
        hasFirst = true
        isNoted = false
    }

    private mutating func noteClash(with second: Cell) {
        isNoted = true
        let storage = entity.storage(ofColumn: 0)
        let identifier = Constant(first.start[index.columns.count], storage: storage)
        if let found, identifier.order(to: found.first, storage: storage) >= 0 { return }
        let values = index.columns.enumerated().map { position, column in
            Constant(first.start[position], storage: entity.storage(ofColumn: column))
        }
        found = (values, identifier, Constant(second, storage: storage))
    }

    var clash: UniqueClash? {
        found.flatMap { UniqueClash($0.values, $0.first, $0.second, index: index, entity: entity) }
    }
}
