public import Observation
import LarderKernel

/// A value that follows a store, for SwiftUI views and all others who observe by `withObservationTracking`.
///
///     struct UnreadCount: View {
///         @State private var unread = ObservedValue(store.values(ofCount: Message.where(\.isUnread)))
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
    private let loading: ObservedLoading
    private var followed: StoreValues<Value>
    private var hasBegun = false
    private var observation: StoreObservation?
    private var last: Value?
    private var failure: (any Error)?
    private var isFresh = false
    private var isOver = false

    /// - Parameter loading: When the first value is read.
    public init(_ values: StoreValues<Value>, loading: ObservedLoading = .whenNeeded) {
        followed = values
        self.loading = loading
    }

    /// The newest value; nil before the first one.
    public var value: Value? {
        begin()
        registrar.access(self, keyPath: \.value)
        return last
    }

    /// The error that has ended the observation; nil if there was none.
    public var error: (any Error)? {
        begin()
        registrar.access(self, keyPath: \.error)
        return failure
    }

    /// True if ``value`` is of the present request; false while its first value is being read, or could not be.
    public var isLoaded: Bool {
        begin()
        registrar.access(self, keyPath: \.isLoaded)
        return isFresh
    }

    /// True if no further value will come: the store was torn down, or reading has failed.
    public var hasEnded: Bool {
        begin()
        registrar.access(self, keyPath: \.hasEnded)
        return isOver
    }

    /// Rereads the value and resumes observing, even after the end: for example when the store was opened
    /// again.
    public func reload() {
        hasBegun = true
        read(isNotifying: true)
    }

    /// Follows other values of the store.
    func follow(_ values: StoreValues<Value>) {
        followed = values
        if hasBegun { read(isNotifying: true) }
    }
}

/// The time at which an observed value is first read.
public enum ObservedLoading: Sendable {
    /// On the main actor, when a property is first asked for: the value is there at once.
    case whenNeeded
    /// Off the main actor, from when a property is first asked for; `isLoaded` is false until then.
    case inBackground
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ObservedValue {
    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        // Without notifying: a view must not change what it is being made from, and no view has seen another state.
        read(isNotifying: false)
    }

    private func read(isNotifying: Bool) {
        observation = nil
        let iterator = followed.makeAsyncIterator()
        switch loading {
        case .inBackground:
            set(\.isFresh, false, isNotifying ? \.isLoaded : nil)
        case .whenNeeded:
            do {
                let value = try iterator.first()
                receive(value, isNotifying: isNotifying)
            } catch {
                set(\.isFresh, false, isNotifying ? \.isLoaded : nil)
                return end(error, isNotifying: isNotifying)
            }
        }
        if failure != nil { tell(isNotifying ? \.error : nil) { failure = nil } }
        set(\.isOver, false, isNotifying ? \.hasEnded : nil)
        observation = StoreObservation(Task { [weak self] in await Self.follow(iterator) { self } })
    }

    /// Hands each value on until the observation is canceled, which its owner does on the main actor.
    private static func follow(
        _ iterator: StoreValues<Value>.Iterator, for owner: () -> ObservedValue?
    ) async {
        var iterator = iterator
        do {
            while let value = try await iterator.next(isolation: #isolation) {
                if Task.isCancelled { return }
                owner()?.receive(value, isNotifying: true)
            }
            if !Task.isCancelled { owner()?.end(nil, isNotifying: true) }
        } catch {
            if !Task.isCancelled { owner()?.end(error, isNotifying: true) }
        }
    }

    private func receive(_ value: Value, isNotifying: Bool) {
        tell(isNotifying ? \.value : nil) { last = value }
        set(\.isFresh, true, isNotifying ? \.isLoaded : nil)
    }

    private func end(_ error: (any Error)?, isNotifying: Bool) {
        observation = nil
        if error != nil || failure != nil { tell(isNotifying ? \.error : nil) { failure = error } }
        set(\.isOver, true, isNotifying ? \.hasEnded : nil)
    }

    /// Sets a flag, and notifies the observers of a property if that changes it.
    private func set(
        _ flag: ReferenceWritableKeyPath<ObservedValue, Bool>, _ isSet: Bool,
        _ property: KeyPath<ObservedValue, Bool>?
    ) {
        if self[keyPath: flag] != isSet { tell(property) { self[keyPath: flag] = isSet } }
    }

    /// Changes what a property shows, and notifies its observers.
    func tell<Property>(_ property: KeyPath<ObservedValue, Property>?, _ change: () -> Void) {
        guard let property else { return change() }
        registrar.withMutation(of: self, keyPath: property, change)
    }
}
