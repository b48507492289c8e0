/// A value of a store for a screen: read when it is first asked for, and again as commits come.
///
/// Its owner makes each change, and notifies the observers: of Observation, or of Combine.
///
/// *Rule:* ends when it is released.
@MainActor
package final class FollowedValue<Value: Sendable> {
    package enum Property {
        case value, error, isLoaded, hasEnded
    }

    /// Makes a change of a property, and notifies those who observe it.
    package var willChange: (Property, _ change: () -> Void) -> Void = { $1() }
    /// The newest value; nil before the first one.
    package private(set) var value: Value?
    /// The error that has ended the observation.
    package private(set) var error: (any Error)?
    package private(set) var isLoaded = false
    package private(set) var hasEnded = false
    private let loading: ObservedLoading
    private var followed: StoreValues<Value>
    private var hasBegun = false
    private var observation: StoreObservation?

    package init(_ values: StoreValues<Value>, loading: ObservedLoading) {
        followed = values
        self.loading = loading
    }

    /// Begins to follow the store, the first time.
    package func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        // Without notifying: a view must not change what it is being made from, and no view has seen another state.
        read(isNotifying: false)
    }

    /// Rereads the value and resumes observing, even after the end.
    package func reload() {
        hasBegun = true
        read(isNotifying: true)
    }

    /// Follows other values of the store.
    package func follow(_ values: StoreValues<Value>) {
        followed = values
        if hasBegun { read(isNotifying: true) }
    }

    /// Follows other values of the store, from when a property is next asked for, without notifying.
    package func followQuietly(_ values: StoreValues<Value>) {
        followed = values
        observation = nil
        hasBegun = false
    }
}

extension FollowedValue {
    private func read(isNotifying: Bool) {
        observation = nil
        let iterator = followed.makeAsyncIterator()
        switch loading {
        case .inBackground:
            set(\.isLoaded, false, isNotifying ? .isLoaded : nil)
        case .whenNeeded:
            do {
                let value = try iterator.first()
                receive(value, isNotifying: isNotifying)
            } catch {
                set(\.isLoaded, false, isNotifying ? .isLoaded : nil)
                return end(error, isNotifying: isNotifying)
            }
        }
        if error != nil { tell(isNotifying ? .error : nil) { error = nil } }
        set(\.hasEnded, false, isNotifying ? .hasEnded : nil)
        observation = StoreObservation(Task { [weak self] in await Self.follow(iterator) { self } })
    }

    /// Hands each value on until the observation is canceled, which its owner does on the main actor.
    private static func follow(
        _ iterator: StoreValues<Value>.Iterator, for owner: () -> FollowedValue?
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
        tell(isNotifying ? .value : nil) { self.value = value }
        set(\.isLoaded, true, isNotifying ? .isLoaded : nil)
    }

    private func end(_ error: (any Error)?, isNotifying: Bool) {
        observation = nil
        if error != nil || self.error != nil { tell(isNotifying ? .error : nil) { self.error = error } }
        set(\.hasEnded, true, isNotifying ? .hasEnded : nil)
    }

    /// Sets a flag, and notifies the observers of a property if that changes it.
    private func set(
        _ flag: ReferenceWritableKeyPath<FollowedValue, Bool>, _ isSet: Bool, _ property: Property?
    ) {
        if self[keyPath: flag] != isSet { tell(property) { self[keyPath: flag] = isSet } }
    }

    /// Changes what a property shows, and notifies its observers.
    private func tell(_ property: Property?, _ change: () -> Void) {
        if let property { willChange(property, change) } else { change() }
    }
}
