import LarderKernel

/// Finds the line of an item again, without keeping the number of each line.
///
/// The lines of an export are in the order of the identifiers, so the position of an item among the stored
/// ones gives its line. Lines that are out of order are kept one by one, up to a limit.
///
/// *Rule:* used by one thread at a time.
struct LineIndex {
    /// The most lines out of order, and the most gaps between the others.
    private static let limit = 4096

    private let storage: AttributeType.Storage
    /// The last identifier of the lines in order.
    private var last: Constant?
    private var count = 0
    /// For each run of lines without a gap, how many items in order were before it, and its first line.
    private var runs: [(count: Int, line: Int)] = []
    private var nextLine = 0
    private var strays: [(identifier: Constant, line: Int)] = []
    private var isComplete = true

    init(of entity: EntitySchema) {
        storage = entity.storage(ofColumn: 0)
    }

    mutating func note(_ identifier: Cell, line: Int) {
        if let last, last.withCell({ $0.order(to: identifier, storage: storage) >= 0 }) {
            isComplete = isComplete && strays.count < Self.limit
            if isComplete { strays.append((Constant(identifier, storage: storage), line)) }
            return
        }
        last = Constant(identifier, storage: storage)
        if runs.isEmpty || line != nextLine {
            isComplete = isComplete && runs.count < Self.limit
            if isComplete { runs.append((count, line)) }
        }
        nextLine = line + 1
        count += 1
    }

    /// The line of an item; nil if it is not known.
    ///
    /// - Parameter countBefore: The number of stored items before it.
    func line(of identifier: Cell, countBefore: Int) -> Int? {
        if let stray = strays.first(where: { $0.identifier.withCell { $0.hasSameBytes(as: identifier) } }) {
            return stray.line
        }
        guard isComplete else { return nil }
        let strays = strays.count { stray in
            stray.identifier.withCell { $0.order(to: identifier, storage: storage) < 0 }
        }
        let place = countBefore - strays
        guard let run = runs.last(where: { $0.count <= place }) else { return nil }
        return run.line + place - run.count
    }
}
