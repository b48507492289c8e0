/// Statements, access plans or other values that a reader of an engine has made for shapes of requests.
///
/// A value that is made for a shape holds no constants, so a request of a shape that was met before only binds its
/// own.
///
/// *Rule:* bounded; the value that was not used for longest goes first. *Cost:* a look-up allocates nothing, and most
/// requests have the shape of the one before, which is compared first.
package struct ShapeCache<Value: AnyObject> {
    @usableFromInline
    struct Entry {
        @usableFromInline let shape: PlanShape
        @usableFromInline let value: Value
        @usableFromInline var lastUse: UInt64

        @usableFromInline
        init(_ shape: PlanShape, _ value: Value, lastUse: UInt64) {
            self.shape = shape
            self.value = value
            self.lastUse = lastUse
        }
    }

    package let capacity: Int
    /// The hashes of the shapes, apart from the entries, as most are compared in vain.
    @usableFromInline var hashes: [UInt64] = []
    @usableFromInline var entries: [Entry] = []
    /// The position of the entry that was used last.
    @usableFromInline var last = 0
    @usableFromInline var clock: UInt64 = 0
    /// The number of values that were inserted so far, for tests.
    package private(set) var insertedCount = 0

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var count: Int { entries.count }

    /// The value for the shape of a plan, which is one for a certain use: rows, count, and so on.
    @inlinable
    package mutating func value(for plan: borrowing RequestPlan, use: UInt32) -> Value? {
        guard last < entries.count else { return nil }
        if !entries[last].shape.isShape(of: plan, use: use) {
            guard let position = position(of: plan, use: use) else { return nil }
            last = position
        }
        clock += 1
        entries[last].lastUse = clock
        return entries[last].value
    }

    @inlinable
    func position(of plan: borrowing RequestPlan, use: UInt32) -> Int? {
        let hash = PlanShape.hash(of: plan, use: use)
        for position in hashes.indices where hashes[position] == hash {
            if entries[position].shape.isShape(of: plan, use: use) { return position }
        }
        return nil
    }

    /// Keeps a value for the shape of a plan.
    ///
    /// *Rule:* there is none for this shape.
    package mutating func insert(_ value: Value, for plan: borrowing RequestPlan, use: UInt32) {
        insertedCount += 1
        clock += 1
        let entry = Entry(PlanShape(plan, use: use), value, lastUse: clock)
        let hash = PlanShape.hash(of: plan, use: use)
        let oldest = entries.indices.min { entries[$0].lastUse < entries[$1].lastUse }
        if let oldest, entries.count >= capacity {
            entries[oldest] = entry
            hashes[oldest] = hash
            last = oldest
        } else {
            last = entries.count
            entries.append(entry)
            hashes.append(hash)
        }
    }
}
