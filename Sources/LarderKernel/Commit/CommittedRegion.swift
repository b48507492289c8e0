/// The rows that a commit has touched, as far as observations ask for it.
package struct CommittedRegion: Sendable {
    /// The part of one item type.
    package struct Part: Sendable {
        package let entity: Int
        /// True if rows came or went.
        package fileprivate(set) var comesOrGoes = false
        /// The columns that were written.
        package fileprivate(set) var columns = ColumnSet()
        /// The rows; nil if they may be any.
        package fileprivate(set) var identifiers: Set<AnyItemID>?

        // A commit of more rows than these concerns most observations of single rows anyway.
        private static let maximumRows = 256

        fileprivate mutating func limitRows() {
            if identifiers?.count ?? 0 > Self.maximumRows { identifiers = nil }
        }
    }

    /// One for each item type, mostly one in all.
    package private(set) var parts = ShortList<Part>()
    /// True if it matters which rows are touched.
    let followsRows: Bool

    /// - Parameter identifier: The identifier of the row; nil if it may be any.
    mutating func insert(_ mutation: RowMutation, _ identifier: AnyItemID?) {
        change(partOf: mutation.entity) { part in
            switch mutation.kind {
            case .insert, .delete, .deleteAll: part.comesOrGoes = true
            case .update: part.columns.formUnion(mutation.columns)
            }
            if let identifier { part.identifiers?.insert(identifier) } else { part.identifiers = nil }
            part.limitRows()
        }
    }

    mutating func formUnion(_ other: CommittedRegion) {
        other.parts.forEach { added in
            change(partOf: added.entity) { part in
                part.comesOrGoes = part.comesOrGoes || added.comesOrGoes
                part.columns.formUnion(added.columns)
                if let identifiers = added.identifiers {
                    part.identifiers?.formUnion(identifiers)
                } else {
                    part.identifiers = nil
                }
                part.limitRows()
            }
        }
    }

    private mutating func change(partOf entity: Int, _ change: (inout Part) -> Void) {
        if parts.change(where: { $0.entity == entity }, change) { return }
        var part = Part(entity: entity, identifiers: followsRows ? [] : nil)
        change(&part)
        parts.append(part)
    }
}
