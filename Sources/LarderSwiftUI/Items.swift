#if canImport(SwiftUI) || SwiftUIStandIns
    public import Larder

    #if canImport(SwiftUI)
        public import SwiftUI
    #else
        public import SwiftUIStandIns
    #endif

    /// The items of a request in the store of the environment; the view is drawn again when they change.
    ///
    /// ```swift
    /// struct RecipeList: View {
    ///     @Items(Recipe.all.sorted(by: \.name)) private var recipes
    ///     @State private var text = ""
    ///
    ///     var body: some View {
    ///         List(recipes) { recipe in Text(recipe.name) }
    ///             .searchable(text: $text)
    ///             .onChange(of: text) { text in $recipes.request = Recipe.where(.contains(\.name, text)) }
    ///     }
    /// }
    /// ```
    ///
    /// A request that the view gives in its `init` replaces the present one if it differs from the last that it gave
    /// there. `$recipes` has the current request, and the error if there is one.
    ///
    /// *Rule:* for the main actor, and the `body` of a view; the store comes from ``SwiftUI/View/dataStore(_:)``.
    /// Without one there are no items, and `$recipes.error` says so. *Cost:* the first read, on the main thread, unless
    /// `loading` is `.inBackground`.
    @MainActor
    @propertyWrapper
    public struct Items<Item: DataStoreItem> {
        @Environment(\.dataStore) private var store
        @StateObject private var published: PublishedItems<Item>
        private let request: DataStoreRequest<Item>

        public init(_ request: DataStoreRequest<Item>, loading: ObservedLoading = .whenNeeded) {
            self.request = request
            _published = StateObject(
                wrappedValue: PublishedItems(request, loading: loading, PublishedItems.source))
        }

        /// The items in the order of the request; none before they are loaded.
        public var wrappedValue: [Item] { published.items }

        /// The object that follows the items, with the current request and the error.
        public var projectedValue: PublishedItems<Item> { published }
    }

    extension Items: DynamicProperty {
        /// Takes over the store of the environment; SwiftUI calls it before it draws the view.
        public nonisolated func update() {
            MainActor.assumeIsolated { published.ask(request, in: store) }
        }
    }

    /// The items of a request in sections, from the store of the environment; the view is drawn again when they change.
    ///
    /// ```swift
    /// struct RecipeSections: View {
    ///     @SectionedItems(Recipe.all.sorted(by: \.name), by: \.kind.name) private var recipes
    ///
    ///     var body: some View {
    ///         List(recipes.sections) { section in
    ///             Section(section.name) { ForEach(section) { recipe in Text(recipe.name) } }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The sections are those that the view gives first; give it another `id(_:)` for others.
    ///
    /// *Rule:* as ``Items``. *Cost:* as ``Items``, and 8 bytes for each item.
    @MainActor
    @propertyWrapper
    public struct SectionedItems<Item: DataStoreItem> {
        @Environment(\.dataStore) private var store
        @StateObject private var published: PublishedList<Item>
        private let request: DataStoreRequest<Item>

        /// The items of a request, in sections.
        ///
        /// - Parameter sectioning: The attribute that makes the sections.
        public init(
            _ request: DataStoreRequest<Item>, by sectioning: ListSectioning<Item>,
            loading: ObservedLoading = .whenNeeded
        ) {
            self.request = request
            _published = StateObject(
                wrappedValue: PublishedList(request, loading: loading, PublishedList.source(sectioning)))
        }

        /// The items of a request, in sections by an attribute.
        ///
        /// - Parameter attribute: The attribute whose values make the sections; see ``ListSectioning``.
        public init<Section: SortableAttribute & GroupableAttribute>(
            _ request: DataStoreRequest<Item>, by attribute: KeyPath<Item.Attributes, Section>,
            loading: ObservedLoading = .whenNeeded
        ) where Section.Item == Item {
            self.init(request, by: .by(attribute), loading: loading)
        }

        /// The list; an empty one before it is loaded.
        public var wrappedValue: ItemList<Item> { published.list }

        /// The object that follows the list, with the current request and the error.
        public var projectedValue: PublishedList<Item> { published }
    }

    extension SectionedItems: DynamicProperty {
        /// Takes over the store of the environment; SwiftUI calls it before it draws the view.
        public nonisolated func update() {
            MainActor.assumeIsolated { published.ask(request, in: store) }
        }
    }
#endif
