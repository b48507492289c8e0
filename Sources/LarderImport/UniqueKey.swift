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
    /// The columns of a unique index, in its order: the exact one, or else one that keeps texts without case or diacritics.
    ///
    /// So a key compares texts as the unique value does: "Soup" finds "soup" if no two items may have both.
    ///
    /// - Throws: `.invalidRequest` for columns that are not unique, by themselves or together.
    func uniqueColumns(_ columns: [Int], for call: StaticString) throws(DataStoreError) -> [Int] {
        if columns == [0] { return columns }
        let unique = indexes.filter { $0.isUnique && $0.columns.count == columns.count }
        let index =
            unique.first { Set($0.columns) == Set(columns) }
            ?? unique.first { Set($0.columns.map(declaredColumn)) == Set(columns) }
        if let index { return index.columns }
        let names = columns.map { attributes[$0].propertyName }
        throw DataStoreError(
            .invalidRequest,
            columns.count == 1
                ? "\(call) needs a unique attribute." : "\(call) needs attributes that are unique together.",
            advice: columns.count == 1
                ? "Mark it @Unique."
                : "Write @StoredItem(uniques: [[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]]).",
            itemType: name, attribute: names.joined(separator: ", "))
    }
}
