/// The results of one aggregate, for each group.
class TermTotals {
    final let value: GroupTotals.Value

    fileprivate init(_ value: GroupTotals.Value) {
        self.value = value
    }

    static func make(
        _ function: AggregateFunction, of value: GroupTotals.Value
    ) throws(DataStoreError) -> TermTotals {
        switch function {
        case .count: return CountTotals(value, countsNil: true)
        case .countValues: return CountTotals(value, countsNil: false)
        case .countDistinct: return DistinctTotals(value)
        case .minimum: return ExtremeTotals(value, isMaximum: false)
        case .maximum: return ExtremeTotals(value, isMaximum: true)
        case .sum, .average:
            switch value.storage {
            case .integer, .unsigned: return IntegerTotals(value, function)
            case .real: return RealTotals(value, function)
            case .decimal: return DecimalTotals(value, function)
            case .text, .blob, .json:
                throw DataStoreError(
                    .invalidRequest, "Only numbers have a \(function).", itemType: value.itemType,
                    attribute: value.attribute)
            }
        }
    }

    /// Begins another group.
    func addGroup() {}

    /// Adds the value of a row.
    func add(_ cell: Cell, to group: Int) throws(DataStoreError) {}

    /// Adds the values of several rows to the only group.
    func addAll(_ cells: UnsafeBufferPointer<Cell>) throws(DataStoreError) {
        for position in cells.indices { try add(cells[position], to: 0) }
    }

    /// - Throws: `.overflow`.
    func result(of group: Int) throws(DataStoreError) -> Constant { .null }
}

private final class CountTotals: TermTotals {
    // reason for unchecked, here and below: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var counts: [Int] = []
    private let countsNil: Bool

    init(_ value: GroupTotals.Value, countsNil: Bool) {
        self.countsNil = countsNil
        super.init(value)
    }

    override func addGroup() { counts.append(0) }

    override func add(_ cell: Cell, to group: Int) {
        if countsNil || !cell.isNull { counts[group] += 1 }
    }

    override func addAll(_ cells: UnsafeBufferPointer<Cell>) {
        counts[0] += countsNil ? cells.count : cells.count { !$0.isNull }
    }

    override func result(of group: Int) -> Constant { .integer(Int64(counts[group])) }
}

private final class DistinctTotals: TermTotals {
    @exclusivity(unchecked) private var tables: [GroupTable] = []
    @exclusivity(unchecked) private var counts: [Int] = []

    override func addGroup() {
        // Each value is given in a cell of its own.
        tables.append(GroupTable([value.inFirstCell]))
        counts.append(0)
    }

    override func add(_ cell: Cell, to group: Int) {
        if cell.isNull { return }
        withUnsafePointer(to: cell) { cell in
            counts[group] = max(counts[group], tables[group].group(of: cell) + 1)
        }
    }

    override func result(of group: Int) -> Constant { .integer(Int64(counts[group])) }
}

private final class ExtremeTotals: TermTotals {
    @exclusivity(unchecked) private var extremes: [Constant] = []
    private let isMaximum: Bool

    init(_ value: GroupTotals.Value, isMaximum: Bool) {
        self.isMaximum = isMaximum
        super.init(value)
    }

    override func addGroup() { extremes.append(.null) }

    override func add(_ cell: Cell, to group: Int) {
        if cell.isNull { return }
        if !extremes[group].isNull {
            let order = extremes[group].withCell { cell.order(to: $0, storage: value.storage) }
            if isMaximum ? order <= 0 : order >= 0 { return }
        }
        extremes[group] = Constant(cell, storage: value.storage)
    }

    override func result(of group: Int) -> Constant { extremes[group] }
}

private final class IntegerTotals: TermTotals {
    @exclusivity(unchecked) private var sums: [(sum: IntegerSum, count: UInt64)] = []
    private let function: AggregateFunction

    init(_ value: GroupTotals.Value, _ function: AggregateFunction) {
        self.function = function
        super.init(value)
    }

    override func addGroup() { sums.append((IntegerSum(), 0)) }

