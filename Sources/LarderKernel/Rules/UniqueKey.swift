/// The values by which a row is found, none of which is nil: of a unique column, or of a unique index of several columns.
package struct UniqueKey: Hashable {
    package let first: Constant
    /// Empty for most, so that a key costs no allocation.
    package let others: [Constant]

    package init(_ first: Constant, _ others: [Constant] = []) {
        self.first = first
        self.others = others
    }

    /// - Parameters:
    ///   - count: At least one.
    ///   - value: Gives a value by its number.
    /// - Returns: Nil if one of the values is nil, as such a row is never found.
    package init?(count: Int, _ value: (Int) -> Constant) {
        first = value(0)
        if first.isNull { return nil }
        others = count == 1 ? [] : (1..<count).map(value)
        if others.contains(where: \.isNull) { return nil }
    }

    /// - Returns: Nil if one of the values is nil.
    package init?(_ cells: UnsafePointer<Cell>, at columns: [Int], of schema: EntitySchema) {
        self.init(count: columns.count) { schema.constant(at: columns[$0], of: cells) }
    }

    /// One for each column.
    var values: [Constant] { [first] + others }
}
