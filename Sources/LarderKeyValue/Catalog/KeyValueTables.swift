package import LarderKernel

/// The number of tables that a store needs, for engines that have to know.
package enum KeyValueTables {
    /// The tables for the rows that a store over several keeps in each of them, and their indexes.
    private static let ofRoutedStore = 4

    /// At most so many tables are made for these item types: one for the rows of each and of its links and
    /// one for each index, the one in which the store describes itself, and a few that a store over it adds.
    package static func count(for itemTypes: [any DataStoreItem.Type]) -> Int {
        // A wrong declaration is refused before any table is made.
        let entities = (try? StoreSchema(storing: itemTypes))?.entities ?? itemTypes.map { $0.schema }
        return entities.reduce(1 + ofRoutedStore) { $0 + 1 + $1.indexes.count }
    }
}
