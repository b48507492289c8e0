package import LarderKernel

extension StorePlace {
    /// True if the file is a store of Larder's; false where there is no file.
    ///
    /// - Parameter examine: Reads the beginning of the file at a path.
    /// - Throws: `.alreadyOpen` when this process has the file open; rethrows errors that do not say whose
    ///   file it is.
    package func isStore(_ examine: (String) throws(DataStoreError) -> Void) throws(DataStoreError) -> Bool {
        do {
            return try whileNotOpen { (path) throws(DataStoreError) in
                try examine(path)
                return true
            } ?? false
        } catch {
            switch error.code {
            case .foreignStore, .notADatabase, .storeMoved: return false
            case .newerFormat: return true
            default: throw error
            }
        }
    }

    /// Makes a copy of a store here, where nothing is yet; the copy gets its name when it is complete.
    ///
    /// - Parameters:
    ///   - companionSuffixes: The suffixes of the files that the engine may keep beside a store's own.
    ///   - copy: Writes the copy to a path, where there is an empty file.
    /// - Throws: `.cannotOpen` when something is here already, or the folder is missing.
    package func makeBackup(
        companionSuffixes: [String], _ copy: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let target = try pathOfNewFile()
        let isFree = ([""] + companionSuffixes).allSatisfy { !FileAccess.isTaken(target + $0) }
        guard isFree, try NewFile(at: target, companionSuffixes: companionSuffixes).make(copy) else {
            throw DataStoreError(
                .cannotOpen, "A file already exists in the place of the backup.",
                advice: "Choose another name, or remove the existing file.", path: path)
        }
    }
}
