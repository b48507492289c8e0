/// Values of one column, each once.
///
/// *Cost:* 8 bytes for a number while they are collected.
struct ConstantSet {
    private let storage: AttributeType.Storage
    private var numbers: [Int64] = []
    private var others: [Constant] = []
    /// True as long as each value came after the one before.
    private var isSorted = true
    /// The number of values from which on repeated ones are looked for.
    private var room = 65_536

    init(_ storage: AttributeType.Storage) {
        self.storage = storage
    }

    /// Adds the value of a cell that is not nil.
    mutating func insert(_ cell: Cell) {
        if storage == .integer {
            if let last = numbers.last {
                if last == cell.integer { return }
                isSorted = isSorted && last < cell.integer
            }
            numbers.append(cell.integer)
        } else {
            if let last = others.last {
                let order = last.withCell { $0.order(to: cell, storage: storage) }
                if order == 0 { return }
                isSorted = isSorted && order < 0
            }
            others.append(Constant(cell, storage: storage))
        }
        if !isSorted, numbers.count + others.count > room { removeRepeated() }
    }

    /// The values, sorted and distinct.
    var sorted: [Constant] {
        var copy = self
        if !isSorted { copy.removeRepeated() }
        return storage == .integer ? copy.numbers.map { .integer($0) } : copy.others
    }

    private mutating func removeRepeated() {
        numbers.sort()
        numbers = Self.distinct(numbers) { $0 == $1 }
        others.sort { $0.order(to: $1, storage: storage) < 0 }
        others = Self.distinct(others) { $0.order(to: $1, storage: storage) == 0 }
        isSorted = true
        room = max(room, 2 * (numbers.count + others.count))
    }

    private static func distinct<Value>(
        _ values: [Value], _ areEqual: (Value, Value) -> Bool
    ) -> [Value] {
        var distinct: [Value] = []
        for value in values {
            if let last = distinct.last, areEqual(last, value) { continue }
            distinct.append(value)
        }
        return distinct
    }
}

extension Constant {
    /// Negative, zero or positive as this value comes before, with or after the other; nil comes first.
    package func order(to other: Constant, storage: AttributeType.Storage) -> Int {
        withCell { left in other.withCell { left.order(to: $0, storage: storage) } }
    }
}
