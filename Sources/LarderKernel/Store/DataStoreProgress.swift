/// The progress of an upgrade, an import, an export or a transfer.
///
///     var options = DataStoreOptions()
///     options.schemaProgress = { progress in print(progress, progress.fraction ?? 0) }
public struct DataStoreProgress: Sendable, Hashable {
    /// The name of the present phase: `"importing"`, `"copying"`, `"verifying"`, or the versions of a step, `"1 → 2"`.
    public let phase: String
    /// The number of the phase, from 1, and the number of all phases.
    public let step: Int, steps: Int
    /// The items or rows that were processed so far in this phase.
    public let done: Int
    /// The items or rows of the phase; nil if unknown, and an upper bound if some rows cannot be decoded.
    public let total: Int?
    /// The time since the phase began; nil if it is not measured.
    public let elapsed: Duration?

    public init(
        _ phase: String, step: Int = 1, of steps: Int = 1, done: Int, total: Int?, elapsed: Duration? = nil
    ) {
        (self.phase, self.step, self.steps) = (phase, step, steps)
        (self.done, self.total, self.elapsed) = (done, total, elapsed)
    }

    /// The part of the whole work that is done, from 0 to 1, in which each phase counts the same; nil if unknown.
    public var fraction: Double? {
        guard let total else { return nil }
        let part = total > 0 ? min(1, Double(done) / Double(total)) : 1
        return (Double(step - 1) + part) / Double(max(1, steps))
    }
}

extension DataStoreProgress: CustomStringConvertible {
    public var description: String {
        let place = steps > 1 ? "step \(step) of \(steps), " : ""
        return "\(place)\(phase): \(done)" + (total.map { " of \($0)" } ?? "")
    }
}
