public import LarderKernel

/// Statements, access plans or other values that a reader of an engine has made for shapes of requests.
///
/// A value that is made for a shape holds no constants, so a request of a shape that was met before only binds its
/// own.
///
/// *Rule:* bounded; the value that was not used for longest goes first. *Cost:* a look-up allocates nothing, and most
/// requests have the shape of the one before, which is compared first.
@usableFromInline
package struct ShapeCache<Value: AnyObject> {
    package let capacity: Int
    @usableFromInline let longList: Int
    // In lists of their own: most hashes are compared in vain, and an entry with a value of a generic type would be
    // copied by slower code. And a look-up is compiled where the type of the values is known.
    @usableFromInline var hashes: [UInt64] = []
    @usableFromInline var shapes: [PlanShape] = []
    @usableFromInline var values: [Value] = []
    @usableFromInline var lastUses: [UInt64] = []
    /// The position of the value that was used last.
    @usableFromInline var last = 0
    @usableFromInline var clock: UInt64 = 0
    /// The number of values that were inserted so far, for tests.
    package private(set) var insertedCount = 0

    /// - Parameter longList: As in ``LarderKernel/PlanShape/init(_:use:longList:)``.
    package init(capacity: Int, longList: Int = .max) {
        self.capacity = capacity
        self.longList = longList
    }

    package var count: Int { shapes.count }

    /// The value for the shape of a plan, which is one for a certain use: rows, count, and so on.
    @inlinable
    package mutating func value(for plan: borrowing RequestPlan, use: UInt32) -> Value? {
        guard last < shapes.count else { return nil }
        if !shapes[last].isShape(of: plan, use: use) {
            guard let position = position(of: plan, use: use) else { return nil }
            last = position
        }
        clock += 1
        lastUses[last] = clock
        return values[last]
    }

    @usableFromInline
    func position(of plan: borrowing RequestPlan, use: UInt32) -> Int? {
        let hash = PlanShape.hash(of: plan, use: use, longList: longList)
        for position in hashes.indices where hashes[position] == hash {
            if shapes[position].isShape(of: plan, use: use) { return position }
        }
        return nil
    }

    /// Keeps a value for the shape of a plan.
    ///
    /// *Rule:* there is none for this shape.
    package mutating func insert(_ value: Value, for plan: borrowing RequestPlan, use: UInt32) {
        insertedCount += 1
        clock += 1
        let shape = PlanShape(plan, use: use, longList: longList)
        let hash = PlanShape.hash(of: plan, use: use, longList: longList)
        let oldest = lastUses.indices.min { lastUses[$0] < lastUses[$1] }
        if let oldest, shapes.count >= capacity {
            (shapes[oldest], values[oldest]) = (shape, value)
            (hashes[oldest], lastUses[oldest]) = (hash, clock)
            last = oldest
        } else {
            last = shapes.count
            shapes.append(shape)
            values.append(value)
            hashes.append(hash)
            lastUses.append(clock)
        }
    }
}
