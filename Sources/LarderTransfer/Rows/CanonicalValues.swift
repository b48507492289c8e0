import Foundation
import LarderKernel

/// The canonical forms of the values in an item type's rows: those that the library writes.
///
/// SQL of the app or another tool may leave a value in another form that every app reads alike: `5.0` for the decimal
/// number 5, -0.0 for 0.0, or a URL with a space. Such a URL stays unchanged if it has to be unique, as two could become
/// one.
///
/// *Rule:* used by one thread at a time. A canonical text is valid until the next row. *Cost:* nothing for item types
/// without such attributes.
struct CanonicalValues {
    private let columns: [(number: Int, storage: AttributeType.Storage)]
    private let arena = RowArena(chunkBytes: 256)

    init(of entity: EntitySchema) {
        let unique = Set(entity.uniqueColumns.joined())
        columns = entity.declaredAttributes.enumerated().compactMap { column, attribute in
            let storage = attribute.type.storage
            let isURL = attribute.type == .url && !unique.contains(column)
            guard isURL || storage == .decimal || storage == .real else { return nil }
            return (number: column, storage: storage)
        }
    }

    /// Replaces the values of a row that can be decoded by their canonical forms.
    func replace(in cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) {
        if columns.isEmpty { return }
        arena.reset()
        for (column, storage) in columns where !cells[column].isNull {
            cells[column] = try canonical(cells[column], storage)
        }
    }

    private func canonical(
        _ cell: Cell, _ storage: AttributeType.Storage
    ) throws(DataStoreError) -> Cell {
        switch storage {
        case .real: return cell.real == 0 ? .real(0) : cell
        case .decimal:
            guard let value = Decimal.decode(cell), !value.isNaN else { return cell }
            return try value.encode(in: arena)
        case .text: return try URL.decode(cell)?.absoluteString.encode(in: arena) ?? cell
        case .integer, .unsigned, .blob, .json: return cell
        }
    }
}
