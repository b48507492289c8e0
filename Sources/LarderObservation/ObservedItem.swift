import Observation
public import LarderKernel

/// The item with an identifier, for SwiftUI views and all others who observe by `withObservationTracking`.
///
///     struct RecipeScreen: View {
///         @State private var recipe: ObservedItem<Recipe>    // = ObservedItem(id, in: store)
///
///         var body: some View {
///             if let recipe = recipe.item { RecipeView(recipe) } else { Text("This recipe was deleted.") }
///         }
///     }
///
/// *Rule:* as ``ObservedValue``.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public final class ObservedItem<Item: DataStoreItem>: ObservedValue<ItemChange<Item>>
where Item.ID: Sendable {
    private let store: any DataStore
    private var current: Item.ID

    public init(
        _ id: Item.ID, of type: Item.Type = Item.self, in store: any DataStore,
        loading: ObservedLoading = .whenNeeded
    ) {
        self.store = store
        current = id
        super.init(store.changes(ofItem: id, of: type), loading: loading)
    }

    /// The current item; nil if it is not stored, or not loaded yet.
    public var item: Item? { value?.item }

    /// The last change of the item, with what differs; nil if it is not loaded yet.
    public var change: ItemChange<Item>? { value }

    /// The identifier; with another one, its item comes in place of the present one.
    public var id: Item.ID {
        get {
            registrar.access(self, keyPath: \.id)
            return current
        }
        set {
            if newValue.anyItemID == current.anyItemID { return }
            registrar.withMutation(of: self, keyPath: \.id) { current = newValue }
            follow(store.changes(ofItem: newValue, of: Item.self))
        }
    }
}
