import Larder

/// The rows an access path leads to, one after the other.
///
/// *Rule:* what ``next(_:)`` gives is valid as long as the engine's pointers are, and the source is kept.
protocol RowSource: AnyObject {
    /// Gives the next row; false when there is none.
    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool

    func close()
}

extension AccessPath {
    /// The rows the path leads to, in the order of identifiers where the path has it.
    func source(
        isAscending: Bool, over entity: EntityTable, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> any RowSource {
        switch self {
        case .nothing: return try IdentifiedRows([], over: entity, in: snapshot)
        case .identifiers(let values):
            return try IdentifiedRows(isAscending ? values : values.reversed(), over: entity, in: snapshot)
        case .identifierRange(let range):
            return try TableRows(between: range, isAscending: isAscending, over: entity, in: snapshot)
        case .index(let index, let columns):
            return try IndexRows(of: index, beginningWith: columns, over: entity, in: snapshot)
        case .scan:
            let range = IdentifierRange()
            return try TableRows(between: range, isAscending: isAscending, over: entity, in: snapshot)
        }
    }
}

/// Rows by their identifiers, in the order these are given.
final class IdentifiedRows: RowSource {
    private let entity: EntityTable
    private let snapshot: any KeyValueSnapshot
    private var identifiers: [Cell] = []
    private var position = 0
    // The identifiers' text and bytes.
    private let arena = RowArena(chunkBytes: 512)

    init(
        _ values: [Constant], over entity: EntityTable, in snapshot: any KeyValueSnapshot
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

    func close() {}
}

extension EntityTable {
    /// The bytes of the row with this identifier, or nil.
    func bytes(
        ofRow identifier: Cell, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        try self.identifier.withKey(identifier) { key throws(DataStoreError) in
            try snapshot.value(at: key, in: rows)
        }
    }
}
