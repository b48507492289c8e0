package import LarderKernel

/// The check for free space beside a file, before anything is written.
package enum FreeSpace {
    /// - Parameters:
    ///   - work: The subject of the error message: "The copy".
    ///   - advice: The advice for a lack of free space, as the end of a sentence.
    /// - Throws: `.storeFull` when the disk is known to have less free space.
    package static func require(
        _ bytes: Int, for work: String, beside path: String, advice: String
    ) throws(DataStoreError) {
        guard let available = beside(path), available < bytes else { return }
        throw DataStoreError(
            .storeFull, "\(work) needs about \(bytes) bytes, but only \(available) are free.",
            advice: "Free some space, or \(advice)", path: path)
    }

    /// The free space for files in the folder of the file that a path leads to; nil if it is not known.
    package static func beside(_ path: String) -> Int? {
        let path = (try? FileAccess.resolved(path)) ?? path
        return FileAccess.availableBytes(at: FileAccess.parts(of: path).folder)
    }
}

extension StoreAddress {
    /// The total size of the store's files; 0 for a store that is not in files.
    package func fileBytes() throws(DataStoreError) -> Int {
        var count = 0
        for suffix in fileSuffixes {
            let bytes = try FileAccess.status(at: location + suffix)?.byteCount ?? 0
            count = Int(clamping: Int64(count) + Int64(bytes))
        }
        return count
    }
}
