public import LarderKernel

extension StoreAddress {
    /// The store in a piece of memory.
    ///
    ///     let transfer = StoreTransfer(from: .sqlite(at: url), to: .memory(storage))
    public static func memory(_ storage: MemoryStorage) -> StoreAddress {
        StoreAddress(engine: "memory", location: "memory") { _, _ in MemoryAdapter(in: storage) }
    }
}
