public import LarderKernel
public import LarderPattern

/// A query for items of all members of an ``ItemUnion``: a filter, an order and a window.
///
///     let last = Medium.where { $0.title > "K" }.sorted(by: \.title, .descending).limit(20)
///     let media = try store.read { try $0.items(for: last) }
///
/// The order is one across types. Items that it leaves equal come by the order of the members, and of one member by
/// their identifiers, both in the direction of the last attribute. Without an order, one type comes after the other.
///
/// Each call returns a new request. *Rule:* a value; may be kept, compared and sent anywhere. Mistakes that only show at
/// run time are thrown by ``validate()`` and by the first call that uses the request.
public struct UnionRequest<Union: ItemUnion>: Sendable, Hashable {
    /// One for each member.
    private var filters: [FilterNode] = Union.members.map { _ in .always(true) }
    private(set) var order: [UnionOrderTerm] = []
    private(set) var offset = 0
    private(set) var limit: Int?
    private var isReversed = false

    /// Creates a request for all items of all members.
    public init() {}

    /// Returns a request for those items that also pass another filter.
    public func filter(_ filter: UnionFilter<Union>) -> UnionRequest {
        changed { request in
            let joined = zip(request.filters, filter.nodes).map { own, other in
                own == .always(true) ? other : own && other
            }
            request.filters = UnionFilter<Union>(joined).nodes
        }
    }

    /// Returns a request for those items that also pass another filter on attributes of all members.
    ///
    ///     let some = Medium.all.filter { $0.title > "K" }
    public func filter(_ filter: (Union.Attributes) -> UnionFilter<Union>) -> UnionRequest {
        self.filter(filter(Union.attributes))
    }

    /// Orders by an attribute of all members; after an earlier order, it orders the items that the earlier one leaves
    /// equal.
    ///
    ///     let request = Medium.all.sorted(by: \.title, .caseInsensitive).sorted(by: \.title)
    ///
    /// nil comes first ascending.
    ///
    /// *Cost:* each member is read in the order, by an index if it has one, and no further than the window goes.
    public func sorted<Value>(
        by attribute: KeyPath<Union.Attributes, UnionAttribute<Union, Value>>,
        _ direction: SortDirection = .ascending
    ) -> UnionRequest {
        sorted(Union.attributes[keyPath: attribute].memberColumns, .exact, direction)
    }

    /// Orders by a text without regard to case, diacritics, or both.
    ///
    ///     let request = Medium.all.sorted(by: \.title, .caseInsensitive)
    ///
    /// *Cost:* as an order of ``LarderKernel/DataStoreRequest`` that folds text, for each member.
    public func sorted<Value: TextAttributeValue>(
        by attribute: KeyPath<Union.Attributes, UnionAttribute<Union, Value>>, _ matching: TextMatching,
        _ direction: SortDirection = .ascending
    ) -> UnionRequest {
        sorted(Union.attributes[keyPath: attribute].memberColumns, matching, direction)
    }

    /// Skips the first items.
    ///
    /// *Cost:* the skipped items are read.
    public func offset(_ count: Int) -> UnionRequest {
        changed { $0.offset = count }
    }

    /// Limits the number of items.
    public func limit(_ count: Int?) -> UnionRequest {
        changed { $0.limit = count }
    }

    /// Checks what the compiler cannot check.
    ///
    /// - Throws: `.invalidRequest` for a negative limit or offset, a value that cannot be stored, an attribute that does
    ///   not name exactly one of each member, and a union that names a type twice or none at all.
    public func validate() throws(DataStoreError) {
        for part in try parts() { try part.member.validate(part.core) }
    }

    private func sorted(
        _ columns: [Int?], _ matching: TextMatching, _ direction: SortDirection
    ) -> UnionRequest {
        changed {
            $0.order.append(
                UnionOrderTerm(
                    columns: columns, isAscending: direction == .ascending, matching: matching))
        }
    }

    private func changed(_ change: (inout UnionRequest) -> Void) -> UnionRequest {
        var copy = self
        change(&copy)
        return copy
    }
}

