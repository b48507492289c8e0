import Foundation
import Larder

extension Fault {
    /// The value an engine with this fault would keep instead; its text may live in the arena.
    func spoiled(_ cell: Cell, isOptional: Bool, in arena: RowArena) throws(DataStoreError) -> Cell {
        switch (self, cell.kind) {
        case (.textEndsAtNUL, .text):
            .text(UnsafeRawBufferPointer(rebasing: cell.bytes.prefix { $0 != 0 }))
        case (.emptyTextBecomesNil, .text) where isOptional && cell.length == 0:
            .null
        case (.numbersAreRounded, .real):
            .real(Double(Float(cell.real)))
        case (.textIsComposed, .text):
            try cell.string.precomposedStringWithCanonicalMapping.encode(in: arena)
        default:
            cell
        }
    }
}
