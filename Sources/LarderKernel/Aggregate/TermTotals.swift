package import LarderValues

/// The results of one aggregate, for each group.
final class TermTotals {
    let value: GroupTotals.Value
    private let function: AggregateFunction
    private let kind: Kind
    // reason for unchecked, here and below: used by one thread at a time, with every row.
    /// The number of values that count, for each group.
    @exclusivity(unchecked) private var counts: [Int] = []
    // For each group, one of these as the kind is.
    @exclusivity(unchecked) private var tables: [GroupTable] = []
    @exclusivity(unchecked) private var extremes: [Constant] = []
    @exclusivity(unchecked) private var integers: [IntegerSum] = []
    @exclusivity(unchecked) private var reals: [ExactSum] = []
    @exclusivity(unchecked) private var decimals: [DecimalTotal] = []

    private enum Kind {
        case rows, values, distinct
        case extremes(isMaximum: Bool)
        case integers, unsigned, reals, decimals
    }

    /// - Throws: `.invalidRequest` for a function that the values do not have.
    init(_ function: AggregateFunction, of value: GroupTotals.Value) throws(DataStoreError) {
        self.value = value
        self.function = function
        switch function {
        case .count: kind = .rows
        case .countValues: kind = .values
        case .countDistinct: kind = .distinct
        case .minimum: kind = .extremes(isMaximum: false)
        case .maximum: kind = .extremes(isMaximum: true)
        case .sum, .average:
            switch value.storage {
            case .integer: kind = .integers
            case .unsigned: kind = .unsigned
            case .real: kind = .reals
            case .decimal: kind = .decimals
            case .text, .blob, .json:
                throw DataStoreError(
                    .invalidRequest, "Only numbers have a \(function).", itemType: value.itemType,
                    attribute: value.attribute)
            }
        }
    }

    /// Begins another group.
    func addGroup() {
        counts.append(0)
        switch kind {
        case .rows, .values: break
        // Each value is given in a cell of its own.
        case .distinct: tables.append(GroupTable([value.inFirstCell]))
        case .extremes: extremes.append(.null)
        case .integers, .unsigned: integers.append(IntegerSum())
        case .reals: reals.append(ExactSum())
        case .decimals: decimals.append(DecimalTotal())
        }
    }

    /// Adds the value of a row.
    func add(_ cell: Cell, to group: Int) throws(DataStoreError) {
        if cell.isNull {
            if case .rows = kind { counts[group] += 1 }
            return
        }
        switch kind {
        case .rows, .values: break
        case .distinct:
            withUnsafePointer(to: cell) { cell in
                counts[group] = max(counts[group], tables[group].group(of: cell) + 1)
            }
            return
        // SQL may leave a value of any type in an unsigned attribute.
        case .extremes where value.storage == .unsigned && cell.kind != .integer,
            .unsigned where cell.kind != .integer:
            throw undecodable("\(cell.rawDescription) cannot be read as uint64")
        case .extremes(let isMaximum): addExtreme(cell, to: group, isMaximum)
        case .integers: integers[group].add(cell.integer)
        case .unsigned: integers[group].add(unsigned: cell.bits)
        case .reals: reals[group].add(cell.real)
        case .decimals:
            guard decimals[group].add(cell.bytes) else {
                throw undecodable("\(cell.string.debugDescription) is not a decimal number")
            }
        }
        counts[group] += 1
    }

    private func undecodable(_ problem: String) -> DataStoreError {
        DataStoreError(
            .undecodable, "The stored value \(problem).", itemType: value.itemType,
            attribute: value.attribute)
    }

    private func addExtreme(_ cell: Cell, to group: Int, _ isMaximum: Bool) {
        if !extremes[group].isNull {
            let order = extremes[group].withCell { cell.order(to: $0, storage: value.storage) }
            if isMaximum ? order <= 0 : order >= 0 { return }
        }
        extremes[group] = Constant(cell, storage: value.storage)
    }

    /// Adds the values of several rows to the only group.
    func addAll(_ cells: UnsafeBufferPointer<Cell>) throws(DataStoreError) {
        switch kind {
        case .rows: counts[0] += cells.count
        case .values: counts[0] += cells.count { !$0.isNull }
        case .integers:
            integers.withUnsafeMutableBufferPointer { sums in
                for cell in cells where !cell.isNull { sums[0].add(cell.integer) }
            }
            counts[0] += cells.count { !$0.isNull }
        case .reals:
            reals.withUnsafeMutableBufferPointer { sums in
                for cell in cells where !cell.isNull { sums[0].add(cell.real) }
            }
            counts[0] += cells.count { !$0.isNull }
        case .unsigned, .distinct, .extremes, .decimals:
            for position in cells.indices { try add(cells[position], to: 0) }
        }
    }

    /// - Throws: `.overflow`; `.undecodable` for a sum of NaN, which other tools can store.
    func result(of group: Int) throws(DataStoreError) -> Constant {
        let count = UInt64(counts[group])
        switch kind {
        case .rows, .values, .distinct: return .integer(Int64(counts[group]))
        case .extremes: return extremes[group]
        case .integers, .unsigned: return try value.result(function, of: integers[group], count: count)
        case .reals:
            if reals[group].hasNaN {
                throw DataStoreError(
                    .undecodable, "A stored value is NaN, which has no \(function).",
                    itemType: value.itemType, attribute: value.attribute)
            }
            if function == .sum { return .real(reals[group].rounded) }
            return count == 0 ? .null : .real(reals[group].quotient(by: count))
        case .decimals:
            if case .average(let places) = function {
                if count == 0 { return .null }
                if let text = decimals[group].quotient(by: count, places: places) { return .decimal(text) }
            } else if let text = decimals[group].sum {
                return .decimal(text)
            }
            throw value.overflow(function)
        }
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
