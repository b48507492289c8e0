// MARK: Relationships of handles

extension WriteBlock {
    /// The relationship of a handle's item, the pending sets of all handles saved.
    ///
    /// - Parameter number: Its number; nil if the handle's item was not read from a store.
    func links(_ number: Int?, of handle: any TrackedHandle) throws(DataStoreError) -> Links {
        try require(handle)
        try prepareForRequest()
        guard let number else {
            throw DataStoreError(
                .invalidValue, "A relationship of an item that was not read from a store cannot be changed.",
                itemType: handle.entitySchema.name, identifier: handle.identifier)
        }
        return try Links(number, of: handle.identifier, handle.entity, in: self)
    }

    /// Adds an item to a relationship; false if it is there already.
    @usableFromInline
    func add(
        _ target: AnyItemID, toRelationship number: Int?, of handle: any TrackedHandle
    ) throws(DataStoreError) -> Bool {
        try links(number, of: handle).add(target)
    }

    /// Removes an item from a relationship; false if it is not there.
    @usableFromInline
    func remove(
        _ target: AnyItemID, fromRelationship number: Int?, of handle: any TrackedHandle
    ) throws(DataStoreError) -> Bool {
        try links(number, of: handle).remove(target)
    }
}
