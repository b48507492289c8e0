extension Collection {
    /// Slices of a number of elements, the last of which may be shorter, as Swift Algorithms has them.
    // The number is in the state: a closure that captured it would cost an allocation.
    @inlinable
    package func chunks(ofCount count: Int) -> UnfoldSequence<SubSequence, (rest: SubSequence, count: Int)> {
        sequence(state: (rest: self[...], count: count)) { state in
            if state.rest.isEmpty { return nil }
            defer { state.rest = state.rest.dropFirst(state.count) }
            return state.rest.prefix(state.count)
        }
    }
}
