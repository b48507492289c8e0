public import Observation
import LarderKernel

/// A value that follows a store, for SwiftUI views and all others who observe by `withObservationTracking`.
///
///     struct UnreadCount: View {
///         @State private var unread: ObservedValue<Int>
///
///         init(in store: any DataStore) {
///             _unread = State(initialValue: ObservedValue(store.values(ofCount: Message.where(\.isUnread))))
///         }
///
///         var body: some View { Text("\(unread.value ?? 0) unread messages") }
///     }
///
/// ``ObservedItems`` and ``ObservedItem`` are the same for the items of a request and for a single item.
///
/// Nothing is read until a property is first asked for; then, the first value is read on the spot, so that a view
/// shows it in its first frame. Further values are read off the main actor, and come in as ``StoreValues`` give
/// them. A property notifies its observers only when it changes.
///
/// *Rule:* for the main actor. It keeps its store, and ends when it is released. When the store is torn down, or
/// reading fails, the last value stays; see ``hasEnded`` and ``error``. *Cost:* the first read blocks the
/// main thread, unless it is made with `loading: .inBackground`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public class ObservedValue<Value: Sendable>: Observable {
    let registrar = ObservationRegistrar()
    private let followed: FollowedValue<Value>

    /// Follows the values of a store, or of a request or block.
    ///
    /// - Parameter loading: When the first value is read.
    public init(_ values: StoreValues<Value>, loading: ObservedLoading = .whenNeeded) {
        followed = FollowedValue(values, loading: loading)
        followed.willChange = { [weak self] property, change in
            guard let self else { return change() }
            switch property {
            case .value: registrar.withMutation(of: self, keyPath: \.value, change)
            case .error: registrar.withMutation(of: self, keyPath: \.error, change)
            case .isLoaded: registrar.withMutation(of: self, keyPath: \.isLoaded, change)
            case .hasEnded: registrar.withMutation(of: self, keyPath: \.hasEnded, change)
            }
        }
    }

    /// The newest value; nil before the first one.
    public var value: Value? {
        followed.begin()
        registrar.access(self, keyPath: \.value)
        return followed.value
    }

    /// The error that has ended the observation; nil if there was none.
    public var error: (any Error)? {
        followed.begin()
        registrar.access(self, keyPath: \.error)
        return followed.error
    }

    /// True if ``value`` is of the present request; false while its first value is being read, or could not be.
    public var isLoaded: Bool {
        followed.begin()
        registrar.access(self, keyPath: \.isLoaded)
        return followed.isLoaded
    }

    /// True if no further value will come: the store was torn down, or reading has failed.
    public var hasEnded: Bool {
        followed.begin()
        registrar.access(self, keyPath: \.hasEnded)
        return followed.hasEnded
    }

    /// Rereads the value and resumes observing, even after the end: for example when the store was opened
    /// again.
    public func reload() { followed.reload() }

    /// Follows other values of the store.
    func follow(_ values: StoreValues<Value>) { followed.follow(values) }
}

/// The time at which an observed value is first read.
public enum ObservedLoading: Sendable {
    /// On the main actor, when a property is first asked for: the value is there at once.
    case whenNeeded
    /// Off the main actor, from when a property is first asked for; `isLoaded` is false until then.
    case inBackground
}
