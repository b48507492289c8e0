/// What a store has by itself: all its values, or of a child those that it has touched.
struct Overlay<Key: Hashable, Value: Equatable> {
    var values: [Key: Value] = [:]
    /// Each touched value as it was when the child first touched it; nil if it was not there.
    var bases: [Key: Value?] = [:]
    /// Each value as it was when the child deleted it.
    var lasts: [Key: Value] = [:]
    /// The values that each one had before it was changed.
    var earlier: [Key: [Value]] = [:]

    /// Rule 18: what is touched is the child's, all else the parent's.
    func shown(over parent: [Key: Value]) -> [Key: Value] {
        var shown = parent
        for key in bases.keys { shown[key] = values[key] }
        return shown
    }

    /// Notes what a call has changed.
    ///
    /// - Parameters:
    ///   - parent: What the parent shows; nil for a store without one.
    ///   - written: What the call has touched even if it is what it was before.
    ///   - between: The values between its changes and its deletions; nil if they are those before it.
    mutating func note(
        _ before: [Key: Value], _ after: [Key: Value], over parent: [Key: Value]?, written: Set<Key> = [],
        between: [Key: Value]? = nil
    ) {
        guard let parent else { return values = after }
        for key in written where bases[key] == nil && before[key] == after[key] {
            guard let value = before[key] else { continue }
            (values[key], bases[key]) = (value, .some(value))
        }
        for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
            let base = bases[key] ?? before[key]
            values[key] = after[key]
            earlier[key, default: []] += [before[key], between?[key]].compactMap(\.self)
            if after[key] == nil { lasts[key] = between?[key] ?? before[key] }
            // What was the child's alone leaves no trace.
            let isGone = after[key] == nil && base == nil && parent[key] == nil
            bases[key] = isGone ? .none : .some(base)
        }
    }

    /// Rule 18: forgets what the child has not changed, and takes the parent's parts of the rest.
    ///
    /// - Parameter combine: Takes over in both values what the third has changed, alone or like the second.
    mutating func refresh(
        from parent: [Key: Value], _ combine: (_ base: inout Value, _ own: inout Value, Value) -> Void
    ) {
        for (key, base) in bases {
            guard var base, var own = values[key] else { continue }
            if let new = parent[key] { combine(&base, &own, new) }
            values[key] = own == base ? nil : own
            bases[key] = own == base ? .none : .some(base)
        }
    }

    /// The touched values on three sides.
    func versions(over parent: [Key: Value]) -> [(key: Key, base: Value?, child: Value?, parent: Value?)] {
        bases.map { ($0, $1, values[$0], parent[$0]) }
    }
}