    override func add(_ cell: Cell, to group: Int) {
        if cell.isNull { return }
        if value.storage == .unsigned {
            sums[group].sum.add(unsigned: cell.bits)
        } else {
            sums[group].sum.add(cell.integer)
        }
        sums[group].count += 1
    }

    override func addAll(_ cells: UnsafeBufferPointer<Cell>) {
        let isUnsigned = value.storage == .unsigned
        sums.withUnsafeMutableBufferPointer { sums in
            for cell in cells where !cell.isNull {
                if isUnsigned { sums[0].sum.add(unsigned: cell.bits) } else { sums[0].sum.add(cell.integer) }
                sums[0].count += 1
            }
        }
    }

    override func result(of group: Int) throws(DataStoreError) -> Constant {
        let (sum, count) = sums[group]
        return try value.result(function, of: sum, count: count)
    }
}

private final class RealTotals: TermTotals {
    @exclusivity(unchecked) private var sums: [(sum: ExactSum, count: UInt64)] = []
    private let function: AggregateFunction

    init(_ value: GroupTotals.Value, _ function: AggregateFunction) {
        self.function = function
        super.init(value)
    }

    override func addGroup() { sums.append((ExactSum(), 0)) }

    override func add(_ cell: Cell, to group: Int) {
        if cell.isNull { return }
        sums[group].sum.add(cell.real)
        sums[group].count += 1
    }

    override func addAll(_ cells: UnsafeBufferPointer<Cell>) {
        sums.withUnsafeMutableBufferPointer { sums in
            for cell in cells where !cell.isNull {
                sums[0].sum.add(cell.real)
                sums[0].count += 1
            }
        }
    }

    override func result(of group: Int) -> Constant {
        let (sum, count) = sums[group]
        return function == .sum ? .real(sum.rounded) : (count == 0 ? .null : .real(sum.quotient(by: count)))
    }
}

private final class DecimalTotals: TermTotals {
    @exclusivity(unchecked) private var sums: [(sum: DecimalTotal, count: UInt64)] = []
    private let function: AggregateFunction

    init(_ value: GroupTotals.Value, _ function: AggregateFunction) {
        self.function = function
        super.init(value)
    }

    override func addGroup() { sums.append((DecimalTotal(), 0)) }

    override func add(_ cell: Cell, to group: Int) throws(DataStoreError) {
        if cell.isNull { return }
        guard sums[group].sum.add(cell.bytes) else {
            throw DataStoreError(
                .undecodable, "The stored value \(cell.string.debugDescription) is not a decimal number.",
                itemType: value.itemType, attribute: value.attribute)
        }
        sums[group].count += 1
    }

    override func result(of group: Int) throws(DataStoreError) -> Constant {
        let (sum, count) = sums[group]
        if case .average(let places) = function {
            if count == 0 { return .null }
            if let text = sum.quotient(by: count, places: places) { return .decimal(text) }
        } else if let text = sum.sum {
            return .decimal(text)
        }
        throw value.overflow(function)
    }
}

extension GroupTotals.Value {
    /// The same value in a row of one cell.
    fileprivate var inFirstCell: GroupTotals.Value {
        GroupTotals.Value(position: 0, storage: storage, itemType: itemType, attribute: attribute)
    }

    /// The sum or average of integers.
    ///
    /// - Throws: `.overflow`.
    package func result(
        _ function: AggregateFunction, of sum: IntegerSum, count: UInt64
    ) throws(DataStoreError) -> Constant {
        if function == .sum {
            guard let total = sum.value else { throw overflow(function) }
            return .integer(total)
        }
        return count == 0 ? .null : .real(sum.quotient(by: count))
    }

    func overflow(_ function: AggregateFunction) -> DataStoreError {
        let limit =
            storage == .decimal ? "A decimal number or duration cannot hold" : "An Int64 cannot hold"
        return DataStoreError(
            .overflow, "\(limit) the \(function) of \(attribute).", itemType: itemType, attribute: attribute)
    }
}
