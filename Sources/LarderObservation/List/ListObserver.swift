public import LarderKernel

/// An object that receives the changes of a list one by one, like the observers of CoreStore's monitors and
/// the delegate of `NSFetchedResultsController`.
///
///     final class RecipeTable: ListObserver {
///         func listWillChange(_ list: ItemList<Recipe>) { table.beginUpdates() }
///         func list(_ change: ListChange<Recipe>, didInsert recipe: Recipe, at position: ListPosition) { … }
///         func listDidChange(_ list: ItemList<Recipe>) { table.endUpdates() }
///     }
///     observation = recipes.observe(with: recipeTable)
///
/// For each change: ``listWillChange(_:)`` with the list before; the sections, first those deleted, then
/// inserted and moved; the items in the same order, including items of deleted and inserted sections;
/// ``listDidChange(_:)`` with the list after. An item that leaves a deleted section, or comes into an inserted one, is
/// deleted and inserted, with its new values. The calls about what has changed without coming or going follow, first
/// about items, then about sections, each kind between a will and a did of its own. So the calls between will and did
/// are a batch update that a view takes, with its places; see ``ListChange/batches``. The first list comes by
/// ``listDidLoad(_:)`` alone. The calls of a refetch are between ``listWillRefetch(_:)`` and ``listDidRefetch(_:)``.
///
/// Each method does nothing unless it is implemented.
///
/// *Rule:* called on the main actor, all calls of one change without a break.
@MainActor
public protocol ListObserver<Item>: AnyObject {
    associatedtype Item: DataStoreItem

    /// Receives the first list.
    func listDidLoad(_ list: ItemList<Item>)

    func listWillChange(_ list: ItemList<Item>)

    func list(_ change: ListChange<Item>, didDelete section: ListSection<Item>, at number: Int)

    func list(_ change: ListChange<Item>, didInsert section: ListSection<Item>, at number: Int)

    func list(_ change: ListChange<Item>, didMove section: ListSection<Item>, _ move: ListMove<Int>)

    /// Receives a new name of a section that stays.
    func list(_ change: ListChange<Item>, didUpdate section: ListSection<Item>, _ move: ListMove<Int>)

    func list(_ change: ListChange<Item>, didDelete item: Item, at position: ListPosition)

    func list(_ change: ListChange<Item>, didInsert item: Item, at position: ListPosition)

    func list(_ change: ListChange<Item>, didMove item: Item, _ move: ListMove<ListPosition>)

    /// Receives an item that has changed; one that has moved too comes by both calls.
    func list(_ change: ListChange<Item>, didUpdate item: Item, _ move: ListMove<ListPosition>)

    func listDidChange(_ list: ItemList<Item>)

    /// Hears that the list has been read for another request, before the change that this makes.
    func listWillRefetch(_ list: ItemList<Item>)

    func listDidRefetch(_ list: ItemList<Item>)
}

extension ListObserver {
    public func listDidLoad(_ list: ItemList<Item>) {}

    public func listWillChange(_ list: ItemList<Item>) {}

    public func list(_ change: ListChange<Item>, didDelete section: ListSection<Item>, at number: Int) {}

    public func list(_ change: ListChange<Item>, didInsert section: ListSection<Item>, at number: Int) {}

    public func list(_ change: ListChange<Item>, didMove section: ListSection<Item>, _ move: ListMove<Int>) {}

    public func list(_ change: ListChange<Item>, didUpdate section: ListSection<Item>, _ move: ListMove<Int>)
    {}

    public func list(_ change: ListChange<Item>, didDelete item: Item, at position: ListPosition) {}

    public func list(_ change: ListChange<Item>, didInsert item: Item, at position: ListPosition) {}

    public func list(_ change: ListChange<Item>, didMove item: Item, _ move: ListMove<ListPosition>) {}

    public func list(_ change: ListChange<Item>, didUpdate item: Item, _ move: ListMove<ListPosition>) {}

    public func listDidChange(_ list: ItemList<Item>) {}

    public func listWillRefetch(_ list: ItemList<Item>) {}

    public func listDidRefetch(_ list: ItemList<Item>) {}
}

extension ListUpdate {
    /// Makes the calls of ``ListObserver`` for this update.
    @MainActor
    public func send(to observer: some ListObserver<Item>) {
        guard let change else { return observer.listDidLoad(list) }
        if isRefetched { observer.listWillRefetch(change.old) }
        for batch in change.batchesOfAllItems { batch.send(to: observer) }
        if isRefetched { observer.listDidRefetch(list) }
    }
}

extension ListChange {
    @MainActor
    fileprivate func send(to observer: some ListObserver<Item>) {
        observer.listWillChange(old)
        for step in self {
            switch step {
            case .deleteSection(let number): observer.list(self, didDelete: old.sections[number], at: number)
            case .insertSection(let number): observer.list(self, didInsert: new.sections[number], at: number)
            case .moveSection(let move): observer.list(self, didMove: new.sections[move.to], move)
            case .updateSection(let move): observer.list(self, didUpdate: new.sections[move.to], move)
            case .deleteItem(let position): observer.list(self, didDelete: old[position], at: position)
            case .insertItem(let position): observer.list(self, didInsert: new[position], at: position)
            case .moveItem(let move): observer.list(self, didMove: new[move.to], move)
            case .updateItem(let move): observer.list(self, didUpdate: new[move.to], move)
            }
        }
        observer.listDidChange(new)
    }
}
