public import LarderKernel

/// Blocks of one store, one after the other.
///
///     try store.chained
///         .writeSync { try $0.insert(recipe) }
///         .read { accessor in print(try accessor.countItems(for: Recipe.all)) }
///
/// Each block is a call of its own: one that throws ends the chain, and those before it stay committed. Values leave a
/// chain through variables that its blocks capture; a single block returns its value by ``DataStore/read(_:)``.
///
/// *Rule:* runs on the calling thread. *Cost:* none besides the blocks.
public struct StoreChain: Sendable {
    /// The store whose blocks they are.
    public let store: any DataStore

    /// Runs a block that may change the store, commits, and continues the chain.
    ///
    /// - Throws: As ``DataStore/writeSync(origin:_:)``.
    @available(*, noasync, message: "Await each writeAsync, which does not block the thread.")
    @discardableResult
    public func writeSync(
        origin: WriteOrigin? = nil, _ block: (DataStoreReadWriteAccessor) throws -> Void
    ) throws -> StoreChain {
        try store.writeSync(origin: origin, block)
        return self
    }

    /// Runs a block on one snapshot of the store, and continues the chain.
    ///
    /// - Throws: As ``DataStore/read(_:)``.
    @discardableResult
    public func read(_ block: (DataStoreReadAccessor) throws -> Void) throws -> StoreChain {
        try store.read(block)
        return self
    }
}

extension DataStore {
    /// The beginning of a chain of blocks.
    ///
    /// *Cost:* none.
    public var chained: StoreChain { StoreChain(store: self) }
}
