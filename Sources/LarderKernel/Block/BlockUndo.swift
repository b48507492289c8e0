/// The cheapest way in which a block, or a call in it, is undone.
enum UndoWay {
    /// Nothing needs to be undone: the engine applies one mutation whole or not at all, and nothing follows
    /// it; or the caller undoes it with the rest of its work.
    case nothing
    /// By ending the transaction, which holds nothing else.
    case wholeTransaction
    /// By going back to a savepoint.
    case savepoint
    /// By deleting the one row that was inserted; not in a child, which keeps the last version of what it deletes.
    case row(ItemKey)
}

/// Decides how a block and its calls are undone, and remembers what was prepared for it.
///
/// A savepoint costs more than most blocks do: two statements in SQLite, a copy of each page that is touched
/// after it in the other engines.
struct BlockUndo {
    /// The blocks that use the transaction.
    enum Sharing {
        /// This block only, which commits by itself.
        case alone
        /// This block first; others may follow before the commit.
        case first
        /// Others, whose changes are in the transaction already.
        case further
    }

    /// The part of the work that must be undone if it fails.
    enum Scope {
        case block
        /// A call whose error the app may catch, to continue with its block.
        case call(isTransactionUntouched: Bool)
    }

    /// The changes that are about to be made.
    enum Changes {
        /// Mutations, of which the only one may be an insert that its deletion undoes.
        case mutations(Int, insertedRow: ItemKey?)
        /// Any number, over the course of a call.
        case any
    }

    let sharing: Sharing
    /// True if the block has ended, and only what was set on one handle is still to be written.
    var isLastChange = false
    /// The row the block has inserted before anything else.
    private(set) var insertedRow: ItemKey?
    /// True if a savepoint precedes everything the block has done, or everything but ``insertedRow``.
    var hasSavepoint = false

    init(_ sharing: Sharing) {
        self.sharing = sharing
    }

    /// True if the block does not commit by itself.
    var isShared: Bool { sharing != .alone }

    /// Decides how a block or a call is undone if it fails during the next changes or after them.
    ///
    /// *Rule:* asked before each list of mutations, however long, and before each call that makes several.
    @inline(__always)
    func way(toUndo scope: Scope, changing changes: @autoclosure () -> Changes) -> UndoWay {
        switch scope {
        case .block:
            if sharing != .further { return .wholeTransaction }
            if hasSavepoint { return .savepoint }
            guard case .mutations(1, let row) = changes() else { return .savepoint }
            if isLastChange { return .nothing }
            guard insertedRow == nil, let row else { return .savepoint }
            return .row(row)
        case .call(let isTransactionUntouched):
            if case .mutations(1, _) = changes() { return .nothing }
            return sharing == .alone && isTransactionUntouched ? .wholeTransaction : .savepoint
        }
    }

    /// Remembers how the block is undone, after the changes were made.
    mutating func note(_ way: UndoWay) {
        if case .row(let key) = way { insertedRow = key }
    }
}