/// One term of the order of a request for several item types.
struct UnionOrderTerm: Sendable, Hashable {
    /// The column in each member; nil is a mistake.
    let columns: [Int?]
    let isAscending: Bool
    let matching: TextMatching
}

/// The part of a request that concerns one member.
struct UnionPart<Union: ItemUnion> {
    let member: any MemberType<Union>
    /// The position among the members.
    let position: Int
    /// With a limit by which no item of the window is missed, and without an offset.
    let core: RequestCore
    /// The columns of the order.
    let columns: [Int]
}

extension UnionRequest {
    /// The same request for its first item only.
    var first: UnionRequest { limit(min(limit ?? 1, 1)) }

    /// The same request in the opposite order.
    var reversed: UnionRequest {
        changed { request in
            request.order = order.map { term in
                UnionOrderTerm(
                    columns: term.columns, isAscending: !term.isAscending, matching: term.matching)
            }
            request.isReversed.toggle()
        }
    }

    /// The direction of items that the order leaves equal.
    var isTieAscending: Bool { order.last?.isAscending ?? !isReversed }

    /// The same request in the order of one attribute, or in any, and without the items whose attribute is nil.
    func ordered(by columns: [Int?]?, isAscending: Bool) -> UnionRequest {
        changed { request in
            request.order = []
            guard let columns else { return }
            request.order = [UnionOrderTerm(columns: columns, isAscending: isAscending, matching: .exact)]
            for (position, column) in columns.enumerated() {
                guard let column, Union.members[position].type.schema.attributes[column].isOptional else {
                    continue
                }
                request.filters[position] =
                    request.filters[position] && .compare(column: column, .notEqual, .null)
            }
        }
    }

    /// One request for each member.
    ///
    /// - Throws: `.invalidRequest`, as for ``validate()``, except for values.
    func parts() throws(DataStoreError) -> [UnionPart<Union>] {
        if offset < 0 { throw mistake("The offset is \(offset).") }
        if let limit, limit < 0 { throw mistake("The limit is \(limit).") }
        let members = Union.members.map(\.type)
        if members.isEmpty { throw mistake("The union has no members.") }
        for (position, member) in members.enumerated()
        where members[..<position].contains(where: {
            $0.itemType == member.itemType || $0.isNamed(member.name)
        }) {
            throw mistake("The union names \(member.name) twice.")
        }
        var end: Int?
        if let limit {
            let (sum, isTooLarge) = offset.addingReportingOverflow(limit)
            // No member has so many items.
            end = limit == 0 ? 0 : (isTooLarge ? nil : sum)
        }
        var parts: [UnionPart<Union>] = []
        for (position, member) in members.enumerated() {
            var core = RequestCore(filter: filters[position])
            core.limit = end
            var columns: [Int] = []
            for term in order {
                guard let column = term.columns[position] else {
                    throw mistake(missingAttribute(in: member.schema))
                }
                columns.append(column)
                core.order.append(
                    OrderTerm(
                        AttributePlace(column: column), isAscending: term.isAscending, term.matching))
            }
            if order.isEmpty, isReversed { core.reverseOrder() }
            // A column counts once, at its first place; items that are equal follow the last term all the same.
            if let last = columns.last, columns.dropLast().contains(last) {
                core.order.append(OrderTerm(AttributePlace(column: 0), isAscending: isTieAscending))
            }
            parts.append(UnionPart(member: member, position: position, core: core, columns: columns))
        }
        return parts
    }

    func mistake(_ message: String) -> DataStoreError {
        DataStoreError(
            .invalidRequest, "The request for \(Union.self) cannot be used. \(message)",
            advice: "Correct the request, or the members and attributes of \(Union.self).")
    }
}

extension UnionRequest: CustomStringConvertible {
    /// The requests for the members, and the window.
    public var description: String {
        let parts = Result { () throws(DataStoreError) in try self.parts() }
        switch parts {
        case .success(let parts):
            let members = parts.map { $0.member.description(of: $0.core) }.joined(separator: ", ")
            return "\(Union.self) of \(members)" + (offset > 0 ? ", from \(offset) on" : "")
        case .failure(let error): return "\(Union.self) (\(error.message))"
        }
    }
}
