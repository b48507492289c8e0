#if canImport(SwiftUI) || SwiftUIStandIns
    public import Larder

    #if canImport(SwiftUI)
        public import SwiftUI
    #else
        public import SwiftUIStandIns
    #endif

    extension EnvironmentValues {
        /// The store that views read and write; nil if no view around has given one.
        ///
        /// ```swift
        /// @Environment(\.dataStore) private var store
        /// ```
        ///
        /// *Rule:* set up before the first view is drawn with it.
        public var dataStore: (any DataStore)? {
            get { self[DataStoreKey.self] }
            set { self[DataStoreKey.self] = newValue }
        }
    }

    private struct DataStoreKey: EnvironmentKey {
        static let defaultValue: (any DataStore)? = nil
    }

    extension View {
        /// Gives a store to the view and to all views in it.
        ///
        /// ```swift
        /// RecipeList().dataStore(store)
        /// ```
        ///
        /// ``Items`` and ``SectionedItems`` read from it. With another store, their items come from that one; with the
        /// draft of an ``EditSession``, they show what is staged there.
        ///
        /// *Rule:* the environment keeps the store.
        public func dataStore(_ store: (any DataStore)?) -> some View {
            environment(\.dataStore, store)
        }
    }
#endif
