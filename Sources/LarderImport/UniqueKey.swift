import LarderKernel

/// The values by which a row is found: of a unique column, or of a unique index of several columns.
struct UniqueKey: Hashable {
    let first: Constant
    /// Empty for most, so that a key costs no allocation.
    let others: [Constant]

    /// - Returns: Nil if one of the values is nil, as such a row is never found.
    init?(_ cells: UnsafePointer<Cell>, at columns: [Int], of schema: EntitySchema) {
        func constant(_ column: Int) -> Constant { schema.constant(at: column, of: cells) }
        if columns.contains(where: { cells[schema.declaredColumn(of: $0)].isNull }) { return nil }
        first = constant(columns[0])
        others = columns.count == 1 ? [] : columns.dropFirst().map(constant)
    }

    /// - Parameter values: One for each column, and at least one.
    init?(_ values: [Constant]) {
        guard let first = values.first, !values.contains(where: \.isNull) else { return nil }
        self.first = first
        others = Array(values.dropFirst())
    }

    /// One for each column.
    var values: [Constant] { [first] + others }
}

extension EntitySchema {
    /// The columns of a unique index, in its order: the exact one, or else one without regard to case or diacritics.
    ///
    /// - Parameter isExact: True if an item is found by the exact value only.
    /// - Throws: `.invalidRequest` for columns that are not unique, by themselves or together.
    func uniqueColumns(
        _ columns: [Int], for call: StaticString, isExact: Bool = false
    ) throws(DataStoreError) -> [Int] {
        if columns == [0] { return columns }
        let index = indexes.first {
            $0.isUnique && $0.columns.count == columns.count && Set($0.columns) == Set(columns)
        }
        if let index { return index.columns }
        let folded = indexes.first { $0.isUnique && $0.columns.map(declaredColumn) == columns }
        if let folded, !isExact { return folded.columns }
        let names = columns.map { attributes[$0].propertyName }
        throw DataStoreError(
            .invalidRequest,
            columns.count == 1
                ? "\(call) needs a unique attribute." : "\(call) needs attributes that are unique together.",
            advice: columns.count == 1
                ? folded == nil
                    ? "Mark it @Unique."
                    : "It finds items by the exact text, which @Unique without an argument keeps unique."
                : "Write @StoredItem(uniques: [[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]]).",
            itemType: name, attribute: names.joined(separator: ", "))
    }
}
