/// One change of one row, as adapters get it.
///
/// *Rule:* the cells are valid during the call they are passed to.
public struct RowMutation {
    /// The kinds of change.
    public enum Kind: UInt8, Sendable {
        /// A new row; one cell for each attribute.
        case insert
        /// New values for some columns of the row whose identifier is in cell 0. A row that is not there is
        /// not touched.
        case update
        /// The row whose identifier is in cell 0 goes, if it is there.
        case delete
        /// All rows of the entity go; no cells.
        case deleteAll
    }

    public let kind: Kind
    /// The number of the item type in the store's schema.
    public let entity: Int
    /// One cell for each attribute for `insert` and `update`, the identifier alone for `delete`.
    public let cells: UnsafePointer<Cell>
    /// The columns an `update` changes; the other cells have no meaning.
    public let columns: ColumnSet

    @inlinable
    public init(
        _ kind: Kind, entity: Int, cells: UnsafePointer<Cell>, columns: ColumnSet = ColumnSet()
    ) {
        self.kind = kind
        self.entity = entity
        self.cells = cells
        self.columns = columns
    }
}
