package import LarderKernel

extension StoreSchema {
    /// The number of the item type that is stored under a name.
    ///
    /// - Throws: `.unknownItemType`.
    package func number(ofEntityNamed name: String) throws(DataStoreError) -> Int {
        if let number = entities.firstIndex(where: { UTF8Text.areEqual($0.name, name) }) { return number }
        let names = entities.map(\.name)
        throw DataStoreError(
            .unknownItemType, "The store has no item type \"\(name)\".",
            advice: name.nearest(among: names).map { "Did you mean \"\($0)\"?" }
                ?? "It has these: \(names.joined(separator: ", ")).",
            itemType: name)
    }
}
