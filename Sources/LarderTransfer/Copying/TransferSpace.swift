import Larder
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
        let folder = FileAccess.parts(of: destination.location).folder
        guard let available = FileAccess.availableBytes(at: folder), available < needed else { return }
        throw DataStoreError(
            .storeFull, "The copy needs about \(needed) bytes, but only \(available) are free.",
            advice: "Free some space, or turn checksFreeSpace off if the source is mostly empty pages.",
            path: destination.location)
    }
}

extension StoreAddress {
    /// The total size of the store's files.
    func fileBytes() throws(DataStoreError) -> Int {
        var count = 0
        for suffix in fileSuffixes { count += try FileAccess.status(at: location + suffix)?.byteCount ?? 0 }
        return count
    }
}
