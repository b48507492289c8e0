import LarderKernel

extension DestinationRow {
    /// The numbers of the links that it was given.
    var linkNumbers: [Int] { links.map { entity.links[$0.relationship].entity } }

    /// - Throws: `.invalidValue` for a required attribute without a value, `.targetNotFound` for a reference to an item
    ///   of another type.
    func requireComplete() throws(DataStoreError) {
        if let column = lost.first {
            throw DataStoreError(
                .targetNotFound,
                """
                \(entity.name).\(entity.names[column]) refers to an item of a type that the step deletes, or of \
                another one than in version \(version).
                """,
                itemType: entity.name, attribute: entity.names[column],
                identifier: AnyItemID(cells[0], type: entity.types[0]))
        }
        for column in entity.requiredColumns where cells[column].isNull {
            throw DataStoreError(
                .invalidValue,
                """
                The step gives \(entity.name).\(entity.names[column]) no value, and version \(version) \
                requires one.
                """, advice: "Assign it in the mapping, or write fill(\"\(entity.names[column])\").",
                itemType: entity.name, attribute: entity.names[column],
                identifier: AnyItemID(cells[0], type: entity.types[0]))
        }
    }

    /// The rows of the links that the closure has set.
    func linkRows(in arena: RowArena) throws(DataStoreError) -> [RowMutation] {
        var rows: [RowMutation] = []
        for (position, targets) in links {
            let links = entity.links[position]
            var seen: Set<AnyItemID> = []
            func add(_ target: Cell, _ rank: String?) throws(DataStoreError) {
                let cells = try arena.makeCells(LinkEntity.rank + 1)
                cells[0] = .integer(ItemID<Never>().rawValue)
                cells[LinkEntity.source] = self.cells[0]
                cells[LinkEntity.target] = target
                if let rank { cells[LinkEntity.rank] = try arena.cell(of: .text(rank)) }
                rows.append(RowMutation(.insert, entity: links.entity, cells: cells))
            }
            if links.marksOwners { try add(.null, nil) }
            for target in targets where seen.insert(target).inserted {
                let rank = links.isOrdered ? LinkEntity.initialRank(seen.count - 1) : nil
                try add(try target.encode(in: arena), rank)
                guard let list = links.followed?.list, newTargets[position]?.contains(target) == true,
                    let link = rows.last
                else { continue }
                // The link's identifier is its first cell.
                rows.append(RowMutation(.insert, entity: list, cells: link.cells))
            }
        }
        return rows
    }
}

extension DataStoreError {
    /// The error about a row that has another name while its step runs.
    func naming(_ entities: [DestinationEntity]) -> DataStoreError {
        guard code == .duplicateIdentifier, let itemType,
            let entity = entities.first(where: { UTF8Text.areEqual($0.schema.name, itemType) })
        else { return self }
        return DataStoreError(
            code, "The step makes two rows of \(entity.name) with the same identifier.",
            advice: "Give one of them another: make(id:).", itemType: entity.name, identifier: identifier)
    }
}
