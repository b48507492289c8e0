import Observation
public import LarderKernel

/// The items of a request with their sections, for SwiftUI views and all others who observe by
/// `withObservationTracking`.
///
///     struct RecipeList: View {
///         @State private var recipes: ObservedList<Recipe>   // = ObservedList(all, sectionedBy: \.kind, in: store)
///
///         var body: some View {
///             List(recipes.list.sections) { section in
///                 Section(section.name) { ForEach(section) { Text($0.name) } }
///             }
///         }
///     }
///
/// SwiftUI finds by itself what moves from one list to the next. For a table view that needs each step, see
/// ``StoreList``. *Rule:* as ``ObservedValue``.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public final class ObservedList<Item: DataStoreItem>: ObservedValue<ItemList<Item>> {
    private let store: any DataStore
    private var current: DataStoreRequest<Item>
    private var sectioning: ListSectioning<Item>?

    /// Follows the items of a request, in sections if an attribute is given.
    ///
    /// - Parameter sectioning: The attribute that makes the sections; nil for a list without.
    public init(
        _ request: DataStoreRequest<Item>, sectionedBy sectioning: ListSectioning<Item>? = nil,
        in store: any DataStore, loading: ObservedLoading = .whenNeeded
    ) {
        self.store = store
        self.sectioning = sectioning
        current = request
        super.init(store.values { try $0.list(for: request, sectionedBy: sectioning) }, loading: loading)
    }

    /// Follows the items of a request, in sections.
    ///
    /// - Parameter attribute: The attribute whose values make the sections; see ``ListSectioning``.
    public convenience init<Section: SortableAttribute & GroupableAttribute>(
        _ request: DataStoreRequest<Item>, sectionedBy attribute: KeyPath<Item.Attributes, Section>,
        in store: any DataStore, loading: ObservedLoading = .whenNeeded
    ) where Section.Item == Item {
        self.init(request, sectionedBy: .by(attribute), in: store, loading: loading)
    }

    /// The list; an empty one before it is loaded.
    public var list: ItemList<Item> { value ?? ItemList() }

    /// True while ``list`` waits to be replaced: with `loading: .inBackground`, from a refetch or `reload()` until the new
    /// list is there.
    ///
    ///     if recipes.isPendingRefetch { ProgressView() }
    ///
    /// False before the first list, see ``ObservedValue/isLoaded``, and if the new one could not be read.
    public var isPendingRefetch: Bool { value != nil && !isLoaded && !hasEnded }

    /// The request, without the order by section; with another one, its items come in place of the present ones.
    ///
    /// *Cost:* setting it blocks the main thread for one read, unless `loading` is `.inBackground`; the present list
    /// stays meanwhile.
    public var request: DataStoreRequest<Item> {
        get {
            registrar.access(self, keyPath: \.request)
            return current
        }
        set { if newValue != current { refetch(newValue, sectionedBy: sectioning) } }
    }

    /// Continues with another request and other sections; nil for none.
    public func refetch(
        _ request: DataStoreRequest<Item>, sectionedBy sectioning: ListSectioning<Item>?
    ) {
        if request != current { registrar.withMutation(of: self, keyPath: \.request) { current = request } }
        self.sectioning = sectioning
        follow(store.values { try $0.list(for: request, sectionedBy: sectioning) })
    }
}
