import LarderKernel

/// The access plan of one shape of requests, and the cursors that have been made for it.
///
/// It holds no values. The properties of values that could change the choice are part of the shape, as the length of a
/// list is, or of the use, as an empty window is.
final class PreparedPlan {
    let access: AccessPlan
    private let isCounting: Bool
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var rows: [PlannedRows] = []

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

    init(_ access: AccessPlan, isCounting: Bool) {
        self.access = access
        self.isCounting = isCounting
    }

    /// A cursor that is not in use; nil if one has to be made.
    var idleRows: PlannedRows? {
        for position in rows.indices where !rows[position].isInUse { return rows[position] }
        return nil
    }

    /// A further cursor; as many are kept as have been in use at the same time.
    func makeRows(_ columns: RequestPlan.Columns, in reading: PathReading) -> PlannedRows {
        let made = PlannedRows(access, columns, in: reading, isCounting: isCounting)
        rows.append(made)
        return made
    }
}
