// MARK: Reading what rules need

/// A predicate on the rows that have one of some values in a column.
extension RowPredicate {
    /// - Parameter constants: Distinct and in order, and at least one.
    package static func oneOf(_ constants: [Constant], inColumn column: Int) -> RowPredicate {
        constants.count == 1
            ? .compare(column: column, .equal, constants[0])
            : .isIn(column: column, constants, negated: false)
    }
}

extension [Constant] {
    /// The values without duplicates, in the order of a column with this form of storage.
    package func sortedAndDistinct(_ storage: AttributeType.Storage) -> [Constant] {
        if count < 2 { return self }
        if storage == .integer {
            // Nearly all identifiers; comparing cells takes many times as long.
            var numbers: [Int64] = []
            numbers.reserveCapacity(count)
            for case .integer(let number) in self { numbers.append(number) }
            if numbers.count == count {
                numbers.sort()
                var distinct: [Constant] = []
                distinct.reserveCapacity(count)
                for (position, number) in numbers.enumerated()
                where position == 0 || numbers[position - 1] != number {
                    distinct.append(.integer(number))
                }
                return distinct
            }
        }
        if storage == .text, let texts = sortedAndDistinctTexts { return texts }
        return Set(self).sorted { $0.order(to: $1, storage: storage) < 0 }
    }

    /// Texts in the order of their bytes, which are copied side by side first; nil if there are other values.
    ///
    /// *Cost:* a quarter of the time that cells take.
    private var sortedAndDistinctTexts: [Constant]? {
        var bytes: [UInt8] = []
        var parts: [(bytes: Range<Int>, number: Int)] = []
        parts.reserveCapacity(count)
        for (number, constant) in enumerated() {
            guard case .text(let text) = constant else { return nil }
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            parts.append((start..<bytes.count, number))
        }
        return bytes.withUnsafeBytes { all in
            func order(_ left: Range<Int>, _ right: Range<Int>) -> Int {
                UnsafeRawBufferPointer(rebasing: all[left]).order(
                    to: UnsafeRawBufferPointer(rebasing: all[right]))
            }
            parts.sort { order($0.bytes, $1.bytes) < 0 }
            var distinct: [Constant] = []
            distinct.reserveCapacity(count)
            for (position, part) in parts.enumerated()
            where position == 0 || order(parts[position - 1].bytes, part.bytes) != 0 {
                distinct.append(self[part.number])
            }
            return distinct
        }
    }

    /// Parts that are short enough for one plan.
    package var plannedParts: [[Constant]] { parts(of: WriteBlock.batchSize) }

    /// Parts of a size, the last of which may be smaller.
    package func parts(of size: Int) -> [[Constant]] {
        if count <= size { return isEmpty ? [] : [self] }
        return chunks(ofCount: size).map { Array($0) }
    }
}

extension StorageReading {
    /// As ``forEachRow(at:of:into:_:)`` for any number of identifiers, up to a thousand of which are looked up by one call.
    package func forEachRow(
        inBatches identifiers: [Cell], of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try identifiers.withUnsafeBufferPointer { identifiers throws(DataStoreError) in
            for part in identifiers.chunks(ofCount: WriteBlock.batchSize) {
                try forEachRow(at: UnsafeBufferPointer(rebasing: part), of: entity, into: cells) {
                    position throws(DataStoreError) in
                    try body(part.startIndex + position)
                }
            }
        }
    }
}

extension RuleReading {
    /// Calls the body with each row of a plan; the cells are valid during the call.
    func forEachRow(
        of plan: RequestPlan, _ body: (UnsafePointer<Cell>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let cells = resources.cells
        let cursor: any RowCursor
        do {
            cursor = try snapshot.rows(for: plan)
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
        defer { cursor.close() }
        while try cursor.next(into: cells) { try body(cells) }
    }

    /// The ones among some identifiers that an item type has no rows for.
    ///
    /// - Parameter identifiers: Distinct and in order.
    func missing(_ identifiers: [Constant], of entity: Int) throws(DataStoreError) -> [Constant] {
        if identifiers.count == 1 {
            let isFound = try identifiers[0].withCell { cell throws(DataStoreError) in
                try snapshot.row(at: cell, of: entity, into: resources.cells)
            }
            return isFound ? [] : identifiers
        }
        let schema = schema.entities[entity]
        let storage = schema.storage(ofColumn: 0)
        var missing: [Constant] = []
        for part in identifiers.plannedParts {
            let plan = RequestPlan(
                entity: entity, schema: schema, columns: .some([0]),
                predicate: .oneOf(part, inColumn: 0))
            // Both are in the same order.
            var next = 0
            try forEachRow(of: plan) { cells throws(DataStoreError) in
                while next < part.count,
                    !part[next].withCell({ $0.order(to: cells[0], storage: storage) == 0 })
                {
                    missing.append(part[next])
                    next += 1
                }
                next += 1
            }
            missing += part[Swift.min(next, part.count)...]
        }
        return missing
    }
}
