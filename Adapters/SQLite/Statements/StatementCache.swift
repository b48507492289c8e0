import LarderKernel

/// Prepared statements of one connection, under the shape of the requests they serve.
///
/// *Rule:* bounded; what was not used for longest goes first. A statement that a reading has is never given
/// to another. *Cost:* one look-up by a hash of some numbers.
struct StatementCache {
    static let capacity = 128

    private var statements: [PlanShape: PlanStatement] = [:]
    /// The entry used last: most requests have the shape of the one before.
    private var last: (shape: PlanShape, statement: PlanStatement)?
    private var clock: UInt64 = 0

    /// The statement for a plan, taken; nil when there is none, or another reading has it.
    mutating func take(for plan: RequestPlan, use: UInt32) -> PlanStatement? {
        if let last, !last.statement.isTaken, last.shape.isShape(of: plan, use: use) {
            return take(last.statement)
        }
        let shape = PlanShape(plan, use: use)
        guard let statement = statements[shape], !statement.isTaken else { return nil }
        last = (shape, statement)
        return take(statement)
    }

    private mutating func take(_ statement: PlanStatement) -> PlanStatement {
        clock += 1
        statement.lastUse = clock
        statement.isTaken = true
        return statement
    }

    /// Keeps a statement, unless there is one of its plan's shape.
    mutating func insert(_ statement: PlanStatement, for plan: RequestPlan, use: UInt32) {
        let shape = PlanShape(plan, use: use)
        if statements[shape] != nil { return }
        if statements.count >= Self.capacity { removeOldest() }
        clock += 1
        statement.lastUse = clock
        statements[shape] = statement
    }

    private mutating func removeOldest() {
        let idle = statements.lazy.filter { !$0.value.isTaken }
        if let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            statements.removeValue(forKey: oldest.key)
            if last?.statement === oldest.value { last = nil }
        }
    }

    var count: Int { statements.count }
}
