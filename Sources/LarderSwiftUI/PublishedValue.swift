#if canImport(SwiftUI) || SwiftUIStandIns
    public import Larder

    #if canImport(SwiftUI)
        public import Combine
    #else
        public import SwiftUIStandIns
    #endif

    /// A value that follows a store, as an `ObservableObject`: ``ObservedValue`` for views that also run on iOS 16.
    ///
    /// ```swift
    /// struct UnreadCount: View {
    ///     @StateObject private var unread: PublishedValue<Int>
    ///
    ///     init(in store: any DataStore) {
    ///         let unread = store.values(ofCount: Message.where(\.isUnread))
    ///         _unread = StateObject(wrappedValue: PublishedValue(unread))
    ///     }
    ///
    ///     var body: some View { Text("\(unread.value ?? 0) unread messages") }
    /// }
    /// ```
    ///
    /// Nothing is read until a property is first asked for; then, the first value is read on the spot. A view that
    /// observes the object is drawn again when any of its properties changes.
    ///
    /// *Rule:* for the main actor. It keeps its store, and ends when it is released. When the store is torn down, or
    /// reading fails, the last value stays; see ``hasEnded`` and ``error``. *Cost:* the first read blocks the main
    /// thread, unless it is made with `loading: .inBackground`.
    @MainActor
    public class PublishedValue<Value: Sendable>: ObservableObject {
        // reason: the requirement is not isolated; the publisher is constant, and used on the main actor.
        public nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
        private let loading: ObservedLoading
        private var followed: FollowedValue<Value>?

        /// Follows the values of a store, or of a request or block.
        ///
        /// - Parameter loading: When the first value is read.
        public init(_ values: StoreValues<Value>, loading: ObservedLoading = .whenNeeded) {
            self.loading = loading
            follow(values)
        }

        /// Creates a value without a store.
        init(loading: ObservedLoading) { self.loading = loading }

        /// The newest value; nil before the first one.
        public var value: Value? { begun?.value }

        /// The error that has ended the observation, or says that there is no store; nil if there was none.
        public var error: (any Error)? {
            guard let begun else { return DataStoreError.noStoreInEnvironment }
            return begun.error
        }

        /// True if ``value`` is of the present request; false while its first value is being read, or could not be.
        public var isLoaded: Bool { begun?.isLoaded ?? false }

        /// True if no further value will come: the store was torn down, or reading has failed.
        public var hasEnded: Bool { begun?.hasEnded ?? false }

        /// Rereads the value and resumes observing, even after the end: for example when the store was opened again.
        public func reload() { followed?.reload() }

        private var begun: FollowedValue<Value>? {
            followed?.begin()
            return followed
        }

        /// Follows other values.
        ///
        /// - Parameter isQuiet: True while a view is being drawn, which asks for the new value anyway.
        func follow(_ values: StoreValues<Value>, isQuiet: Bool = false) {
            if let followed { return isQuiet ? followed.followQuietly(values) : followed.follow(values) }
            let followed = FollowedValue(values, loading: loading)
            followed.willChange = { [objectWillChange] _, change in
                objectWillChange.send()
                change()
            }
            self.followed = followed
        }

        /// Follows nothing, as before the first store.
        func forget() { followed = nil }
    }

    extension DataStoreError {
        static var noStoreInEnvironment: DataStoreError {
            DataStoreError(
                .notSetUp, "A view asks for items, and there is no store in its environment.",
                advice: "Give the view, or one around it, a store by dataStore(_:).")
        }
    }
#endif
