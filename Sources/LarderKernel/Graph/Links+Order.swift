import LarderValues

extension Links {
    /// Inserts an item at a position, or moves it there.
    ///
    /// - Parameter position: The item's position afterwards.
    /// - Returns: True if anything has changed.
    func insert(_ target: AnyItemID, at position: Int) throws(DataStoreError) -> Bool {
        if let link = try links(among: [target]).first { return try move(link, to: position) }
        try require(position >= 0, position)
        let around = try ranked(offset: max(0, position - 1), limit: 2)
        try require(position == 0 || !around.isEmpty, position)
        let high = position == 0 ? around.first : around.dropFirst().first
        try place(between: position == 0 ? nil : around.first, high) { rank in
            .link(source: owner, target: target, rank: rank)
        }
        return true
    }

    /// Moves an item to a position.
    ///
    /// - Returns: True if anything has changed.
    func move(_ target: AnyItemID, to position: Int) throws(DataStoreError) -> Bool {
        guard let link = try links(among: [target]).first else { return false }
        return try move(link, to: position)
    }

    /// Moves the item at a position to another.
    ///
    /// - Returns: True if anything has changed.
    func move(from start: Int, to position: Int) throws(DataStoreError) -> Bool {
        try require(start >= 0, start)
        let link = try ranked(offset: start, limit: 1).first
        try require(link != nil, start)
        guard let link, start != position else { return false }
        return try move(link, to: position)
    }

    private func move(_ link: Link, to position: Int) throws(DataStoreError) -> Bool {
        try require(position >= 0, position)
        let around = try ranked(offset: max(0, position - 1), limit: position == 0 ? 1 : 3)
        // The ranks of the links at the position and beside it.
        let before = position == 0 ? nil : around.first
        let present = position == 0 ? around.first : around.dropFirst().first
        guard let present else {
            // Right after the last, if an insertion may go.
            try require(before != nil, position)
            if before?.id == link.id { return false }
            try place(between: before, nil) { .rank(link.id, $0) }
            return true
        }
        if present.id == link.id { return false }
        if precedes(link, present) {
            try place(between: present, around.dropFirst(2).first) { .rank(link.id, $0) }
        } else {
            try place(between: before, present) { .rank(link.id, $0) }
        }
        return true
    }

    private func precedes(_ left: Link, _ right: Link) -> Bool {
        guard let leftRank = left.rank, let rightRank = right.rank else { return false }
        if UTF8Text.precedes(leftRank, rightRank) { return true }
        return leftRank == rightRank && (left.id.number ?? 0) < (right.id.number ?? 0)
    }

    /// Makes a change with a rank between two links; gives new ranks to all if there is none.
    private func place(
        between low: Link?, _ high: Link?, _ change: (String) -> LinkChange
    ) throws(DataStoreError) {
        if let rank = rank(between: low?.rank, high?.rank) { return try make([change(rank)]) }
        try block.pipeline.allOrNothing { _ throws(DataStoreError) in
            let renewed = try renewRanks()
            let rank = rank(between: low.flatMap { renewed[$0.id] }, high.flatMap { renewed[$0.id] })
            guard let rank else {
                throw DataStoreError(.damaged, "The order of \(title) has no place for another item.")
            }
            try make([change(rank)])
        }.get()
    }

    private func rank(between low: String?, _ high: String?) -> String? {
        let (lowRank, highRank) = (low.flatMap { Rank($0) }, high.flatMap { Rank($0) })
        // If another program has written a rank, it may be unreadable.
        guard (low == nil) == (lowRank == nil), (high == nil) == (highRank == nil) else { return nil }
        return Rank.between(lowRank, highRank)?.text
    }

    /// Gives all links new ranks in the order that they have; returns these by link.
    private func renewRanks() throws(DataStoreError) -> [AnyItemID: String] {
        var ranks: [AnyItemID: String] = [:]
        var changes: [LinkChange] = []
        for (position, link) in try all().enumerated() {
            let rank = Rank.initial(position).text
            ranks[link.id] = rank
            if link.rank != rank { changes.append(.rank(link.id, rank)) }
        }
        try make(changes)
        return ranks
    }

    private func require(_ isInside: Bool, _ position: Int) throws(DataStoreError) {
        if isInside { return }
        throw DataStoreError(
            .invalidRequest, "\(title) has no position \(position).",
            advice: "Positions begin with 0; an insertion may also use the number of items.",
            itemType: schema.entities[relationship.owner].name, attribute: relationship.propertyName,
            identifier: owner)
    }
}
