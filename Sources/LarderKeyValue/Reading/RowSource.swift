import Larder

/// The rows an access path leads to, one after the other.
///
/// *Rule:* what ``next(_:)`` gives is valid as long as the engine's pointers are.
enum RowSource<Snapshot: KeyValueSnapshot> {
    case nothing
    case table(TableRows<Snapshot>)
    case identifiers(IdentifiedRows<Snapshot>)
    case index(IndexRows<Snapshot>)

    init(
        _ path: AccessPath, isAscending: Bool, over entity: EntityTable, in snapshot: Snapshot
    ) throws(DataStoreError) {
        switch path {
        case .nothing: self = .nothing
        case .identifiers(let values):
            let values = isAscending ? values : values.reversed()
            self = .identifiers(try IdentifiedRows(values, over: entity, in: snapshot))
        case .identifierRange(let range):
            self = .table(
                try TableRows(between: range, isAscending: isAscending, over: entity, in: snapshot))
        case .index(let index, let lists):
            self = .index(try IndexRows(of: index, beginningWith: lists, over: entity, in: snapshot))
        case .scan:
            self = .table(
                try TableRows(
                    between: IdentifierRange(), isAscending: isAscending, over: entity, in: snapshot))
        }
    }

    /// Gives the next row; false when there is none.
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        switch self {
        case .nothing: false
        case .table(let rows): try rows.next(&row)
        case .identifiers(let rows): try rows.next(&row)
        case .index(let rows): try rows.next(&row)
        }
    }

    func close() {
        switch self {
        case .nothing, .identifiers: break
        case .table(let rows): rows.close()
        case .index(let rows): rows.close()
        }
    }
}

/// Rows by their identifiers, in the order these are given.
final class IdentifiedRows<Snapshot: KeyValueSnapshot> {
    private let entity: EntityTable
    private let snapshot: Snapshot
    private var identifiers: [Cell] = []
    private var position = 0
    // The identifiers' text and bytes.
    private let arena = RowArena(chunkBytes: 512)

    init(
        _ values: [Constant], over entity: EntityTable, in snapshot: Snapshot
    ) throws(DataStoreError) {
        self.entity = entity
        self.snapshot = snapshot
        for value in values {
            let identifier = try arena.cell(of: value)
            if entity.identifier.accepts(identifier) { identifiers.append(identifier) }
        }
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        while position < identifiers.count {
            let identifier = identifiers[position]
            position += 1
            if let bytes = try entity.bytes(ofRow: identifier, in: snapshot) {
                row.identifier = identifier
                row.bytes = bytes
                return true
            }
        }
        return false
    }
}

extension EntityTable {
    /// The bytes of the row with this identifier, or nil.
    func bytes(
        ofRow identifier: Cell, in snapshot: some KeyValueSnapshot
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        try self.identifier.withKey(identifier) { key throws(DataStoreError) in
            try snapshot.value(at: key, in: rows)
        }
    }
}
