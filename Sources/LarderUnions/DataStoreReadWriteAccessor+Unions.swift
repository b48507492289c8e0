public import LarderKernel

extension DataStoreReadWriteAccessor {
    /// Deletes the items of a request for several types: all, or when it throws none.
    ///
    ///     try accessor.deleteItems(for: Medium.where { $0.title == "" })
    ///
    /// Delete rules as for ``delete(_:)``. *Rule:* the types are deleted in the order of the members, and
    /// ``LarderKernel/DeleteRule/deny`` is judged after each: items that refer to others by such a relationship come
    /// first.
    ///
    /// *Cost:* memory for the identifiers.
    ///
    /// - Returns: The number of items that the request gave, without those that went with them.
    /// - Throws: `.deletionDenied`, and as ``items(for:)``.
    @discardableResult
    public func deleteItems<Union: ItemUnion>(
        for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Int {
        let ids = try ids(for: request)
        if ids.isEmpty { return 0 }
        let outcome = try preparedBlock().pipeline.allOrNothing { _ throws(DataStoreError) in
            for member in Union.members.map(\.type) {
                let own = ids.filter { member.isNamed($0.typeName) }
                if !own.isEmpty { try member.delete(own.map(\.identifier), in: self) }
            }
        }
        if case .failure = outcome { try writeBlock.reloadHandles() }
        try outcome.get()
        return ids.count
    }

    /// Deletes the item of a reference to any type.
    ///
    ///     try accessor.delete(bookmark.subject)
    ///
    /// Delete rules as for ``delete(_:)``.
    ///
    /// - Returns: True if it was there.
    /// - Throws: `.deletionDenied`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Union: ItemUnion>(
        _ reference: ToAny<Union>
    ) throws(DataStoreError) -> Bool {
        guard try item(reference) != nil, let member = reference.member else { return false }
        try member.delete([reference.identifier], in: self)
        return true
    }
}
