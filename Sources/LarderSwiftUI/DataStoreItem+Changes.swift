#if canImport(SwiftUI) || SwiftUIStandIns
    import Larder

    extension DataStoreItem {
        /// The item with the values in which a newer item differs from an older one.
        ///
        /// - Throws: `.invalidValue` if one of them could not be stored.
        func applying(changesFrom old: Self, to new: Self) throws(DataStoreError) -> Self {
            let arena = RowArena(chunkBytes: 1024)
            defer { withExtendedLifetime(arena) {} }
            let (old, new) = (try old.cells(in: arena), try new.cells(in: arena))
            let columns = Self.schema.changedColumns(from: old, to: new)
            let cells = try cells(in: arena)
            for column in Self.schema.attributes.indices where columns.contains(column) {
                cells[column] = new[column]
            }
            return try Self(row: RowReader(cells: cells, of: Self.schema))
        }

        /// True if all attributes have the same values.
        ///
        /// - Throws: `.invalidValue` if one of the items could not be stored.
        func hasSameValues(as other: Self) throws(DataStoreError) -> Bool {
            let arena = RowArena(chunkBytes: 1024)
            defer { withExtendedLifetime(arena) {} }
            let (own, others) = (try cells(in: arena), try other.cells(in: arena))
            return Self.schema.changedColumns(from: own, to: others).isEmpty
        }

        /// True if the item was given items for a relationship.
        ///
        /// - Throws: `.invalidValue` if it could not be stored.
        func wasGivenItems() throws(DataStoreError) -> Bool {
            guard Self.schema.hasWindows else { return false }
            let arena = RowArena(chunkBytes: 1024)
            defer { withExtendedLifetime(arena) {} }
            var items: [AssignedItems] = []
            _ = try RowMutation.inserting(self, entity: 0, in: arena, items: &items)
            return !items.isEmpty
        }

        private func cells(in arena: RowArena) throws(DataStoreError) -> UnsafeMutablePointer<Cell> {
            let cells = try arena.makeCells(Self.schema.attributes.count)
            var row = RowWriter(cells: cells, arena: arena, of: Self.schema)
            try encode(to: &row)
            return cells
        }
    }
#endif
