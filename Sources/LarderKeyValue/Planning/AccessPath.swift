import LarderKernel

/// The way to the rows of a request.
///
/// Values are named by the positions of the conditions that hold them, so that one path serves all requests
/// of a shape.
enum AccessPath {
    /// Not at all: no row can pass.
    case nothing
    /// By the identifiers that a condition names.
    case identifiers(condition: Int)
    /// By identifier, between two ends, or those that begin with a text.
    case identifierRange(ColumnSpan)
    /// By the entries of an index.
    case index(IndexScan)
    /// Along a way for each alternative of a condition; a row that an earlier one has led to is left out.
    case union([AccessPlan], condition: Int)
    /// All of them.
    case scan
}

/// The part of an index that is read: entries whose leading columns have one of the values of a condition
/// each, and whose next column lies in a span, if there is one.
struct IndexScan {
    let index: IndexTable
    let leading: [Leading]
    let span: ColumnSpan?

    /// A leading column by the condition that names its values.
    struct Leading {
        let condition: Int
        let valueCount: Int
    }

    /// The number of leading columns with a single value, in which entries do not differ.
    var fixedCount: Int {
        leading.firstIndex { $0.valueCount > 1 } ?? leading.count
    }

    /// True if the entries may differ in a text that is too long for them.
    var mayBeTruncated: Bool {
        index.form.parts.dropFirst(fixedCount).contains { $0.form == .text }
    }
}

/// The path chosen for requests of one shape, and what it leaves to be done.
struct AccessPlan {
    let path: AccessPath
    /// The positions of the conditions that a row still has to be tested with, unless a value is too long for
    /// the keys of an index: then all of them are tested.
    let residual: [Int]
    /// The order that is wanted, without columns that have one value only; empty if any will do.
    let order: [RequestPlan.SortTerm]
    let sorting: Sorting
    let rank: AccessRank

    /// The way the rows of a path are brought into the wanted order.
    enum Sorting {
        /// They come in it.
        case none
        /// They come in it except for texts that are truncated in the index, which are sorted run by run.
        case truncatedRuns
        /// The identifiers in the entries of an index are sorted before a row is read.
        case identifiers
        /// The rows are sorted.
        case rows
    }

    /// The direction in which the path is followed.
    var isAscending: Bool {
        switch sorting {
        case .none, .truncatedRuns: order.first?.isAscending ?? true
        case .identifiers, .rows: true
        }
    }
}
