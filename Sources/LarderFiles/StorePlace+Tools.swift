package import LarderKernel

extension StorePlace {
    /// Makes a copy of a store at this place, which must be free; the copy gets its name when it is complete.
    ///
    /// - Parameter copy: Writes the copy to a path that names an empty file.
    /// - Throws: `.cannotOpen` when something is here already, or the folder is missing.
    package func makeBackup(
        for engine: FileEngine, _ copy: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let target = try pathOfNewFile()
        let isFree = engine.fileSuffixes.allSatisfy { !FileAccess.isTaken(target + $0) }
        guard isFree, try NewFile(at: target, companionSuffixes: engine.companionSuffixes).make(copy) else {
            throw DataStoreError(
                .cannotOpen, "A file already exists in the place of the backup.",
                advice: "Choose another name, or remove the existing file.", path: path)
        }
    }
}
