import LarderKernel

extension EntitySchema {
    /// The columns of a unique index, in its order: the exact one, or else one that keeps texts without case or diacritics.
    ///
    /// So a key compares texts as the unique value does: "Soup" finds "soup" if no two items may have both.
    ///
    /// - Throws: `.invalidRequest` for columns that are not unique, by themselves or together.
    func uniqueColumns(_ columns: [Int], for call: StaticString) throws(DataStoreError) -> [Int] {
        if columns == [0] { return columns }
        let unique = uniqueColumns.filter { $0.count == columns.count }
        let found =
            unique.first { Set($0) == Set(columns) }
            ?? unique.first { Set($0.map(declaredColumn)) == Set(columns) }
        if let found { return found }
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
