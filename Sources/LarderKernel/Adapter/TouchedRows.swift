/// The number of rows that each mutation of a batch has touched, in the order of the mutations.
///
///     var touched = TouchedRows()
///     for mutation in mutations { touched.add(try apply(mutation)) }
///
/// *Cost:* two integers, and an entry for each mutation that did not touch exactly one row.
public struct TouchedRows: Equatable, Sendable {
    /// The rows that all mutations have touched.
    public var count: Int { rowCount }
    @usableFromInline var rowCount = 0
    @usableFromInline var mutationCount = 0
    /// The mutations that touched no row, or several.
    private var others: [Entry] = []

    private struct Entry: Equatable {
        let position: Int
        let rows: Int
    }

    /// The rows of no mutation.
    public init() {}

    /// Adds the rows that the next mutation has touched.
    @inlinable
    public mutating func add(_ rows: Int) {
        if rows == 1 { addOne(forEachOf: 1) } else { addOther(rows) }
    }

    /// Adds several mutations that have touched one row each.
    @inlinable
    public mutating func addOne(forEachOf mutations: Int) {
        mutationCount += mutations
        rowCount += mutations
    }

    /// The rows that the mutation at a position has touched.
    ///
    /// *Cost:* logarithmic in the number of mutations that did not touch exactly one row.
    public subscript(position: Int) -> Int {
        if others.isEmpty { return 1 }
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if others[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < others.count && others[low].position == position ? others[low].rows : 1
    }

    @usableFromInline
    mutating func addOther(_ rows: Int) {
        others.append(Entry(position: mutationCount, rows: rows))
        mutationCount += 1
        rowCount += rows
    }
}
