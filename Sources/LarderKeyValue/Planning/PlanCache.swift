import LarderKernel

/// The access plans of one reader, under the shape of the requests they serve.
///
/// A plan holds no values, so a request of a shape that was met before is only bound to its own. The shape
/// includes every property of the values that could change the choice: how many a list has, and whether the
/// window is empty.
///
/// *Rule:* bounded; what was not used for longest goes first. *Cost:* a look-up allocates nothing.
struct PlanCache {
    static let capacity = 64

    /// The hashes of the shapes, apart from their plans, as most are compared in vain.
    private var hashes: [UInt64] = []
    private var plans: [PreparedPlan] = []
    /// The plan that was used last: most requests have the shape of the one before.
    private var last: PreparedPlan?
    private var clock: UInt64 = 0
    /// The number of plans that were made, for tests.
    private(set) var madeCount = 0

    /// The use of a plan, which is part of the shape.
    enum Use: UInt32 {
        case rows, rowsOfEmptyWindow, count, countOfEmptyWindow

        init(_ plan: RequestPlan, isCounting: Bool) {
            let isEmpty = plan.limit == 0
            self =
                isCounting
                ? (isEmpty ? .countOfEmptyWindow : .count) : (isEmpty ? .rowsOfEmptyWindow : .rows)
        }
    }

    /// The plan for a request, made if there is none of its shape.
    mutating func plan(
        for plan: RequestPlan, over entities: [EntityTable], isCounting: Bool
    ) -> PreparedPlan {
        clock += 1
        let use = Use(plan, isCounting: isCounting).rawValue
        if let last, last.shape.isShape(of: plan, use: use) {
            last.lastUse = clock
            return last
        }
        let hash = PlanShape.hash(of: plan, use: use)
        for position in hashes.indices where hashes[position] == hash {
            let prepared = plans[position]
            if prepared.shape.isShape(of: plan, use: use) {
                prepared.lastUse = clock
                last = prepared
                return prepared
            }
        }
        let access = Planner(plan, over: entities[plan.entity], isCounting: isCounting).accessPlan()
        let prepared = PreparedPlan(access, PlanShape(plan, use: use), isCounting: isCounting)
        prepared.lastUse = clock
        madeCount += 1
        insert(prepared, hash)
        last = prepared
        return prepared
    }

    private mutating func insert(_ prepared: PreparedPlan, _ hash: UInt64) {
        guard plans.count >= Self.capacity,
            let oldest = plans.indices.min(by: { plans[$0].lastUse < plans[$1].lastUse })
        else {
            plans.append(prepared)
            hashes.append(hash)
            return
        }
        plans[oldest] = prepared
        hashes[oldest] = hash
    }
}

/// The access plan of one shape, and the cursors that have been made for it.
final class PreparedPlan {
    let access: AccessPlan
    fileprivate let shape: PlanShape
    private let isCounting: Bool
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) fileprivate var lastUse: UInt64 = 0
    @exclusivity(unchecked) private var rows: [PlannedRows] = []

    fileprivate init(_ access: AccessPlan, _ shape: PlanShape, isCounting: Bool) {
        self.access = access
        self.shape = shape
        self.isCounting = isCounting
    }

    /// A cursor that is not in use; nil if one has to be made.
    var idleRows: PlannedRows? {
        for position in rows.indices where !rows[position].isInUse { return rows[position] }
        return nil
    }

    /// A further cursor; the cache keeps as many as were ever in use at once.
    func makeRows(_ columns: RequestPlan.Columns, in reading: PathReading) -> PlannedRows {
        let made = PlannedRows(access, columns, in: reading, isCounting: isCounting)
        rows.append(made)
        return made
    }
}
