import Larder

/// Two items that hold the same values in the columns of an index.
struct IndexClash: CustomStringConvertible {
    let items: [AnyItemID]

    var description: String { items.map(\.description).joined(separator: " and ") }

    /// The first two such items; nil when all values differ.
    ///
    /// *Cost:* reads the whole index.
    static func first(
        in index: IndexTable, of entity: EntityTable, _ snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> IndexClash? {
        try IndexWalk(index: index, entity: entity, snapshot: snapshot).first()
    }
}

/// Looks at entries with the same values, which stand together.
private struct IndexWalk {
    let index: IndexTable
    let entity: EntityTable
    let snapshot: any KeyValueSnapshot

    func first() throws(DataStoreError) -> IndexClash? {
        let entries = try snapshot.cursor(over: index.entries)
        defer { entries.close() }
        var entry = KeyValueEntry()
        var previous = UnsafeRawBufferPointer(start: nil, count: 0)
        var alike: [Cell] = []
        var isFound = try entries.first(&entry)
        while isFound {
            let end = try index.form.identifierStart(in: entry.key)
            let values = UnsafeRawBufferPointer(rebasing: entry.key[..<end.offset])
            let rest = UnsafeRawBufferPointer(rebasing: entry.key[end.offset...])
            if !values.elementsEqual(previous) { alike.removeAll() }
            previous = values
            if !index.form.holdsNil(entry.key) {
                let identifier = try entity.identifier.identifier(inRest: rest)
                let isExact = end.extent == .whole && index.form.isComplete
                for other in alike {
                    let isClash = isExact ? true : try haveSameValues(identifier, other)
                    if isClash { return clash(of: identifier, with: other) }
                }
                // Of exact entries one is enough, as a second ends the walk.
                alike.append(identifier)
            }
            isFound = try entries.next(&entry)
        }
        return nil
    }

    /// Whether two items, whose index entries look alike, have the same values in the columns of the index.
    private func haveSameValues(
        _ first: Cell, _ second: Cell
    ) throws(DataStoreError) -> Bool {
        let (first, second) = (try row(of: first), try row(of: second))
        for column in index.schema.columns {
            guard column != 0 else { return false }
            let left = try entity.layout.cell(at: column, of: first)
            let right = try entity.layout.cell(at: column, of: second)
            if left.isNull || !left.hasSameBytes(as: right) { return false }
        }
        return true
    }

    private func row(of identifier: Cell) throws(DataStoreError) -> RowOutline {
        let bytes = try entity.identifier.withKey(identifier) { key throws(DataStoreError) in
            try snapshot.value(at: key, in: entity.rows)
        }
        guard let bytes else {
            throw DataStoreError(
                .damaged, "An index entry of \(entity.schema.name) leads to no row.",
                itemType: entity.schema.name)
        }
        return try entity.layout.outline(of: bytes)
    }

    private func clash(of identifier: Cell, with other: Cell) -> IndexClash {
        IndexClash(
            items: [other, identifier].compactMap { AnyItemID($0, type: entity.schema.attributes[0].type) })
    }
}
