public import LarderKernel

/// The difference between two states of a list, as a table or collection view takes it.
///
///     for batch in change.batches {
///         view.performBatchUpdates {
///             view.deleteSections(IndexSet(batch.deletedSections))
///             view.insertSections(IndexSet(batch.insertedSections))
///             …
///         }
///     }
///     for step in change { … }             // the whole, one after the other
///
/// As in a batch update, deletions and the origins of moves are places in the old list, insertions and the
/// ends of moves places in the new one, whatever the order in which they are carried out. An item or section
/// is in one of them only; one that was moved and also changed is a move whose ``ListMove/isUpdated`` is
/// true.
///
/// An item is moved if it has changed its section, or its place among the other items of the section that
/// were there before; an item that is pushed on by others is not. There are as few moves as possible. The
/// items of a deleted section are deleted or moved, and the items of an inserted one inserted or moved. A
/// collection view refuses some of this in one batch update; ``batches`` is the change in the form that it
/// takes.
///
/// *Rule:* a value; it keeps both lists. *Cost:* to find it takes one pass over the lists, and O(n log n)
/// if items have changed places.
public struct ListChange<Item: DataStoreItem>: Sendable {
    /// The list before the change.
    public let old: ItemList<Item>
    /// The list after the change.
    public let new: ItemList<Item>
    /// The whole difference, by which the change is applied.
    let whole: ListDifference
    /// The difference that is shown: the whole one, or ``withoutImpliedItems``.
    let difference: ListDifference

    init(
        from old: ItemList<Item>, to new: ItemList<Item>, _ whole: ListDifference,
        showing difference: ListDifference
    ) {
        self.old = old
        self.new = new
        self.whole = whole
        self.difference = difference
    }

    /// Finds the difference between two lists.
    ///
    /// Items are compared by their identifiers, and by what is stored of them.
    public init(from old: ItemList<Item>, to new: ItemList<Item>) {
        let difference = ListDifference(from: old.shape, to: new.shape)
        self.init(from: old, to: new, difference, showing: difference)
    }

    /// True if the lists are the same.
    public var isEmpty: Bool { difference.isEmpty }
}

// MARK: Places

extension ListChange {
    /// The sections that are gone, by their old numbers, ascending.
    public var deletedSections: [Int] { difference.deletedSections }

    /// The sections that are new, by their new numbers, ascending.
    public var insertedSections: [Int] { difference.insertedSections }

    /// The sections that have changed their place among the others; in the order of their new numbers.
    ///
    /// Sections come in the order of their values, so only a refetch moves them.
    public var movedSections: [ListMove<Int>] { difference.movedSections }

    /// The sections that stay, but have another name or index title; in the order of their new numbers.
    public var updatedSections: [ListMove<Int>] { difference.updatedSections }

    /// The items that are gone, by their old positions, ascending.
    public var deletedItems: [ListPosition] { difference.deletedItems }

    /// The items that are new, by their new positions, ascending.
    public var insertedItems: [ListPosition] { difference.insertedItems }

    /// The items that have moved, in the order of their new positions.
    public var movedItems: [ListMove<ListPosition>] { difference.movedItems }

    /// The items that stay, but have changed, in the order of their new positions.
    ///
    /// `from` and `to` differ if other items before them came or went. Views reload them at `to`, after the batch
    /// update that moves items: in one batch, a reload is a deletion and an insertion to them, and clashes with moves.
    /// See ``batches``.
    public var updatedItems: [ListMove<ListPosition>] { difference.updatedItems }

    /// The identifiers of all items that have changed and are in both lists, those that have also moved among
    /// them.
    public var updatedIDs: [Item.ID] {
        let moved = whole.movedItems.filter(\.isUpdated)
        return (whole.updatedItems + moved).map(\.to).sorted().compactMap { new[safe: $0]?.id }
    }
}

// MARK: Steps

/// One step of a ``ListChange``.
public enum ListStep: Sendable, Hashable {
    case deleteSection(Int)
    case insertSection(Int)
    case moveSection(ListMove<Int>)
    case updateSection(ListMove<Int>)
    case deleteItem(ListPosition)
    case insertItem(ListPosition)
    case moveItem(ListMove<ListPosition>)
    case updateItem(ListMove<ListPosition>)
}

extension ListChange: Sequence {
    /// The steps: sections, then items; of each first what was deleted, then what was inserted, moved and
    /// updated.
    public func makeIterator() -> some IteratorProtocol<ListStep> { steps.makeIterator() }

    private var steps: [ListStep] {
        var steps = difference.deletedSections.map(ListStep.deleteSection)
        steps += difference.insertedSections.map(ListStep.insertSection)
        steps += difference.movedSections.map(ListStep.moveSection)
        steps += difference.updatedSections.map(ListStep.updateSection)
        steps += difference.deletedItems.map(ListStep.deleteItem)
        steps += difference.insertedItems.map(ListStep.insertItem)
        steps += difference.movedItems.map(ListStep.moveItem)
        steps += difference.updatedItems.map(ListStep.updateItem)
        return steps
    }
}

extension ListChange: CustomStringConvertible {
    /// The steps by name: `insert 0.3, move 1.0→2.1 updated`.
    public var description: String { steps.map(\.description).joined(separator: ", ") }
}

extension ListStep: CustomStringConvertible {
    public var description: String {
        switch self {
        case .deleteSection(let section): "delete section \(section)"
        case .insertSection(let section): "insert section \(section)"
        case .moveSection(let move): "move section \(move)"
        case .updateSection(let move): "update section \(move.from)→\(move.to)"
        case .deleteItem(let position): "delete \(position)"
        case .insertItem(let position): "insert \(position)"
        case .moveItem(let move): "move \(move)"
        case .updateItem(let move): "update \(move.from)→\(move.to)"
        }
    }
}
