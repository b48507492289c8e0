import LarderKernel

// A link is known by its two ends, as both sides may have made the same one.

extension MergeRun {
    /// The versions of one link.
    private struct LinkVersions {
        let ends: StagedLinks.Ends
        var base: Version?
        var child: Version?
    }

    /// A link on one side.
    private struct Version {
        let row: RowValues

        /// Its rank in an ordered relationship; nil in another one.
        var rank: Constant? { row.values.count > LinkEntity.rank ? row.values[LinkEntity.rank] : nil }
    }

    func compareLinks(_ entity: Int) throws {
        let links = try touchedLinks(entity)
        for part in links.chunks(ofCount: WriteBlock.batchSize) {
            let parents = try parentLinks(like: part, of: entity)
            for link in part { try compare(link, parents[link.ends] ?? [], entity) }
        }
    }

    private func compare(_ link: LinkVersions, _ parents: [Version], _ entity: Int) throws {
        switch (link.base, link.child, parents.first) {
        case (_, nil, nil), (nil, nil, _): return
        // Moved in the child, but gone from the parent: it stays gone.
        case (.some, .some, nil): return
        case (nil, let child?, nil): try addLink(.insert, child, entity)
        // Both sides have added it: it has the place that the parent has given it.
        case (nil, .some, .some): return
        case (.some, nil, .some):
            if isEndKept(link, entity) { return }
            for parent in parents { try addLink(.delete, parent, entity) }
        case (let base?, let child?, let parent?):
            try move(parent, to: child, from: base, entity)
        }
    }

    /// True if the child has deleted one end of a link, and the parent keeps that item.
    private func isEndKept(_ link: LinkVersions, _ entity: Int) -> Bool {
        if kept.isEmpty, unseen.isEmpty { return false }
        return graph.references[entity].contains { reference in
            let end = reference.column == LinkEntity.source ? link.ends.source : link.ends.target
            return staysInParent(RowKey(entity: reference.target, identifier: end))
        }
    }

    /// The links that the child has touched, in the order of their identifiers.
    private func touchedLinks(_ entity: Int) throws(DataStoreError) -> [LinkVersions] {
        let type = schema.entities[entity]
        var positions: [StagedLinks.Ends: Int] = [:]
        var links: [LinkVersions] = []
        let walk = try StagedRowWalk(of: entity, in: staged, staging)
        defer { walk.close() }
        while try walk.next() {
            let base = walk.base.map { RowValues($0, of: type) }
            let child = walk.child.map { RowValues($0, of: type) }
            guard let known = base ?? child else { continue }
            let ends = StagedLinks.Ends(known)
            let position = positions[ends] ?? links.count
            if position == links.count {
                positions[ends] = position
                links.append(LinkVersions(ends: ends))
            }
            if let base { links[position].base = Version(row: base) }
            if let child { links[position].child = Version(row: child) }
        }
        return links
    }

    /// The links of the parent between the same items as some of the child's; more than one between two if the
    /// parent is a child itself, and has made the same link as its own parent.
    private func parentLinks(
        like links: ArraySlice<LinkVersions>, of entity: Int
    ) throws(DataStoreError) -> [StagedLinks.Ends: [Version]] {
        let type = schema.entities[entity]
        let plans = RequestPlan.plans(
            finding: links.map { UniqueKey($0.ends.source, [$0.ends.target]) },
            at: [LinkEntity.source, LinkEntity.target], of: entity, type)
        var found: [StagedLinks.Ends: [Version]] = [:]
        for plan in plans {
            let scan = try parent.rows(for: plan)
            defer { scan.close() }
            while try scan.next() {
                let row = RowValues(scan.cells, of: type)
                found[StagedLinks.Ends(row), default: []].append(Version(row: row))
            }
        }
        return found
    }

    private func addLink(
        _ kind: RowMutation.Kind, _ link: Version, _ entity: Int, rank: Constant? = nil
    ) throws(DataStoreError) {
        let cells = try arena.makeCells(link.row.values.count)
        for (column, value) in link.row.values.enumerated() { cells[column] = try arena.cell(of: value) }
        var change = MergedChange(kind, entity: entity, cells: cells)
        if let rank {
            cells[LinkEntity.rank] = try arena.cell(of: rank)
            change.columns = ColumnSet([LinkEntity.rank])
        }
        try add(change)
    }

    /// Gives the parent's link the place that it has in the child.
    private func move(_ parent: Version, to child: Version, from base: Version, _ entity: Int) throws {
        guard let rank = child.rank, rank != parent.rank, rank != base.rank else { return }
        if parent.rank != base.rank {
            let type = schema.entities[entity]
            guard let owner = parent.row.owner else { return }
            let conflict = MergeConflict(
                itemType: owner.itemType, identifier: owner.identifier,
                kind: .changedOnBothSides(attribute: type.relationshipOfLinks),
                rows: (base: base.row, child: child.row, parent: parent.row))
            guard case .child = try decisions.settle(conflict) else { return }
        }
        try addLink(.update, parent, entity, rank: rank)
    }
}

extension RowValues {
    /// The item that the row is about as the app knows it: of a link the item whose relationship it is.
    var owner: (itemType: String, identifier: AnyItemID)? {
        if !schema.isLink { return identifier.map { (schema.name, $0) } }
        let identifier = values[LinkEntity.source].withCell {
            AnyItemID($0, type: schema.attributes[LinkEntity.source].type)
        }
        return identifier.map { (schema.ownerOfLinks, $0) }
    }
}

extension EntitySchema {
    // Without the app's types, the names are those in the name of the links: "Recipe.steps".

    /// The name of the item type whose relationship the links are.
    var ownerOfLinks: String { linkNames?.itemType ?? String(name.prefix(upTo: dot)) }

    /// The name of the relationship.
    var relationshipOfLinks: String { linkNames?.relationship ?? String(name[dot...].dropFirst()) }

    private var dot: String.Index { name.lastIndex(of: ".") ?? name.endIndex }
}
