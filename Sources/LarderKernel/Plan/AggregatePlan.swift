/// Groups of rows and what is computed of each, as engines see it: only columns of the rows themselves.
///
/// ```text
/// Sale select kind, price where isPaid == 1 group by kind: count, sum(price)
/// ```
///
/// A printable value. If an engine does not answer it (``StorageReading/groups(for:)`` returns nil), the core
/// reads the rows and computes it with the same code.
public struct AggregatePlan: Sendable, Hashable {
    /// The rows, exactly the ones in its window.
    ///
    /// They have the columns of the keys and terms, each once. If there is no window, their order does not
    /// matter.
    public let rows: RequestPlan
    /// The columns by which rows are grouped; none if all rows are one group, even if there is no row.
    public let keys: [Int]
    public let terms: [Term]

    /// A value computed of each group.
    public struct Term: Sendable, Hashable {
        public let function: AggregateFunction
        /// The column of the values; 0 for ``AggregateFunction/count``.
        public let column: Int

        public init(_ function: AggregateFunction, column: Int = 0) {
            self.function = function
            self.column = column
        }
    }

    /// - Parameter rows: Its columns are replaced.
    public init(_ rows: RequestPlan, keys: [Int], terms: [Term]) {
        var columns: [Int] = []
        for column in keys + terms.filter({ $0.function != .count }).map(\.column)
        where !columns.contains(column) {
            columns.append(column)
        }
        var rows = rows
        rows.columns = .some(columns.isEmpty ? [0] : columns)
        self.rows = rows
        self.keys = keys
        self.terms = terms
    }

    /// True if only a part of the rows counts, so that their order matters.
    public var hasWindow: Bool { rows.offset > 0 || rows.limit != nil }
}

extension AggregatePlan: CustomStringConvertible {
    public var description: String {
        var text = rows.description
        let names = rows.schema.attributes.map(\.name)
        if !keys.isEmpty { text += " group by " + keys.map { names[$0] }.joined(separator: ", ") }
        let values = terms.map { term in
            term.function == .count ? "count" : "\(term.function)(\(names[term.column]))"
        }
        return values.isEmpty ? text : text + ": " + values.joined(separator: ", ")
    }
}

/// Groups, each as its keys and then its aggregates.
public struct GroupRows: Sendable, Hashable {
    /// The number of values of each group.
    public let width: Int
    /// The values of all groups, one group after the other.
    public private(set) var values: [Constant] = []

    /// True if they are known to come in the order of their keys.
    package let areInOrder: Bool

    public init(width: Int) {
        self.init(width: width, areInOrder: false)
    }

    package init(width: Int, areInOrder: Bool) {
        self.width = width
        self.areInOrder = areInOrder
    }

    public var count: Int { width == 0 ? 0 : values.count / width }

    /// Adds the next value of the last group, or the first one of another.
    public mutating func append(_ value: consuming Constant) {
        values.append(value)
    }

    /// A value of a group.
    package func value(_ position: Int, of group: Int) -> Constant { values[group * width + position] }
}

extension AggregatePlan {
    /// The collection of the plan's groups, for an engine that reads rows by itself and adds each.
    ///
    /// - Throws: `.invalidRequest`.
    package func makeTotals() throws(DataStoreError) -> GroupTotals {
        let columns = rows.columns.numbers(of: rows.schema)
        func value(_ column: Int) -> GroupTotals.Value {
            GroupTotals.Value(
                position: columns.firstIndex(of: column) ?? 0, storage: rows.schema.storage(ofColumn: column),
                itemType: rows.schema.name, attribute: rows.schema.attributes[column].propertyName)
        }
        return try GroupTotals(
            keys: keys.map(value), terms: terms.map { ($0.function, value($0.column)) })
    }
}
