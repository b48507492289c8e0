import LarderKernel

/// Compares one item type in two stores, by walking through both in the order of the identifiers.
struct ItemComparison {
    let left: (reader: UntypedReader, number: Int)
    let right: (reader: UntypedReader, number: Int)
    /// The columns of the attributes that both have, found once: each row needs them all.
    private let columns: [(left: Int, right: Int)]

    init(left: (reader: UntypedReader, number: Int), right: (reader: UntypedReader, number: Int)) {
        self.left = left
        self.right = right
        let rightEntity = right.reader.entities[right.number]
        columns = left.reader.entities[left.number].declaredAttributes.enumerated().compactMap {
            column, attribute in
            rightEntity.column(named: attribute.name).map { (left: column, right: $0) }
        }
    }

    private var leftEntity: EntitySchema { left.reader.entities[left.number] }
    private var rightEntity: EntitySchema { right.reader.entities[right.number] }

    /// Gives the differences to a body until it returns false; whether it never did.
    func forEach(
        _ tally: inout ReadingTally, _ body: (StoreDifference) -> Bool
    ) throws(DataStoreError) -> Bool {
        for sentence in schemaDifferences {
            if !body(.schema(entity: leftEntity.name, sentence)) { return false }
        }
        guard leftEntity.attributes[0].type.storage == rightEntity.attributes[0].type.storage else {
            return true
        }
        return try mergeRows(&tally, body)
    }

    private var schemaDifferences: [String] {
        var sentences: [String] = []
        for attribute in leftEntity.declaredAttributes {
            guard let column = rightEntity.column(named: attribute.name) else {
                sentences.append("\(attribute.name) is in the left store only")
                continue
            }
            let other = rightEntity.attributes[column]
            if attribute.description != other.description {
                sentences.append(
                    "\(attribute.name) is \(attribute.description) left and \(other.description) right")
            }
        }
        for attribute in rightEntity.declaredAttributes where leftEntity.column(named: attribute.name) == nil
        {
            sentences.append("\(attribute.name) is in the right store only")
        }
        let (leftIndexes, rightIndexes) = (leftEntity.indexDescriptions, rightEntity.indexDescriptions)
        sentences += leftIndexes.subtracting(rightIndexes).sorted().map { "\($0) is in the left store only" }
        sentences += rightIndexes.subtracting(leftIndexes).sorted().map { "\($0) is in the right store only" }
        return sentences + relationshipDifferences
    }

    private var relationshipDifferences: [String] {
        let leftOnes = left.reader.schema.relationshipDescriptions(ofEntity: left.number)
        let rightOnes = right.reader.schema.relationshipDescriptions(ofEntity: right.number)
        var sentences: [String] = []
        for (name, description) in leftOnes {
            guard let other = rightOnes.first(where: { UTF8Text.areEqual($0.name, name) }) else {
                sentences.append("the relationship \(name) is in the left store only")
                continue
            }
            if other.description != description {
                sentences.append("\(name) is \(description) left and \(other.description) right")
            }
        }
        for (name, _) in rightOnes where !leftOnes.contains(where: { UTF8Text.areEqual($0.name, name) }) {
            sentences.append("the relationship \(name) is in the right store only")
        }
        return sentences
    }

    private func mergeRows(
        _ tally: inout ReadingTally, _ body: (StoreDifference) -> Bool
    ) throws(DataStoreError) -> Bool {
        let undecodable = UndecodableRows(.skip)
        let leftRows = try left.reader.rows(ofEntity: left.number, undecodable)
        let rightRows = try right.reader.rows(ofEntity: right.number, undecodable)
        let links = try LinkComparison.all(
            left: left, right: right, from: (left: leftRows, right: rightRows), undecodable)
        defer {
            leftRows.close()
            rightRows.close()
            for links in links { links.close() }
        }
        var (leftRow, rightRow) = (try leftRows.next(), try rightRows.next())
        while true {
            try Cancellation.check("The comparison")
            for error in undecodable.takeErrors() where !body(difference(error)) { return false }
            if leftRow == nil && rightRow == nil { break }
            let order = order(of: leftRow, to: rightRow)
            // Compared for each item, as the links are walked side by side with the rows.
            var changed: [AttributeDifference] = []
            if let item = order <= 0 ? leftRow : rightRow {
                for links in links {
                    if let difference = try links.difference(ofLinksFrom: item[0]) {
                        changed.append(difference)
                    }
                }
            }
            if let difference = difference(order, leftRow, rightRow, changed), !body(difference) {
                return false
            }
            if order <= 0 {
                tally.passItem()
                leftRow = try leftRows.next()
            }
            if order >= 0 {
                tally.passItem()
                rightRow = try rightRows.next()
            }
        }
        for links in links { try links.finish() }
        for error in undecodable.takeErrors() where !body(difference(error)) { return false }
        return true
    }

    private func difference(_ error: DataStoreError) -> StoreDifference {
        .undecodable(entity: leftEntity.name, error.identifier, error.message)
    }

    /// Negative, zero or positive as the left row comes first; the end comes last.
    private func order(of left: UnsafePointer<Cell>?, to right: UnsafePointer<Cell>?) -> Int {
        guard let left else { return 1 }
        guard let right else { return -1 }
        return left[0].order(to: right[0], storage: leftEntity.storage(ofColumn: 0))
    }

    private func difference(
        _ order: Int, _ left: UnsafePointer<Cell>?, _ right: UnsafePointer<Cell>?,
        _ links: [AttributeDifference]
    ) -> StoreDifference? {
        let name = leftEntity.name
        let type = leftEntity.attributes[0].type
        guard let first = order <= 0 ? left : right, let identifier = AnyItemID(first[0], type: type) else {
            return nil
        }
        if order < 0 { return .onlyLeft(entity: name, identifier) }
        guard order == 0, let left, let right else { return .onlyRight(entity: name, identifier) }
        let attributes = changes(left, right) + links
        return attributes.isEmpty ? nil : .changed(entity: name, identifier, attributes)
    }

    private func changes(
        _ left: UnsafePointer<Cell>, _ right: UnsafePointer<Cell>
    ) -> [AttributeDifference] {
        columns.compactMap { column in
            let (leftCell, rightCell) = (left[column.left], right[column.right])
            if leftCell.hasSameBytes(as: rightCell) { return nil }
            let attribute = leftEntity.attributes[column.left]
            return AttributeDifference(
                name: attribute.name, left: attribute.plainText(of: leftCell),
                right: rightEntity.attributes[column.right].plainText(of: rightCell))
        }
    }
}

extension AttributeSchema {
    fileprivate var description: String { type.rawValue + (isOptional ? "?" : "") }

    fileprivate func plainText(of cell: Cell) -> String? {
        Constant(cell, storage: type.storage).plainText(of: type)
    }
}

extension EntitySchema {
    fileprivate var indexDescriptions: Set<String> {
        Set(
            indexes.map { index in
                let names = index.columns.map { attributes[$0].name }.joined(separator: ", ")
                return "the \(index.isUnique ? "unique " : "")index on \(names)"
            })
    }
}
