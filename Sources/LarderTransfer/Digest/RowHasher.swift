import LarderKernel
import LarderEngine

/// Computes the digests of an item type's rows.
///
/// A row is hashed in a canonical form: the attributes in the order of their names' bytes, each as the length
/// of its name (4 bytes) and the name, a byte for the kind of the value, and the value. Numbers are
/// little-endian, text and bytes have their length (8 bytes) in front. The form omits everything in which
/// engines differ: numbers of columns, indexes, layouts, folded texts. It also omits the identifiers and ranks of links, as
/// two stores may give the same links others; a link has its position among its owner's links instead.
///
/// *Rule:* used by one thread at a time. Links that have ranks come in ``EntitySchema/linkOrder``.
final class RowHasher {
    private struct Column {
        let number: Int
        let name: [UInt8]
        let storage: AttributeType.Storage
    }

    private let columns: [Column]
    private var bytes: [UInt8] = []
    /// Nil if a row has no position.
    private var links: LinkPositions?

    /// "Larder digest v1", in two little-endian halves.
    private static let key: (UInt64, UInt64) = (0x6420_7265_6472_614C, 0x3176_2074_7365_6769)

    init(of entity: EntitySchema) {
        let names = entity.declaredAttributes.enumerated().map { number, attribute in
            (number: number, name: Array(attribute.name.utf8), storage: attribute.type.storage)
        }
        links =
            entity.isOrderedLink ? LinkPositions(storage: entity.storage(ofColumn: LinkEntity.source)) : nil
        columns = names.filter { !entity.isLink || $0.number > 0 }.sorted {
            $0.name.lexicographicallyPrecedes($1.name)
        }.map { column in
            let length = UInt32(truncatingIfNeeded: column.name.count).littleEndian
            let name = withUnsafeBytes(of: length, Array.init) + column.name
            return Column(number: column.number, name: name, storage: column.storage)
        }
    }

    /// The digest of a row; one cell for each attribute.
    func digest(of cells: UnsafePointer<Cell>) -> RowDigest {
        bytes.removeAll(keepingCapacity: true)
        let position = links?.position(after: cells[LinkEntity.source])
        for column in columns {
            bytes += column.name
            if let position, column.number == LinkEntity.rank {
                append(.integer(Int64(position)), .integer)
            } else {
                append(cells[column.number], column.storage)
            }
        }
        let hash = bytes.withUnsafeBytes { SipHash.hash($0, key: Self.key) }
        return RowDigest(low: hash.low, high: hash.high)
    }

    private func append(_ cell: Cell, _ storage: AttributeType.Storage) {
        bytes.append(cell.isNull ? 0 : storage.digestTag)
        switch cell.kind {
        case .null: return
        case .integer, .real: append(cell.bits)
        case .text, .blob:
            append(UInt64(cell.length))
            bytes += cell.bytes
        }
    }

    private func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}

/// Counts the links of each owner.
private struct LinkPositions {
    let storage: AttributeType.Storage
    private var owner: Constant?
    private var position = 0

    init(storage: AttributeType.Storage) {
        self.storage = storage
    }

    /// The position of the next link, which starts from an owner.
    mutating func position(after cell: Cell) -> Int {
        if let owner, owner.withCell({ $0.hasSameBytes(as: cell) }) {
            position += 1
        } else {
            owner = Constant(cell, storage: storage)
            position = 0
        }
        return position
    }
}

extension AttributeType.Storage {
    /// The byte for the kind of a value; 0 stands for nil.
    fileprivate var digestTag: UInt8 {
        switch self {
        case .integer: 1
        case .unsigned: 2
        case .real: 3
        case .text: 4
        case .blob: 5
        case .decimal: 6
        case .json: 7
        }
    }
}
