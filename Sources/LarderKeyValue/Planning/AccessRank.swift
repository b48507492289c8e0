/// The rank of a path: the greater, the fewer rows it should lead to, or the less work each of them takes.
///
/// Compared are, one after the other, what it begins with, how many columns it fixes, how many ends it has
/// after them, whether it gives the order, and whether it needs no look-up from one table to another. If
/// ranks are equal, the index that was declared first wins, so the choice never depends on chance.
struct AccessRank: Comparable {
    let kind: Kind
    var fixedColumns = 0
    var boundCount = 0
    var isOrdered = false
    var isDirect = false

    enum Kind: Int {
        /// All rows.
        case scan
        /// All rows, or nearly all, in the wanted order, or by small entries if they are only counted.
        case order
        case oneBound
        case twoBounds
        case list
        case equality
        case unique
        case identifiers
    }

    static func < (left: AccessRank, right: AccessRank) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.fixedColumns != right.fixedColumns { return left.fixedColumns < right.fixedColumns }
        if left.boundCount != right.boundCount { return left.boundCount < right.boundCount }
        if left.isOrdered != right.isOrdered { return right.isOrdered }
        return !left.isDirect && right.isDirect
    }
}

extension AccessRank.Kind {
    /// The kind for a number of ends.
    init(boundCount: Int) {
        self = boundCount > 1 ? .twoBounds : (boundCount == 1 ? .oneBound : .order)
    }
}
