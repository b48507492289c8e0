import LarderKernel
import LarderEngine

/// The rows of one item type by ascending identifier or in another order, each of them checked and made canonical
/// before it is returned.
///
/// *Rule:* used by one thread at a time. A row is valid until the next call. *Cost:* keeps the identifiers of rows that
/// cannot be decoded.
final class RowWalk {
    let entity: EntitySchema
    private let cursor: any RowCursor
    private let row: CellBuffer
    private let undecodable: UndecodableRows
    private let judge: RowJudge?
    private let canonical: CanonicalValues
    /// The identifiers of the rows so far that cannot be decoded.
    private(set) var refused: Set<AnyItemID> = []

    /// - Parameter number: The number of the item type in the store's schema.
    init(
        over number: Int, of schema: StoreSchema, in transaction: any StorageReading,
        undecodable: UndecodableRows, order: [RequestPlan.SortTerm] = []
    ) throws(DataStoreError) {
        entity = schema.entities[number]
        cursor = try transaction.rows(for: RequestPlan(entity: number, schema: entity, order: order))
        self.undecodable = undecodable
        judge = undecodable.skippedItems?.judge(ofEntity: number)
        row = CellBuffer(count: entity.attributes.count)
        canonical = CanonicalValues(of: entity)
    }

    deinit {
        cursor.close()
    }

    /// The cells of the next row that can be decoded, in canonical form and without references to items left out; nil
    /// when there is none.
    func next() throws(DataStoreError) -> UnsafePointer<Cell>? {
        while true {
            do throws(DataStoreError) {
                guard try cursor.next(into: row.start) else { return nil }
            } catch {
                // An error that names its item concerns only this row; the cursor is after it.
                guard error.identifier != nil else { throw error }
                try refuse(error)
                continue
            }
            do throws(DataStoreError) {
                try entity.requireDecodable(row.start)
            } catch {
                try refuse(error)
                continue
            }
            if let judge, try !judge.accepts(row.start, undecodable) { continue }
            try canonical.replace(in: row.start)
            return UnsafePointer(row.start)
        }
    }

    func close() {
        cursor.close()
    }

    private func refuse(_ error: DataStoreError) throws(DataStoreError) {
        try undecodable.refuse(error)
        if let identifier = error.identifier { refused.insert(identifier) }
    }
}
