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
    /// The number of reads; an observer that is notified by one may begin the next, and the earlier one then changes nothing.
    private var reads = 0

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
        reads += 1
        let read = reads
        observation = nil
        let iterator = followed.makeAsyncIterator()
        switch loading {
        case .inBackground:
            set(\.isLoaded, false, isNotifying ? .isLoaded : nil, by: read)
        case .whenNeeded:
            do {
                let value = try iterator.first()
                receive(value, by: read, isNotifying: isNotifying)
            } catch {
                set(\.isLoaded, false, isNotifying ? .isLoaded : nil, by: read)
                return end(error, by: read, isNotifying: isNotifying)
            }
        }
        if error != nil { tell(isNotifying ? .error : nil, by: read) { error = nil } }
        set(\.hasEnded, false, isNotifying ? .hasEnded : nil, by: read)
        if read != reads { return }
        observation = StoreObservation(Task { [weak self] in await Self.follow(iterator, by: read) { self } })
    }

    /// Hands each value on until the observation is canceled, which its owner does on the main actor.
    private static func follow(
        _ iterator: StoreValues<Value>.Iterator, by read: Int, for owner: () -> FollowedValue?
    ) async {
        var iterator = iterator
        do {
            while let value = try await iterator.next(isolation: #isolation) {
                if Task.isCancelled { return }
                owner()?.receive(value, by: read, isNotifying: true)
            }
            if !Task.isCancelled { owner()?.end(nil, by: read, isNotifying: true) }
        } catch {
            if !Task.isCancelled { owner()?.end(error, by: read, isNotifying: true) }
        }
    }

    private func receive(_ value: Value, by read: Int, isNotifying: Bool) {
        tell(isNotifying ? .value : nil, by: read) { self.value = value }
        set(\.isLoaded, true, isNotifying ? .isLoaded : nil, by: read)
    }

    private func end(_ error: (any Error)?, by read: Int, isNotifying: Bool) {
        if read != reads { return }
        observation = nil
        if error != nil || self.error != nil {
            tell(isNotifying ? .error : nil, by: read) { self.error = error }
        }
        set(\.hasEnded, true, isNotifying ? .hasEnded : nil, by: read)
    }

    /// Sets a flag, and notifies the observers of a property if that changes it.
    private func set(
        _ flag: ReferenceWritableKeyPath<FollowedValue, Bool>, _ isSet: Bool, _ property: Property?,
        by read: Int
    ) {
        if self[keyPath: flag] != isSet { tell(property, by: read) { self[keyPath: flag] = isSet } }
    }

    /// Changes what a property shows, and notifies its observers, unless another read has begun.
    private func tell(_ property: Property?, by read: Int, _ change: () -> Void) {
        if read != reads { return }
        guard let property else { return change() }
        willChange(property) { if read == reads { change() } }
    }
}
