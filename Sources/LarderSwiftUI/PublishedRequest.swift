#if canImport(SwiftUI) || SwiftUIStandIns
    public import Larder

    #if canImport(SwiftUI)
        import Combine
    #else
        import SwiftUIStandIns
    #endif

    /// The items of a request, as an `ObservableObject`: ``ObservedItems`` for views that also run on iOS 16.
    public typealias PublishedItems<Item: DataStoreItem> = PublishedRequest<Item, [Item]>

    /// The items of a request with their sections, as an `ObservableObject`: ``ObservedList`` for views that also run
    /// on iOS 16.
    public typealias PublishedList<Item: DataStoreItem> = PublishedRequest<Item, ItemList<Item>>

    /// The items of a request as an `ObservableObject`, in an array or in a list; see ``PublishedItems`` and
    /// ``PublishedList``.
    ///
    /// ```swift
    /// struct RecipeScreen: View {
    ///     @StateObject private var recipes: PublishedItems<Recipe>
    ///
    ///     init(in store: any DataStore) {
    ///         let recipes = PublishedItems(Recipe.all.sorted(by: \.name), in: store)
    ///         _recipes = StateObject(wrappedValue: recipes)
    ///     }
    ///
    ///     var body: some View { List(recipes.items) { recipe in Text(recipe.name) } }
    /// }
    /// ```
    ///
    /// The projected value of ``Items`` and ``SectionedItems`` is one too.
    ///
    /// *Rule:* as ``PublishedValue``.
    @MainActor
    public final class PublishedRequest<Item: DataStoreItem, Value: Sendable>: PublishedValue<Value> {
        typealias Source = (any DataStore, DataStoreRequest<Item>) -> StoreValues<Value>

        private let values: Source
        private var store: (any DataStore)?
        /// The request that the view has given last, which may not be the current one; nil before the first.
        private var given: DataStoreRequest<Item>?
        private var current: DataStoreRequest<Item>

        /// Creates the items of a request in a store that is not known yet.
        init(_ request: DataStoreRequest<Item>, loading: ObservedLoading, _ values: @escaping Source) {
            self.values = values
            current = request
            super.init(loading: loading)
        }

        private convenience init(
            _ request: DataStoreRequest<Item>, in store: any DataStore, loading: ObservedLoading,
            _ values: @escaping Source
        ) {
            self.init(request, loading: loading, values)
            ask(request, in: store)
        }

        /// The request; with another one, its items come in place of the present ones.
        ///
        /// *Cost:* setting it blocks the main thread for one read, unless `loading` is `.inBackground`.
        public var request: DataStoreRequest<Item> {
            get { current }
            set {
                if newValue == current { return }
                objectWillChange.send()
                current = newValue
                if let store { follow(values(store, newValue)) }
            }
        }

        /// Takes over what a view is drawn with: its store, and its request if that is not the last that it gave.
        ///
        /// The view itself asks for the new items next. Others that observe the object are notified when it has been drawn.
        func ask(_ request: DataStoreRequest<Item>, in store: (any DataStore)?) {
            if request == given, store === self.store { return }
            if let given {
                if request != given { current = request }
                Task { [weak self] in self?.objectWillChange.send() }
            }
            given = request
            // No items of the earlier store stay, even if the other one cannot be read, or there is none.
            if store !== self.store { forget() }
            self.store = store
            if let store { follow(values(store, current), isQuiet: true) }
        }
    }

    extension PublishedRequest where Value == [Item] {
        static var source: Source { { store, request in store.values(of: request) } }

        /// Follows the items of a request.
        ///
        /// - Parameter loading: When the items are first read.
        public convenience init(
            _ request: DataStoreRequest<Item>, in store: any DataStore, loading: ObservedLoading = .whenNeeded
        ) {
            self.init(request, in: store, loading: loading, Self.source)
        }

        /// The items in the order of the request; none before they are loaded.
        public var items: [Item] { value ?? [] }
    }

    extension PublishedRequest where Value == ItemList<Item> {
        static func source(_ sectioning: ListSectioning<Item>?) -> Source {
            { store, request in store.values { try $0.list(for: request, sectionedBy: sectioning) } }
        }

        /// Follows the items of a request, in sections if an attribute is given.
        ///
        /// - Parameters:
        ///   - sectioning: The attribute that makes the sections; nil for a list without.
        ///   - loading: When the list is first read.
        public convenience init(
            _ request: DataStoreRequest<Item>, sectionedBy sectioning: ListSectioning<Item>?,
            in store: any DataStore, loading: ObservedLoading = .whenNeeded
        ) {
            self.init(request, in: store, loading: loading, Self.source(sectioning))
        }

        /// The list; an empty one before it is loaded.
        public var list: ItemList<Item> { value ?? ItemList() }
    }
#endif
