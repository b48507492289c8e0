public import LarderPattern

/// An order by attributes of related items, by folded text or by a collation, among them attributes of the item itself.
public struct RelatedOrder: Sendable, Hashable {
    public let terms: [Term]

    /// One term of the order.
    public struct Term: Sendable, Hashable {
        /// The references that lead to the item with the attribute; none for the item itself.
        public let path: [StoreRelationship]
        /// The column, of the last type of the path.
        public let term: RequestPlan.SortTerm
        /// The folding of the texts before they are compared.
        public let matching: TextMatching
        /// The order of the texts, by which the core alone sorts; nil for the order of their bytes.
        public let collation: TextCollation?

        init(
            path: [StoreRelationship], term: RequestPlan.SortTerm, matching: TextMatching = .exact,
            collation: TextCollation? = nil
        ) {
            (self.path, self.term, self.matching, self.collation) = (path, term, matching, collation)
        }
    }
}

extension RelatedOrder.Term {
    /// True if the order is not the one of the stored values.
    package var isFolded: Bool { matching != .exact || collation != nil }

    /// The item type with the attribute.
    package func schema(_ own: EntitySchema) -> EntitySchema { path.last?.targetSchema ?? own }

    /// The name of the attribute, with the path to it.
    package func name(in own: EntitySchema) -> String {
        (path.map(\.name) + [schema(own).attributes[term.column].name]).joined(separator: ".")
    }

    func description(of own: EntitySchema) -> String {
        name(in: own) + (collation.map { "[\($0.name)]" } ?? matching.flags)
            + (term.isAscending ? " ascending" : " descending")
    }
}

extension RelatedOrder.Term {
    /// The term in the relationships of a store.
    ///
    /// - Parameter subject: The thing that leads through the path, for errors.
    /// - Throws: `.invalidRequest` when the path leads to several items.
    package init(
        _ term: OrderTerm, of entity: Int, in store: StoreSchema, through subject: String
    ) throws(DataStoreError) {
        let path = try store.path(along: term.place.path, of: entity)
        if let many = path.first(where: \.kind.isToMany) {
            throw DataStoreError(
                .invalidRequest,
                "\(subject) cannot lead through \(many.propertyName), which has many items.",
                itemType: store.entities[many.owner].name, attribute: many.propertyName)
        }
        let last = store.entities[path.last?.target ?? entity]
        // If the store keeps the folded text, it is a column as any other.
        let folded = last.column(folding: term.place.column, term.matching)
        self.init(
            path: path,
            term: RequestPlan.SortTerm(column: folded ?? term.place.column, isAscending: term.isAscending),
            matching: folded == nil ? term.matching : .exact, collation: term.collation)
    }
}
