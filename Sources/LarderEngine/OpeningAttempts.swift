package import LarderKernel

/// The attempts to open a store whose files other processes replace or remove meanwhile.
package enum OpeningAttempts {
    private static let limit = 10

    /// Runs an opening until it returns a value, and again if it returns nil or throws `.storeFileMoved`: another process
    /// has put a compacted or an upgraded file in the place of the store's, or removed a file beside it.
    ///
    /// *Rule:* an attempt that fails gives up all that it has claimed, and the next one reads the state of the files again.
    ///
    /// - Parameter repeatsMoved: False if the caller runs attempts itself, around this one.
    /// - Throws: After the last attempt, what that one throws, or `.busy`; other errors at once.
    package static func run<Opened>(
        at location: String, repeatsMoved: Bool = true, _ open: () throws(DataStoreError) -> Opened?
    ) throws(DataStoreError) -> Opened {
        for attempt in 1...limit {
            do throws(DataStoreError) {
                if let opened = try open() { return opened }
            } catch {
                guard repeatsMoved, error.code == .storeFileMoved, attempt < limit else { throw error }
            }
        }
        throw DataStoreError(
            .busy, "Other processes keep replacing the store's files.",
            advice: "Repeat the call when they have ended.", path: location)
    }
}
