import struct Foundation.UUID

/// The parts of a request that only few have: whose items it gives, and its prefetches.
// An object, so that all other requests carry only a nil.
package final class RequestGraph: Sendable, Hashable {
    /// The windows whose items it gives; an item must be in all of them.
    let origins: [RequestOrigin]
    /// The relationships that are read together with its items.
    let prefetches: [Prefetch]
    /// The nesting depth of the prefetches.
    private let depth: Int

    /// Creates the parts; beyond the limit of depth, they keep only that.
    // As a filter does: code that compares, lowers or frees them recurses once per level.
    init(origins: [RequestOrigin], prefetches: [Prefetch]) {
        let depth = prefetches.reduce(0) { max($0, 1 + ($1.core.graph?.depth ?? 0)) }
        let isTooDeep = depth > FilterNode.maximumDepth || origins.contains(.tooDeep)
        self.origins = isTooDeep ? [.tooDeep] : origins
        self.prefetches = isTooDeep ? [] : prefetches
        self.depth = isTooDeep ? FilterNode.maximumDepth : depth
    }

    package static func == (left: RequestGraph, right: RequestGraph) -> Bool {
        left === right || left.origins == right.origins && left.prefetches == right.prefetches
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(origins)
        hasher.combine(prefetches)
    }
}

/// A window whose items a request gives.
enum RequestOrigin: Sendable, Hashable {
    case window(RelationshipSource)
    /// The window of an item that was not read from a store; thrown by the first use.
    case unstored
    /// Prefetches that nest too deep; thrown by the first use.
    case tooDeep
}

/// A relationship that a request reads together with its items.
package struct Prefetch: Sendable, Hashable {
    let relationship: RelationshipReference
    let target: any DataStoreItem.Type
    /// The filter and order for the items at the other end, and what is read with them in turn.
    var core: RequestCore

    package static func == (left: Prefetch, right: Prefetch) -> Bool {
        left.relationship == right.relationship && left.target == right.target && left.core == right.core
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(relationship)
        hasher.combine(ObjectIdentifier(target))
        hasher.combine(core)
    }
}

// MARK: Making

extension RequestCore {
    mutating func add(_ origin: RequestOrigin) {
        if graph?.origins.contains(origin) == true { return }
        graph = RequestGraph(origins: (graph?.origins ?? []) + [origin], prefetches: graph?.prefetches ?? [])
    }

    /// Narrows the request to the windows of another one, and takes its prefetches if it has any.
    mutating func combine(with other: RequestGraph) {
        let prefetches = other.prefetches.isEmpty ? graph?.prefetches ?? [] : other.prefetches
        graph = RequestGraph(origins: graph?.origins ?? [], prefetches: prefetches)
        for origin in other.origins { add(origin) }
    }

    /// Adds a relationship to be read, or what a second mention of it adds.
    mutating func add(_ prefetch: Prefetch) {
        var prefetches = graph?.prefetches ?? []
        if let known = prefetches.firstIndex(where: { $0.relationship == prefetch.relationship }) {
            prefetches[known].core.merge(prefetch.core)
        } else {
            prefetches.append(prefetch)
        }
        graph = RequestGraph(origins: graph?.origins ?? [], prefetches: prefetches)
    }

    /// Takes the filter, order and window of another request, if it has any, and adds its prefetches.
    private mutating func merge(_ other: RequestCore) {
        var merged = other.isPlain ? self : other
        merged.graph = graph
        for origin in other.graph?.origins ?? [] { merged.add(origin) }
        for prefetch in other.graph?.prefetches ?? [] { merged.add(prefetch) }
        self = merged
    }

    /// True if there is neither a filter nor an order nor a window.
    var isPlain: Bool { filter == .always(true) && order.isEmpty && offset == 0 && limit == nil }
}

// MARK: Lowering

extension RequestGraph {
    /// Narrows the plan of a request to its origins.
    ///
    /// - Throws: `.invalidRequest`, `.unknownItemType`; and for a mistake in a prefetch.
    func narrow(
        _ plan: inout RequestPlan, of core: RequestCore, in store: StoreSchema
    ) throws(DataStoreError) {
        var parts = [plan.predicate]
        var links: OwnerLinks?
        for origin in origins {
            let origin = try ResolvedOrigin(origin, of: plan.entity, in: store)
            parts.append(origin.predicate(in: store))
            if links?.areRanked != true, let found = origin.links(in: store) {
                let areAlone = origins.count == 1 && core.filter == .always(true) && origin.areLinksEnough
                links = OwnerLinks(found, areAlone: areAlone)
            }
        }
        for prefetch in prefetches { _ = try prefetch.plan(from: plan.entity, in: store) }
        plan.predicate = RowPredicate.all(parts).simplified
        guard core.order.isEmpty, let links, links.areRanked || links.areAlone else { return }
        plan.links = links
    }

