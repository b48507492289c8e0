import LarderKernel
import LarderFiles

/// The check for free space for a copy, as far as it can be known in advance.
struct TransferSpace {
    let source: StoreAddress
    let destination: StoreAddress

    init(from source: StoreAddress, to destination: StoreAddress) {
        self.source = source
        self.destination = destination
    }

    /// Checks the free space if both stores are in files.
    ///
    /// - Throws: `.storeFull` when less is free than the source takes beyond what was copied before.
    func requireEnough() throws(DataStoreError) {
        guard !source.fileSuffixes.isEmpty, !destination.fileSuffixes.isEmpty else { return }
        let needed = try source.fileBytes() - destination.fileBytes()
        try FreeSpace.require(
            needed, for: "The copy", beside: destination.location,
            advice: "turn checksFreeSpace off if the source is mostly empty pages.")
    }
}
