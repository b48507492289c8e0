public import LarderKernel

/// A state of an observed list, with the change that leads to it.
///
///     for try await update in store.list(request, sectionedBy: \.kind.name) {
///         show(update.list, update.change)
///     }
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct ListUpdate<Item: DataStoreItem>: Sendable {
    /// The current list.
    public let list: ItemList<Item>
    /// The difference from the list that this observer got before; nil for the first one.
    public let change: ListChange<Item>?
    /// True if the list was asked for with another request since the update before; see
    /// ``StoreList/refetch(_:)``.
    public let isRefetched: Bool
    /// The origins of the commits since the reading before that have touched what the list is read from, with nil for
    /// writes without an origin; see ``StoreValues/withOrigins``.
    ///
    /// A reading that leaves the list as it was gives no update, and its origins are in none.
    public let origins: Set<WriteOrigin?>
}
