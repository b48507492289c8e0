#if canImport(SwiftUI) || SwiftUIStandIns
    public import Larder

    #if canImport(SwiftUI)
        import Combine
        public import SwiftUI
    #else
        public import SwiftUIStandIns
    #endif

    /// A view over a store that was filled for it: for previews.
    ///
    /// ```swift
    /// #Preview {
    ///     PreviewStore(MemoryDataStore(storing: [Recipe.self])) { accessor in
    ///         try accessor.insert(contentsOf: Recipe.samples)
    ///     } content: {
    ///         RecipeList()
    ///     }
    /// }
    /// ```
    ///
    /// The store is set up and filled in one write block before the content is first drawn. If that fails, the preview
    /// shows the error in place of the content.
    ///
    /// *Rule:* for the main actor. *Cost:* the block, on the main thread, once for the life of the view.
    @MainActor
    public struct PreviewStore<Content: View>: View {
        @StateObject private var filled: FilledStore
        private let content: Content

        public init(
            _ store: @autoclosure @escaping () -> any DataStore,
            filledBy fill: @escaping (DataStoreReadWriteAccessor) throws -> Void,
            @ViewBuilder content: () -> Content
        ) {
            _filled = StateObject(wrappedValue: FilledStore(store(), fill))
            self.content = content()
        }

        public var body: some View {
            if let complaint = filled.complaint {
                Text(complaint)
            } else {
                content.dataStore(filled.store)
            }
        }
    }

    /// A store that is set up and filled when it is made.
    @MainActor
    private final class FilledStore: ObservableObject {
        // reason: the requirement is not isolated; nothing is ever sent.
        nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
        let store: any DataStore
        /// The reason why the store could not be filled.
        let complaint: String?

        init(_ store: any DataStore, _ fill: (DataStoreReadWriteAccessor) throws -> Void) {
            self.store = store
            do {
                try store.setup()
                try store.writeSync(fill)
                complaint = nil
            } catch {
                complaint = "The preview has no data. \(error)"
            }
        }
    }
#endif
