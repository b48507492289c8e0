import Observation
public import LarderKernel

/// The items of a request, for SwiftUI views and all others who observe by `withObservationTracking`.
///
///     struct RecipeList: View {
///         @State private var recipes: ObservedItems<Recipe>
///
///         init(in store: any DataStore) {
///             _recipes = State(initialValue: ObservedItems(Recipe.all.sorted(by: \.name), in: store))
///         }
///
///         var body: some View { List(recipes.items) { Text($0.name) } }
///     }
///
/// *Rule:* as ``ObservedValue``.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public final class ObservedItems<Item: DataStoreItem>: ObservedValue<[Item]> {
    private let store: any DataStore
    private var current: DataStoreRequest<Item>

    public init(
        _ request: DataStoreRequest<Item>, in store: any DataStore, loading: ObservedLoading = .whenNeeded
    ) {
        self.store = store
        current = request
        super.init(store.values(of: request), loading: loading)
    }

    /// The items in the order of the request; none before they are loaded.
    public var items: [Item] { value ?? [] }

    /// The request; with another one, its items come in place of the present ones.
    ///
    /// *Cost:* setting it blocks the main thread for one read, unless `loading` is `.inBackground`; the present items
    /// stay meanwhile.
    public var request: DataStoreRequest<Item> {
        get {
            registrar.access(self, keyPath: \.request)
            return current
        }
        set {
            if newValue == current { return }
            registrar.withMutation(of: self, keyPath: \.request) { current = newValue }
            follow(store.values(of: newValue))
        }
    }
}
