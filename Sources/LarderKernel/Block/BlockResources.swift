/// The memory a block works with, and what the store knows of its rows: cells for one row, an arena for what
/// is written, the schema and the rules.
///
/// Kept from block to block, so that a block allocates none of it.
@usableFromInline
package final class BlockResources: @unchecked Sendable {
    // reason: a block has it to itself from the moment it is let in until it has left.
    package let schema: StoreSchema
    package let rules: RowRules
    let cells: UnsafeMutablePointer<Cell>
    @usableFromInline package let arena: RowArena
    /// For the rows that rules add.
    let ruleArena: RowArena
    /// For the rows that waves of deletions write, while those that rules have added may still be to be written.
    let waveArena: RowArena
    private let row: CellBuffer

    init(schema: StoreSchema, rules: RowRules) {
        self.schema = schema
        self.rules = rules
        row = CellBuffer(count: schema.rowWidth)
        cells = row.start
        arena = RowArena()
        ruleArena = RowArena()
        waveArena = RowArena()
    }
}
