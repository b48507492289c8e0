import Larder

/// Prepared statements of one connection, under the shape of the requests they serve.
///
/// *Rule:* bounded; what was not used for longest goes first. A statement that a reading has is never given to
/// another. *Cost:* one look-up by a hash of some numbers.
struct StatementCache {
    static let capacity = 128

    private var statements: [PlanShape: PlanStatement] = [:]
    private var clock: UInt64 = 0

    /// The statement of a shape, taken; nil when there is none, or another reading has it.
    mutating func take(_ shape: PlanShape) -> PlanStatement? {
        guard let statement = statements[shape], !statement.isTaken else { return nil }
        clock += 1
        statement.lastUse = clock
        statement.isTaken = true
        return statement
    }

    /// Keeps a statement, unless there is one of its shape.
    mutating func insert(_ statement: PlanStatement, for shape: PlanShape) {
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
        }
    }

    var count: Int { statements.count }
}
