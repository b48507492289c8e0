/// The progress of the steps that bring a store to the app's version.
public struct SchemaProgress: Sendable, Hashable {
    /// The number of the step that runs, from 1.
    public let step: Int
    /// The number of steps.
    public let steps: Int
    /// The versions that the step leads from and to.
    public let from: String
    public let to: String
    /// The old rows that the step's mappings have read so far.
    public let rowsDone: Int
    /// The old rows that the step's mappings read in all; 0 for a step that is inferred.
    public let rowsOfAll: Int

    package init(step: Int, steps: Int, from: String, to: String, rowsDone: Int, rowsOfAll: Int) {
        self.step = step
        self.steps = steps
        self.from = from
        self.to = to
        self.rowsDone = rowsDone
        self.rowsOfAll = rowsOfAll
    }

    /// The same progress of a step that comes after others.
    package func counted(after finished: Int, of all: Int) -> SchemaProgress {
        SchemaProgress(
            step: step + finished, steps: all, from: from, to: to, rowsDone: rowsDone, rowsOfAll: rowsOfAll)
    }
}

extension SchemaProgress: CustomStringConvertible {
    public var description: String {
        "step \(step) of \(steps), \(from) → \(to): \(rowsDone) of \(rowsOfAll) rows"
    }
}
