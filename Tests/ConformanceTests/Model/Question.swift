import Larder

/// A request twice: as the store is asked, and as plain Swift.
struct Question<ID: SpecimenID>: CustomStringConvertible {
    var condition: Condition<ID>?
    /// Different attributes, the most significant first.
    var terms: [(field: Field<ID>, direction: SortDirection)] = []
    var offset: Int?
    var limit: Int?

    var request: DataStoreRequest<Specimen<ID>> {
        var request = condition.map { Specimen<ID>.where($0.filter) } ?? Specimen<ID>.all
        for term in terms { request = term.field.sort(request, term.direction) }
        if let offset { request = request.offset(offset) }
        if let limit { request = request.limit(limit) }
        return request
    }

    /// What the store must answer when it holds these items.
    func answer(from items: some Sequence<Specimen<ID>>) -> [Specimen<ID>] {
        let passing = items.filter { condition?.passes($0) ?? true }
        let sorted = passing.sorted(by: precedes)
        return Array(sorted.dropFirst(offset ?? 0).prefix(limit ?? .max))
    }

    private func precedes(_ left: Specimen<ID>, _ right: Specimen<ID>) -> Bool {
        for term in terms {
            let order = term.field.order(left, right)
            if order != 0 { return (order < 0) == (term.direction == .ascending) }
        }
        // Ties are broken by id, in the direction of the last key (contract rule 8).
        return (ID.order(left.id, right.id) < 0) == (terms.last?.direction != .descending)
    }

    var description: String {
        var text = condition.map { "where \($0)" } ?? "all"
        for term in terms { text += " by \(term.field.name) \(term.direction)" }
        if let offset { text += " offset \(offset)" }
        if let limit { text += " limit \(limit)" }
        return text
    }
}
