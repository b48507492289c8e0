public import LarderKernel

extension MergeConflict {
    /// The parent's item when the child first touched it; nil if it was not there, or is of
    /// another type.
    ///
    /// - Throws: `.undecodable`.
    public func base<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        try rows.base?.item(type)
    }

    /// The item as the child has it; nil if it has deleted it.
    ///
    /// - Throws: `.undecodable`.
    public func child<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        try rows.child?.item(type)
    }

    /// The item as the parent has it; nil if it is not there any more.
    ///
    /// - Throws: `.undecodable`.
    public func parent<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        try rows.parent?.item(type)
    }
}