    /// The item types of the origins, which need not be reachable from the requested items.
    var ownerTypes: [any DataStoreItem.Type] {
        origins.compactMap { if case .window(let source) = $0 { source.ownerType } else { nil } }
    }
}

extension Prefetch {
    /// The plan of the items at the other end, without the condition that they belong to certain items.
    ///
    /// - Throws: `.invalidRequest`, `.unknownItemType`.
    func plan(from entity: Int, in store: StoreSchema) throws(DataStoreError) -> RequestPlan {
        let relationship = try store.relationship(self.relationship, of: entity)
        if case .reference = relationship.form, !core.isPlain || core.graph?.origins.isEmpty == false {
            throw DataStoreError(
                .invalidRequest,
                "A ToOne always leads to its one item, but its prefetching has a filter, order or window.",
                advice: "Leave it out, or filter the items that the request is for.",
                itemType: store.entities[entity].name, attribute: relationship.propertyName)
        }
        return try core.plan(entity: relationship.target, in: store)
    }

    /// True if it reads all items of an owner, in the owner's order if there is one.
    func readsAll(of relationship: StoreRelationship) -> Bool {
        var core = core
        if relationship.kind != .orderedToMany { core.order = [] }
        return core.isPlain && core.graph?.origins.isEmpty != false
    }
}

/// A window whose items a request gives, found in a store.
struct ResolvedOrigin {
    let relationship: StoreRelationship
    let owner: Constant

    /// - Throws: `.invalidRequest` for the window of an item that is not stored, `.unknownItemType` if the
    ///   store does not hold the owner's type.
    init(_ origin: RequestOrigin, of entity: Int, in store: StoreSchema) throws(DataStoreError) {
        let name = store.entities[entity].name
        if origin == .tooDeep {
            throw DataStoreError(
                .invalidRequest, "The prefetching nests more than \(FilterNode.maximumDepth) levels deep.",
                advice: "Read the further levels by requests of their own.", itemType: name)
        }
        guard case .window(let source) = origin else {
            throw DataStoreError(
                .invalidRequest,
                "The request is for the \(name) items of an item that was not read from a store.",
                advice: "Read the item first, or use the handle that insert(_:) returns.", itemType: name)
        }
        guard let number = store.number(of: source.ownerType) else {
            throw DataStoreError(
                .unknownItemType,
                "The request is for items of a \(source.ownerType), and the store does not hold that type.",
                itemType: source.ownerType.schema.name)
        }
        relationship = try store.relationship(.number(source.number), of: number)
        guard relationship.target == entity else {
            throw DataStoreError(
                .invalidRequest,
                "\(store.entities[number].name).\(relationship.propertyName) does not lead to items of \(name).",
                itemType: name)
        }
        owner = Constant(source.owner)
    }

    /// The condition that an item belongs to the owner.
    func predicate(in store: StoreSchema) -> RowPredicate {
        switch relationship.form {
        case .reference: .always(false)  // no window
        case .referrers(let column): .compare(column: column, .equal, owner)
        case .links(let side):
            .related(
                RelatedTest(
                    relationship.reversed(side, in: store), .any(.compare(column: 0, .equal, owner))))
        }
    }

    /// The plan of the links of the owner: their other ends, by rank or by identifier; nil if there are none.
    func links(in store: StoreSchema) -> RequestPlan? {
        guard case .links(let side) = relationship.form else { return nil }
        return RequestPlan(
            links: side, where: .compare(column: side.ownerColumn, .equal, owner),
            columns: [side.targetColumn], in: store)
    }

    /// True if the links alone decide which items belong to the owner.
    var areLinksEnough: Bool { relationship.ends != .mayBeGone }
}

extension StoreRelationship {
    /// The same links seen from the other end, which may have no property for them, for a test of the one owner.
    ///
    /// Its row is not read, as for any item that others refer to.
    fileprivate func reversed(_ side: LinkSide, in store: StoreSchema) -> StoreRelationship {
        if let inverse {
            var reversed = store.relationships[target][inverse]
            reversed.ends = .any
            return reversed
        }
        let owner = store.entities[owner]
        return StoreRelationship(
            owner: target, number: -1 - number, name: "\(owner.name).\(name)",
            propertyName: "\(owner.name).\(propertyName)", target: self.owner, targetSchema: owner,
            form: .links(LinkSide(entity: side.entity, isReversed: !side.isReversed, isOrdered: false)),
            kind: .toMany, deleteRule: .nullify, inverse: number, ends: .any)
    }
}

extension Constant {
    /// The stored form of an identifier.
    package init(_ identifier: AnyItemID) {
        self =
            switch identifier {
            case .itemID(let value), .integer(let value): .integer(value)
            case .uuid(let value): .blob(withUnsafeBytes(of: value.uuid) { Array($0) })
            case .string(let value): .text(value)
            }
    }
}
