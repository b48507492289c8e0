public import LarderKernel

// MARK: Requests

extension DataStoreReadAccessor {
    /// The items of a request for several types, in its order.
    ///
    ///     let media = try accessor.items(for: Medium.all.sorted(by: \.title).limit(20))
    ///
    /// In a block of `store.values`, the value follows the store: it is read again after each commit that touches a
    /// member.
    ///
    /// *Cost:* one plan for each member; of each no more rows than the window needs, and one of them in memory.
    ///
    /// - Throws: `.invalidRequest`, `.unknownItemType`, `.undecodable`; rethrows errors from the engine.
    public final func items<Union: ItemUnion>(
        for request: UnionRequest<Union>
    ) throws(DataStoreError) -> [Union] {
        let walk = try walk(over: request)
        defer { walk.close() }
        var items: [Union] = []
        while let item = try walk.next() { items.append(item) }
        return items
    }

    /// The first item of a request for several types, or nil.
    ///
    ///     let last = try accessor.firstItem(for: Medium.all.sorted(by: \.title, .descending))
    ///
    /// *Cost:* the first row of each member.
    ///
    /// - Throws: As ``items(for:)``.
    public final func firstItem<Union: ItemUnion>(
        for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Union? {
        let walk = try walk(over: request.first)
        defer { walk.close() }
        return try walk.next()
    }

    /// Runs the body for each item of a request for several types, in its order, without keeping them in memory.
    ///
    ///     try accessor.forEachItem(for: Medium.all.sorted(by: \.title)) { medium in print(medium.id) }
    ///
    /// *Rule:* inside a write block, changing items of any member meanwhile throws `.changedDuringIteration`. A throw
    /// ends the walk. *Cost:* constant memory, whatever the number of items; identifiers, in a write block, if the filter
    /// is about related items.
    ///
    /// - Throws: As ``items(for:)``, and the body's own error.
    public final func forEachItem<Union: ItemUnion>(
        for request: UnionRequest<Union>, _ body: (Union) throws -> Void
    ) throws {
        let walk = try walk(over: request, runsCode: true)
        defer { walk.close() }
        try iterating(Union.members[...]) {
            while let item = try walk.next() { try body(item) }
        }
    }

    /// References to the items of a request for several types, in its order.
    ///
    /// *Cost:* the identifiers, and the columns of the order, alone are read.
    ///
    /// - Throws: As ``items(for:)``.
    public final func ids<Union: ItemUnion>(
        for request: UnionRequest<Union>
    ) throws(DataStoreError) -> [ToAny<Union>] {
        let walk = try UnionWalk(request, columns: Union.members.map { _ in 0 }, in: block()) {
            (member: any MemberType<Union>, scan) throws(DataStoreError) in
            guard let identifier = AnyItemID(scan.cells[0], type: member.schema.attributes[0].type) else {
                throw member.schema.undecodable(scan.cells[0], at: 0)
            }
            return ToAny<Union>(typeName: member.name, identifier: identifier)
        }
        defer { walk.close() }
        var ids: [ToAny<Union>] = []
        while let id = try walk.next() { ids.append(id) }
        return ids
    }

    /// The number of items a request for several types gives, its offset and limit included.
    ///
    /// *Cost:* a count of each member.
    ///
    /// - Throws: As ``items(for:)``.
    public final func countItems<Union: ItemUnion>(
        for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Int {
        var count = 0
        for part in try request.parts() { count += try part.member.count(part.core, in: self) }
        return min(max(0, count - request.offset), request.limit ?? .max)
    }

    /// True if a request for several types gives any item.
    ///
    /// *Cost:* ends at the first row of each member.
    ///
    /// - Throws: As ``items(for:)``.
    public final func contains<Union: ItemUnion>(
        _ request: UnionRequest<Union>
    ) throws(DataStoreError) -> Bool {
        try countItems(for: request.first) > 0
    }

    /// The steps by which a request for several types is run, one line each, under the name of each type.
    ///
    /// ```text
    /// Recipe: index Recipe(name)
    /// Song: sort by title
    /// ```
    ///
    /// - Throws: As ``items(for:)``.
    public final func explain<Union: ItemUnion>(
        _ request: UnionRequest<Union>
    ) throws(DataStoreError) -> [String] {
        var lines: [String] = []
        for part in try request.parts() {
            lines += try part.member.explain(part.core, in: self).map { "\(part.member.schema.name): \($0)" }
        }
        return lines
    }

    func walk<Union: ItemUnion>(
        over request: UnionRequest<Union>, after start: UnionPageStart<Union>? = nil, runsCode: Bool = false
    ) throws(DataStoreError) -> UnionWalk<Union, Union> {
        try UnionWalk(request, after: start, columns: nil, runsCode: runsCode, in: block()) {
            member, scan throws(DataStoreError) in
            try member.value(in: scan)
        }
    }

    /// Runs a body during which a write block refuses to change items of some members.
    private func iterating<Union: ItemUnion>(
        _ members: ArraySlice<UnionMember<Union>>, _ body: () throws -> Void
    ) throws {
        guard let member = members.first else { return try body() }
        try member.type.iterating(in: self) { try iterating(members.dropFirst(), body) }
    }
}

// MARK: References

extension DataStoreReadAccessor {
    /// The item of a reference to any type; nil if the reference is, or leads to no item.
    ///
    ///     if case .song(let song)? = try accessor.item(bookmark.subject) { print(song.title) }
    ///
    /// *Cost:* one look-up by key; ``items(ids:)`` finds many at once.
    ///
    /// - Throws: `.unknownItemType`, `.undecodable`; rethrows errors from the engine.
    public final func item<Union: ItemUnion>(
        _ reference: ToAny<Union>?
    ) throws(DataStoreError) -> Union? {
        _ = try block()
        guard let reference, let member = reference.member else { return nil }
        return try member.values(at: [reference.identifier], in: self)[0]
    }

    /// The item of a reference to any type that has to lead to one.
    ///
    ///     let medium = try accessor.requiredItem(bookmark.subject)
    ///
    /// - Throws: `.itemNotFound` when it leads to no item; as ``item(_:)``.
    public final func requiredItem<Union: ItemUnion>(
        _ reference: ToAny<Union>
    ) throws(DataStoreError) -> Union {
        if let item = try item(reference) { return item }
        throw DataStoreError(
            .itemNotFound, "The item of a reference is not in the store.",
            advice: "Use item(_:), which returns nil if the item may have been deleted.",
            itemType: reference.member?.schema.name ?? reference.typeName,
            identifier: reference.identifier)
    }

    /// The items of references to any type, in the order of the list.
    ///
    ///     let media = try accessor.items(ids: bookmarks.map(\.subject)).compactMap { $0 }
    ///
    /// - Returns: One element for each reference: nil if it leads to no item.
    ///
    /// *Cost:* one look-up by key for each, up to a thousand of a type by one call of the engine.
    ///
    /// - Throws: As ``item(_:)``.
    public final func items<Union: ItemUnion>(
        ids: some Sequence<ToAny<Union>>
    ) throws(DataStoreError) -> [Union?] {
        let ids = Array(ids)
        var items: [Union?] = ids.map { _ in nil }
        for member in Union.members.map(\.type) {
            let positions = ids.indices.filter { member.isNamed(ids[$0].typeName) }
            if positions.isEmpty { continue }
            let found = try member.values(at: positions.map { ids[$0].identifier }, in: self)
            for (position, item) in zip(positions, found) { items[position] = item }
        }
        return items
    }
}
